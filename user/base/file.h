/* SPDX-License-Identifier: GPL-2.0 */
/*
 * file.h - read small files whole, the way /proc and /sys want to be read.
 */
#ifndef RT_BASE_FILE_H
#define RT_BASE_FILE_H

#include <stddef.h>

/*
 * Read at most LIMIT bytes of PATH into a fresh buffer that the caller frees; a
 * NUL follows the last byte.  Returns 0 or a negative errno (-EFBIG when there
 * is more than LIMIT).
 */
int rt_file_read(const char *path, size_t limit, char **data, size_t *size);

/* The first line of PATH without its newline, cut to fit; 0 or a negative errno. */
int rt_file_line(const char *path, char *line, size_t size);

/* Whether PATH is there at all. */
int rt_file_exists(const char *path);

#endif
