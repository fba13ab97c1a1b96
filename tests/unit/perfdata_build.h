/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfdata_build.h - perf.data files made byte by byte, in either byte order, for
 * the tests of the reader.
 */
#ifndef TESTS_PERFDATA_BUILD_H
#define TESTS_PERFDATA_BUILD_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfdata/layout.h"

struct build {
	uint8_t *data;
	size_t size, room;
	int swap;      /* write the other byte order */
	size_t record; /* where the open record begins */
};

static inline void put(struct build *b, const void *bytes, size_t n)
{
	if (b->size + n > b->room) {
		b->room = 2 * (b->size + n);
		b->data = realloc(b->data, b->room);
	}
	if (n)
		memcpy(b->data + b->size, bytes, n);
	b->size += n;
}

static inline void put8(struct build *b, uint8_t v)
{
	put(b, &v, 1);
}

static inline void put16(struct build *b, uint16_t v)
{
	v = b->swap ? __builtin_bswap16(v) : v;
	put(b, &v, sizeof(v));
}

static inline void put32(struct build *b, uint32_t v)
{
	v = b->swap ? __builtin_bswap32(v) : v;
	put(b, &v, sizeof(v));
}

static inline void put64(struct build *b, uint64_t v)
{
	v = b->swap ? __builtin_bswap64(v) : v;
	put(b, &v, sizeof(v));
}

/* Set a 64-bit word that was put before. */
static inline void set64(struct build *b, size_t at, uint64_t v)
{
	v = b->swap ? __builtin_bswap64(v) : v;
	memcpy(b->data + at, &v, sizeof(v));
}

/* A string padded with NULs to a multiple. */
static inline void put_string(struct build *b, const char *s, size_t multiple)
{
	size_t n = strlen(s) + 1;

	put(b, s, n);
	while (n++ % multiple)
		put8(b, 0);
}

static inline void begin_record(struct build *b, uint32_t type, uint16_t misc)
{
	b->record = b->size;
	put32(b, type);
	put16(b, misc);
	put16(b, 0);
}

static inline void end_record(struct build *b)
{
	uint16_t size = (uint16_t)(b->size - b->record);

	size = b->swap ? __builtin_bswap16(size) : size;
	memcpy(b->data + b->record + 6, &size, sizeof(size));
}

/* Bit-fields fill each byte from the other end on a machine of the other order. */
static inline void put_flags(struct build *b, uint64_t flags)
{
	uint8_t bytes[8], i, j, r;

	memcpy(bytes, &flags, sizeof(bytes));
	for (i = 0; b->swap && i < 8; i++) {
		for (r = j = 0; j < 8; j++)
			r |= (uint8_t)((bytes[i] >> j & 1) << (7 - j));
		bytes[i] = r;
	}
	put(b, bytes, sizeof(bytes));
}

/* An attr of `size` bytes, cut or padded. */
static inline void put_attr(struct build *b, const struct rt_attr *a, uint32_t size)
{
	size_t from = b->size;

	put32(b, a->type);
	put32(b, size);
	put64(b, a->config);
	put64(b, a->sample_period);
	put64(b, a->sample_type);
	put64(b, a->read_format);
	put_flags(b, a->flags);
	put32(b, a->wakeup_events);
	put32(b, a->bp_type);
	put64(b, a->config1);
	put64(b, a->config2);
	put64(b, a->branch_sample_type);
	put64(b, a->sample_regs_user);
	put32(b, a->sample_stack_user);
	put32(b, (uint32_t)a->clockid);
	put64(b, a->sample_regs_intr);
	put32(b, a->aux_watermark);
	put16(b, a->sample_max_stack);
	put16(b, a->reserved_2);
	put32(b, a->aux_sample_size);
	put32(b, a->aux_action);
	put64(b, a->sig_data);
	put64(b, a->config3);
	put64(b, a->config4);
	while (b->size < from + size)
		put8(b, 0);
	b->size = from + size;
}

/* The head of a file up to its data: the header, ids (one each, 1, 2, …), the attrs. */
static inline void begin_file(struct build *b, const struct rt_attr *attrs, unsigned count,
			      uint32_t attr_size, int swap)
{
	unsigned i;

	memset(b, 0, sizeof(*b));
	b->swap = swap;
	put64(b, RT_MAGIC2);
	put64(b, RT_FILE_HEADER_SIZE);
	put64(b, attr_size + 16);
	put64(b, RT_FILE_HEADER_SIZE + 8 * count);
	put64(b, (uint64_t)count * (attr_size + 16));
	for (i = 0; i < 8; i++)
		put64(b, 0); /* data, event types, features: set by end_file() */
	for (i = 0; i < count; i++)
		put64(b, i + 1);
	for (i = 0; i < count; i++) {
		put_attr(b, &attrs[i], attr_size);
		put64(b, RT_FILE_HEADER_SIZE + 8 * i);
		put64(b, 8);
	}
	set64(b, 40, b->size);
}

static inline uint64_t data_offset(const struct build *b)
{
	uint64_t v;

	memcpy(&v, b->data + 40, sizeof(v));
	return b->swap ? __builtin_bswap64(v) : v;
}

struct feature {
	unsigned number;
	const void *data;
	size_t size;
};

/* Close the data and add header features, in the order of their numbers. */
static inline void end_file(struct build *b, const struct feature *f, unsigned count)
{
	size_t table, i;
	uint64_t bits = 0;

	set64(b, 48, b->size - data_offset(b));
	table = b->size;
	for (i = 0; i < 2 * count; i++)
		put64(b, 0);
	for (i = 0; i < count; i++) {
		bits |= 1ULL << f[i].number;
		set64(b, table + 16 * i, b->size);
		set64(b, table + 16 * i + 8, f[i].size);
		put(b, f[i].data, f[i].size);
	}
	set64(b, 72, bits);
}

/* A path that opens to these bytes; close the descriptor when done. */
static inline int memory_file(const void *data, size_t size, char path[64])
{
	int fd = memfd_create("perf.data", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
		perror("memfd");
		exit(1);
	}
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

#endif
