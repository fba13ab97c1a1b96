/* SPDX-License-Identifier: GPL-2.0 */
/*
 * memory.h - the physical memory in a dump, whatever the dump's format.
 *
 * Nothing is loaded: a dump may be larger than this machine's memory.  The dump is not trusted;
 * whatever it holds, reading it ends and stays inside it.
 *
 * This folder: dumps, and rings in them.  It does not depend on the machine that reads.  May use:
 * base, uapi, agent; zlib, zstd, libkdumpfile.
 */
#ifndef RT_IMAGE_MEMORY_H
#define RT_IMAGE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "image/bytes.h"

#define RT_IMAGE_PAGE 4096U /* the smallest page of a machine */

struct rt_memory;

/* FIRST are the first 8 bytes of the page at PHYS.  A negative errno ends the scan. */
typedef int rt_memory_look(void *arg, uint64_t phys, uint64_t first);

struct rt_memory_ops {
	/* Look at every page that the dump holds. */
	int (*scan)(struct rt_memory *m, rt_memory_look *look, void *arg);
	/* Return how many bytes from PHYS on could be read. */
	size_t (*read)(struct rt_memory *m, uint64_t phys, void *to, size_t bytes);
	/* Whether the machine had memory there, be it missing in the dump or not. */
	bool (*has)(struct rt_memory *m, uint64_t phys);
	void (*close)(struct rt_memory *m);
};

struct rt_memory {
	const struct rt_memory_ops *ops;
	char format[64];  /* in words */
	uint64_t pages;	  /* pages looked at by the scan */
	uint64_t missing; /* pages that the dump lists but does not hold; known after the scan */
	bool live;	  /* the machine still runs and changes it */
};

/* Open a dump.  Several paths are the parts of one split dump. */
int rt_memory_open(const char *const *path, size_t paths, struct rt_memory **out,
		   struct rt_err *err);
/* The same for bytes, which the memory owns from now on, also on failure. */
int rt_memory_of(struct rt_bytes *const *bytes, size_t count, bool live, struct rt_memory **out,
		 struct rt_err *err);

/* Ranges of memory, each at some place among the bytes: ELF files and raw images. */
struct rt_extents;

struct rt_extents *rt_extents_new(struct rt_bytes *bytes, const char *format);
/* FILLED of the bytes are in the file, the rest are zero.  0 or -ENOMEM. */
int rt_extents_add(struct rt_extents *r, uint64_t phys, uint64_t at, uint64_t filled,
		   uint64_t bytes);
/* When all are added.  Ranges may overlap. */
struct rt_memory *rt_extents_memory(struct rt_extents *r);

/* Formats: return 0, a negative errno with ERR, or 1 if BYTES are of another format. */
int rt_memory_elf(struct rt_bytes *bytes, bool live, struct rt_memory **out, struct rt_err *err);
int rt_memory_kdump(struct rt_bytes *const *bytes, size_t count, struct rt_memory **out,
		    struct rt_err *err);
int rt_memory_raw(struct rt_bytes *bytes, struct rt_memory **out, struct rt_err *err);
/* Everything that libkdumpfile reads; 1 also if ringtail was built without it. */
int rt_memory_library(const char *path, struct rt_memory **out, struct rt_err *err);

#endif
