/* SPDX-License-Identifier: GPL-2.0 */
/*
 * codefile.h - the bytes of an object as they were mapped, for unwinding.
 *
 * Shared by all threads: opened once, then only read.
 */
#ifndef RT_SYMBOLS_CODEFILE_H
#define RT_SYMBOLS_CODEFILE_H

#include "symbols/elffile.h"
#include "symbols/object.h"

struct rt_codefile {
	struct rt_elf elf; /* elf.elf is NULL when the object has no code to read */
	const char *path;  /* NULL: in memory */
	const char *bytes;
	size_t size;
	bool is_vdso;	    /* mapped from no file: offsets of mappings mean nothing */
	bool mapped;	    /* bytes are an mmap, else malloc'd */
	bool has_frame_hdr; /* the three below are valid */
	uint64_t frame_hdr_vaddr;
	uint64_t frame_table_vaddr; /* binary search table in .eh_frame_hdr */
	uint64_t frame_count;
	uint64_t first_vaddr; /* of the first loaded segment */
	struct rt_segment *segment;
	unsigned int segments;
};

/* Never NULL but without memory.  Owned by the object. */
const struct rt_codefile *rt_codefile_of(struct rt_object *obj);
void rt_codefile_free(struct rt_codefile *c);

/* Up to `size` bytes at a virtual address of the file; false when not all are there. */
bool rt_codefile_read(const struct rt_codefile *c, uint64_t vaddr, void *to, size_t size);

/* What to subtract from an ip in the mapping to get the file's virtual address. */
uint64_t rt_codefile_bias(const struct rt_codefile *c, uint64_t start, uint64_t pgoff);

#endif
