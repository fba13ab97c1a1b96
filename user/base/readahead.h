/* SPDX-License-Identifier: GPL-2.0 */
/*
 * readahead.h - a file in pieces, read by another thread while this one looks at them.
 *
 * For files whose reading takes the kernel as long as it takes us to understand them:
 * /proc/kallsyms is made while it is read.  Who finds what he wants in the first piece
 * never starts a thread.
 */
#ifndef RT_BASE_READAHEAD_H
#define RT_BASE_READAHEAD_H

#include <stddef.h>

#define RT_READAHEAD_FRONT 4096 /* writable bytes in front of each piece, and one behind it */

struct rt_readahead;

/* NULL, and a negative errno in *err, when the file cannot be opened. */
struct rt_readahead *rt_readahead_open(const char *path, int *err);
void rt_readahead_close(struct rt_readahead *r);

/* The next piece, valid until the next call; NULL at the end or when reading failed. */
char *rt_readahead_next(struct rt_readahead *r, size_t *len);

/* 0, or the negative errno with which reading failed. */
int rt_readahead_error(const struct rt_readahead *r);

#endif
