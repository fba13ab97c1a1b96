// SPDX-License-Identifier: GPL-2.0
/*
 * breakpoints.c - user probes that are in programs: a breakpoint in the code that the file does not have.
 *
 * The kernel may fail to remove one when a tracer ends, whichever tracer it was.  A program that runs into
 * one whose probe is gone is ended by SIGTRAP.
 */
#include "doctor/doctor.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* Bits of an entry of /proc/PID/pagemap. */
#define PAGE_HERE     (1ULL << 63)
#define PAGE_SWAPPED  (1ULL << 62)
#define PAGE_OF_FILE  (1ULL << 61)
#define PAGE_SIZE_MAX 65536

enum { MAPS_LIMIT = 64 << 20 };

#ifdef __aarch64__
static const unsigned char breakpoint[] = { 0xa0, 0x00, 0x20, 0xd4 };
#else
static const unsigned char breakpoint[] = { 0xcc };
#endif

struct found {
	int pid; /* of the first program that has one */
	char comm[32];
	char path[128]; /* where its first one is */
	uint64_t offset;
	unsigned long in_first, programs;
};

/* A program that is looked into. */
struct program {
	int pid;
	int memory, pagemap;
	unsigned long count;
};

struct mapping {
	uint64_t start, end, offset;
	const char *path;
};

static void note(struct found *found, struct program *p, const struct mapping *m, uint64_t at)
{
	char path[64];

	if (!p->count++)
		found->programs++;
	if (!found->pid) {
		found->pid = p->pid;
		found->offset = m->offset + (at - m->start);
		snprintf(found->path, sizeof(found->path), "%s", m->path);
		snprintf(path, sizeof(path), "/proc/%d/comm", p->pid);
		if (rt_file_line(path, found->comm, sizeof(found->comm)) < 0)
			*found->comm = 0;
	}
	if (found->pid == p->pid)
		found->in_first++;
}

static void compare_page(struct found *found, struct program *p, const struct mapping *m, int file,
			 uint64_t page, size_t size)
{
	static unsigned char memory[PAGE_SIZE_MAX], original[PAGE_SIZE_MAX];
	size_t i;

	if (pread(p->memory, memory, size, page) != (ssize_t)size)
		return;
	/* The last page of a file is shorter. */
	memset(original, 0, size);
	if (pread(file, original, size, m->offset + (page - m->start)) <= 0)
		return;
	for (i = 0; i + sizeof(breakpoint) <= size; i += sizeof(breakpoint))
		if (!memcmp(memory + i, breakpoint, sizeof(breakpoint)) &&
		    memcmp(original + i, breakpoint, sizeof(breakpoint)))
			note(found, p, m, page + i);
}

/* Not first by the path: the file may be deleted, or in another mount namespace. */
static int open_mapped(const struct program *p, const struct mapping *m)
{
	char path[96];
	int file;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, p->pid, m->start,
		 m->end);
	file = open(path, O_RDONLY | O_CLOEXEC);
	return file >= 0 ? file : open(m->path, O_RDONLY | O_CLOEXEC);
}

/* Only pages that are the process's own differ from the file. */
static void look_at_mapping(struct found *found, struct program *p, const struct mapping *m)
{
	size_t size = sysconf(_SC_PAGESIZE);
	uint64_t page, entry;
	int file = -1;

	for (page = m->start; page < m->end; page += size) {
		if (pread(p->pagemap, &entry, sizeof(entry), page / size * sizeof(entry)) !=
		    sizeof(entry))
			break;
		if (!(entry & (PAGE_HERE | PAGE_SWAPPED)) || (entry & PAGE_OF_FILE))
			continue;
		if (file < 0)
			file = open_mapped(p, m);
		if (file < 0)
			break;
		compare_page(found, p, m, file, page, size);
	}
	if (file >= 0)
		close(file);
}

static void look_at_maps(struct found *found, struct program *p, char *maps)
{
	struct mapping m;
	char *line, *rest, flags[5];
	int path_at;

	for (line = strtok_r(maps, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		path_at = 0;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &m.start,
			   &m.end, flags, &m.offset, &path_at) < 4 ||
		    !path_at || line[path_at] != '/' || flags[2] != 'x' || flags[3] != 'p')
			continue;
		m.path = line + path_at;
		look_at_mapping(found, p, &m);
	}
}

static bool is_debugged(int pid)
{
	char path[64], *status, *at;
	bool debugged = true;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (rt_file_read(path, 1 << 16, &status, NULL) < 0)
		return true;
	at = strstr(status, "TracerPid:");
	debugged = at && atoi(at + strlen("TracerPid:"));
	free(status);
	return debugged;
}

static void look_at_program(struct found *found, int pid)
{
	struct program p = { .pid = pid };
	char path[64], *maps;

	if (is_debugged(pid))
		return;
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	/* It may have ended. */
	if (rt_file_read(path, MAPS_LIMIT, &maps, NULL) < 0)
		return;
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	p.memory = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid);
	p.pagemap = open(path, O_RDONLY | O_CLOEXEC);
	if (p.memory >= 0 && p.pagemap >= 0)
		look_at_maps(found, &p, maps);
	if (p.memory >= 0)
		close(p.memory);
	if (p.pagemap >= 0)
		close(p.pagemap);
	free(maps);
}

void rt_check_breakpoints(struct rt_doctor *m, struct rt_finding *f)
{
	struct found found = { 0 };
	struct dirent *entry;
	DIR *dir;
	int pid;

	if (*m->host.root || geteuid()) {
		rt_finding_set(f, RT_VERDICT_UNCHECKED, "%s",
			       *m->host.root ? "only the running system can tell" :
					       "only root may read other programs");
		return;
	}
	dir = opendir("/proc");
	while (dir && (entry = readdir(dir)))
		if ((pid = atoi(entry->d_name)) > 0)
			look_at_program(&found, pid);
	if (dir)
		closedir(dir);
	if (!found.programs) {
		rt_finding_set(f, RT_VERDICT_OK, "no program has one in its code");
		return;
	}
	rt_finding_set(f, RT_VERDICT_NOTE,
		       "process %d (%s) has %lu, the first at %s+0x%" PRIx64
		       "%s: of a tracer that runs now, "
		       "or left by one that has ended",
		       found.pid, found.comm, found.in_first, found.path, found.offset,
		       found.programs > 1 ? ", others have some, too" : "");
	rt_finding_fix(f, "kill %d   # if no tracer runs; then start it again", found.pid);
}
