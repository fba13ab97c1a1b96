/* SPDX-License-Identifier: GPL-2.0 */
/* file.h - read small files in one go, as /proc and /sys require. */
#ifndef RT_BASE_FILE_H
#define RT_BASE_FILE_H

#include <stddef.h>

/*
 * Read at most LIMIT bytes of PATH into a new buffer, which the caller frees; a NUL follows the
 * last byte.  Returns 0 or a negative errno (-EFBIG if there is more than LIMIT).
 */
int rt_file_read(const char *path, size_t limit, char **data, size_t *size);

/* Read the first line of PATH without its newline, cut to fit; 0 or a negative errno. */
int rt_file_line(const char *path, char *line, size_t size);

/*
 * Write a whole file.  A regular file gets its new contents at once or keeps the old ones; a pipe or
 * a device is written to.  0 or a negative errno.
 */
int rt_file_write(const char *path, const char *data, size_t size);

/* Whether PATH exists. */
int rt_file_exists(const char *path);

/* Whether PATH may exist but access to it is denied. */
int rt_file_forbidden(const char *path);

#endif
