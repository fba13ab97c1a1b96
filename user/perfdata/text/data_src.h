/* SPDX-License-Identifier: GPL-2.0 */
/* data_src.h - where an access to memory found its data (PERF_SAMPLE_DATA_SRC), in perf's words. */
#ifndef RT_PERFDATA_TEXT_DATA_SRC_H
#define RT_PERFDATA_TEXT_DATA_SRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which perf prints them. */
enum rt_data_src_part {
	RT_DATA_SRC_LEVEL, /* of caches, or memory */
	RT_DATA_SRC_SNOOP,
	RT_DATA_SRC_TLB,
	RT_DATA_SRC_LOCK,
	RT_DATA_SRC_BLOCK, /* what a blocked access waited for */
};

#define RT_DATA_SRC_MAX 256 /* bytes of the longest text */

/* The bits by which perf tells two values of a part apart. */
uint64_t rt_data_src_bits(enum rt_data_src_part part, uint64_t src);
void rt_data_src_part(enum rt_data_src_part part, uint64_t src, char *out, size_t size);

/* All parts, as perf script prints them; returns the length. */
int rt_data_src_text(uint64_t src, char *out, size_t size);

#endif
