/* SPDX-License-Identifier: GPL-2.0 */
/*
 * section.h - build the bytes of a header section value by value.
 *
 * If a section runs out of memory, it remembers that and ignores the rest, so only the end needs a
 * check.
 */
#ifndef RT_PERFDATA_WRITE_SECTION_H
#define RT_PERFDATA_WRITE_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_section { /* all zero: empty */
	uint8_t *data;
	size_t size, room;
	bool failed; /* no memory */
};

void rt_section_put(struct rt_section *s, const void *data, size_t size);
void rt_section_zero(struct rt_section *s, size_t size);
void rt_section_u8(struct rt_section *s, uint8_t v);
void rt_section_u32(struct rt_section *s, uint32_t v);
void rt_section_u64(struct rt_section *s, uint64_t v);
/* Add the characters and a NUL. */
void rt_section_text(struct rt_section *s, const char *text);
/* Add perf's string: its length in 32 bits, then the characters padded with NULs. */
void rt_section_string(struct rt_section *s, const char *text);
/* Pad to a multiple of 8. */
void rt_section_align(struct rt_section *s);
void rt_section_free(struct rt_section *s);

#endif
