/* SPDX-License-Identifier: GPL-2.0 */
/*
 * readahead.h - read a file in pieces with another thread while this one parses them.
 *
 * For files that take the kernel as long to produce as they take us to parse: the kernel generates
 * /proc/kallsyms while it is read.  If the caller finds what it needs in the first piece, no thread
 * is started.
 */
#ifndef RT_BASE_READAHEAD_H
#define RT_BASE_READAHEAD_H

#include <stddef.h>

#define RT_READAHEAD_FRONT 4096 /* writable bytes in front of each piece, and one behind it */

struct rt_readahead;

/* NULL, and a negative errno in *err, if the file cannot be opened. */
struct rt_readahead *rt_readahead_open(const char *path, int *err);
void rt_readahead_close(struct rt_readahead *r);

/* The next piece, valid until the next call; NULL at the end or after an error. */
char *rt_readahead_next(struct rt_readahead *r, size_t *len);

/* 0, or the negative errno of a failed read. */
int rt_readahead_error(const struct rt_readahead *r);

#endif
