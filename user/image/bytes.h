/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bytes.h - the bytes of a dump: a file as it is, or the file that a flattened one stands for.
 */
#ifndef RT_IMAGE_BYTES_H
#define RT_IMAGE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct rt_bytes {
	/*
	 * Return how many bytes from AT on could be read.  Less than asked: the next byte is
	 * missing.
	 */
	size_t (*read)(struct rt_bytes *b, uint64_t at, void *to, size_t bytes);
	/* Return the first place from AT on that is not in a hole, or the size.  NULL: no holes. */
	uint64_t (*next)(struct rt_bytes *b, uint64_t at);
	void (*close)(struct rt_bytes *b); /* also frees it */
	uint64_t size;			   /* UINT64_MAX: not known */
};

int rt_bytes_open(const char *path, struct rt_bytes **out, struct rt_err *err);

/* The same of a descriptor, which it owns from now on; NULL: out of memory. */
struct rt_bytes *rt_bytes_of(int fd);

/* Whether the file is flattened: its first bytes are those of `makedumpfile -F`. */
bool rt_bytes_is_flat(struct rt_bytes *b);
/* The file that the flattened one stands for.  On success it owns FROM. */
int rt_bytes_flat(struct rt_bytes *from, struct rt_bytes **out, struct rt_err *err);

/* The first place from AT on where reading may succeed. */
static inline uint64_t rt_bytes_next(struct rt_bytes *b, uint64_t at)
{
	return b->next ? b->next(b, at) : at;
}

/* Read all of it. */
bool rt_bytes_get(struct rt_bytes *b, uint64_t at, void *to, size_t bytes);

#endif
