/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cache_file.h - files in HOME/.cache/ringtail.
 *
 * Whoever keeps something there works without it, too: if the folder is missing, of another user or
 * full, nothing is kept.  Two programs may write the same file at once.
 */
#ifndef RT_HOST_CACHE_FILE_H
#define RT_HOST_CACHE_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct rt_cache_part {
	const void *data;
	size_t size;
};

/*
 * The path of the file NAME; `make`: create missing folders.  False if HOME or the folder is not this
 * user's.
 */
bool rt_cache_path(const char *home, bool make, const char *name, char *path, size_t size);

/* Map a file of at most LIMIT bytes that only this user can write; NULL if there is none. */
void *rt_cache_map(const char *path, size_t limit, size_t *size);

/* Write the parts, one after another; a reader sees the old file or the new one. */
bool rt_cache_write(const char *home, const char *name, const struct rt_cache_part *parts,
		    size_t count);

/* Of the files whose names begin with PREFIX keep the COUNT that were written last. */
void rt_cache_trim(const char *home, const char *prefix, size_t count);

#endif
