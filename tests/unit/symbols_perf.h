/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbols_perf.h - ask perf for the names of any addresses.
 *
 * The test writes a perf.data file with the mappings that it needs and one sample for each address;
 * `perf script` then prints the symbols that perf finds there.
 */
#ifndef SYMBOLS_PERF_H
#define SYMBOLS_PERF_H

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/buildid.h"

#define ASK_PID 4242

struct ask {
	FILE *f;
	uint64_t time;
	char path[256];
};

static inline void ask_put(struct ask *a, const void *p, size_t n)
{
	if (fwrite(p, 1, n, a->f) != n)
		abort();
}

/* The head of a perf.data file with one event: cpu-clock, ip and tid and time. */
static inline void ask_open(struct ask *a, const char *path)
{
	uint64_t head[13] = { 0 };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_period = 1,
	};
	uint64_t ids[2] = { 0, 0 };

	snprintf(a->path, sizeof(a->path), "%s", path);
	a->time = 1;
	a->f = fopen(path, "w+");
	if (!a->f)
		abort();
	memcpy(head, "PERFILE2", 8);
	head[1] = sizeof(head);
	head[2] = sizeof(attr) + sizeof(ids);
	head[3] = sizeof(head);
	head[4] = sizeof(attr) + sizeof(ids);
	head[5] = sizeof(head) + sizeof(attr) + sizeof(ids);
	ask_put(a, head, sizeof(head));
	ask_put(a, &attr, sizeof(attr));
	ask_put(a, ids, sizeof(ids));
}

static inline void ask_map(struct ask *a, bool kernel, uint64_t start, uint64_t len, uint64_t pgoff,
			   const char *name)
{
	size_t size = (strlen(name) + 8) & ~7UL;
	struct {
		struct perf_event_header h;
		uint32_t pid, tid;
		uint64_t start, len, pgoff;
	} e = { { PERF_RECORD_MMAP, kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		  sizeof(e) + size },
		kernel ? UINT32_MAX : ASK_PID,
		kernel ? 0 : ASK_PID,
		start,
		len,
		pgoff };
	char text[512] = { 0 };

	snprintf(text, sizeof(text), "%s", name);
	ask_put(a, &e, sizeof(e));
	ask_put(a, text, size);
}

/* The same with a build-id, as an MMAP2 record carries it. */
static inline void ask_map_id(struct ask *a, bool kernel, uint64_t start, uint64_t len,
			      uint64_t pgoff, const char *name, const struct rt_buildid *id)
{
	size_t size = (strlen(name) + 8) & ~7UL;
	struct {
		struct perf_event_header h;
		uint32_t pid, tid;
		uint64_t start, len, pgoff;
		uint8_t id_len, pad[3], id[20];
		uint32_t prot, flags;
	} e = { { PERF_RECORD_MMAP2,
		  (kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER) |
			  PERF_RECORD_MISC_MMAP_BUILD_ID,
		  sizeof(e) + size },
		kernel ? UINT32_MAX : ASK_PID,
		kernel ? 0 : ASK_PID,
		start,
		len,
		pgoff };
	char text[512] = { 0 };

	e.id_len = id->len;
	memcpy(e.id, id->data, id->len);
	e.prot = PROT_READ | PROT_EXEC;
	snprintf(text, sizeof(text), "%s", name);
	ask_put(a, &e, sizeof(e));
	ask_put(a, text, size);
}

static inline void ask_ip(struct ask *a, bool kernel, uint64_t ip)
{
	struct {
		struct perf_event_header h;
		uint64_t ip;
		uint32_t pid, tid;
		uint64_t time;
	} e = { { PERF_RECORD_SAMPLE, kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		  sizeof(e) },
		ip,
		ASK_PID,
		ASK_PID,
		a->time++ };

	ask_put(a, &e, sizeof(e));
}

/* Close the file and start perf on it; read the answers, one line a sample. */
static inline FILE *ask_perf(struct ask *a, const char *options)
{
	uint64_t size = ftell(a->f) - (13 * 8 + sizeof(struct perf_event_attr) + 16);
	char command[1024];

	fseek(a->f, 6 * 8, SEEK_SET);
	ask_put(a, &size, sizeof(size));
	fclose(a->f);
	snprintf(command, sizeof(command), "perf script -i %s --no-inline -F %s 2>/dev/null",
		 a->path, options);
	return popen(command, "r");
}

#endif
