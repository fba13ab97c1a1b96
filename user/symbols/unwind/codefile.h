/* SPDX-License-Identifier: GPL-2.0 */
/*
 * codefile.h - the bytes of an object as they were mapped, for unwinding.
 *
 * All threads share it: it is opened once, then only read.
 */
#ifndef RT_SYMBOLS_UNWIND_CODEFILE_H
#define RT_SYMBOLS_UNWIND_CODEFILE_H

#include "symbols/elffile.h"
#include "symbols/object.h"

struct rt_cfi;

struct rt_codefile {
	struct rt_elf elf; /* elf.elf is NULL if the object has no readable code */
	const char *path;  /* NULL: in memory */
	const char *bytes;
	size_t size;
	bool is_vdso;	    /* not mapped from a file: offsets of mappings are meaningless */
	bool mapped;	    /* bytes come from mmap, otherwise from malloc */
	bool has_frame_hdr; /* the three below are valid */
	uint64_t frame_hdr_vaddr;
	uint64_t frame_table_vaddr; /* binary search table in .eh_frame_hdr */
	uint64_t frame_count;
	uint64_t first_vaddr; /* of the first loaded segment */
	struct rt_segment *segment;
	unsigned int segments;
	struct rt_cfi *cfi; /* NULL: no file, or no memory */
};

/* NULL only if there is no memory.  The object owns it. */
const struct rt_codefile *rt_codefile_of(struct rt_object *obj);

/* Read `size` bytes at a virtual address of the file; false if not all are there. */
bool rt_codefile_read(const struct rt_codefile *c, uint64_t vaddr, void *to, size_t size);

/*
 * The same at an address of a process that maps the file at `start` from file offset `pgoff`: reads
 * what the mapping shows, whichever segment it was made for.
 */
bool rt_codefile_read_mapped(const struct rt_codefile *c, uint64_t addr, uint64_t start,
			     uint64_t pgoff, void *to, size_t size);

/*
 * The difference between an ip in the mapping and the file's virtual address.  It is the same for
 * every ip of the mapping.
 */
uint64_t rt_codefile_bias(const struct rt_codefile *c, uint64_t ip, uint64_t start, uint64_t pgoff);

#endif
