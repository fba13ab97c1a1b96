/* SPDX-License-Identifier: GPL-2.0 */
/*
 * buildid.h - the name of a binary's contents.
 */
#ifndef RT_SYMBOLS_BUILDID_H
#define RT_SYMBOLS_BUILDID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* perf keeps 20 bytes; a longer note is cut there, as perf cuts it. */
#define RT_BUILDID_MAX 20
#define RT_BUILDID_HEX (2 * RT_BUILDID_MAX + 1)

struct rt_buildid {
	uint8_t len; /* 0: none known */
	uint8_t data[RT_BUILDID_MAX];
};

/* Cut or pad `len` bytes into an id; all-zero bytes mean "none". */
void rt_buildid_set(struct rt_buildid *id, const void *data, size_t len);

bool rt_buildid_equal(const struct rt_buildid *a, const struct rt_buildid *b);

/* Lower-case hex with a final NUL into `out`; returns `out`. */
const char *rt_buildid_hex(const struct rt_buildid *id, char out[RT_BUILDID_HEX]);

/* From hex digits; -EINVAL when `text` is anything else. */
int rt_buildid_parse(struct rt_buildid *id, const char *text);

/* The id in an ELF file (compressed modules included); -ENOENT when it carries none. */
int rt_buildid_of_file(struct rt_buildid *id, const char *path);

/* The id in a note file of sysfs: /sys/kernel/notes, /sys/module/X/notes/... */
int rt_buildid_of_notes(struct rt_buildid *id, const char *path);

#endif
