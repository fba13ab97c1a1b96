/* SPDX-License-Identifier: GPL-2.0 */
/* size.h - sizes as people type them: 512, 64K, 8M, 1G. */
#ifndef RT_BASE_SIZE_H
#define RT_BASE_SIZE_H

#include <stdint.h>

struct rt_size {
	uint64_t number;
	int shift; /* of the unit: 0 for B, 10 for K, 20 for M, 30 for G; -1: there is no unit */
};

/* A number of more than 0 with at most one letter behind it; 0 or -EINVAL. */
int rt_size_parse(struct rt_size *size, const char *text);

#endif
