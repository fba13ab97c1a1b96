/* SPDX-License-Identifier: GPL-2.0 */
/* buildid.h - the build-id, which identifies the contents of a binary. */
#ifndef RT_BASE_BUILDID_H
#define RT_BASE_BUILDID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* perf keeps 20 bytes and cuts a longer note; so do we. */
#define RT_BUILDID_MAX 20
#define RT_BUILDID_HEX (2 * RT_BUILDID_MAX + 1)

struct rt_buildid {
	uint8_t len; /* 0: none known */
	uint8_t data[RT_BUILDID_MAX];
};

/* Cut or pad `len` bytes into an id; all-zero bytes mean "none". */
void rt_buildid_set(struct rt_buildid *id, const void *data, size_t len);

bool rt_buildid_equal(const struct rt_buildid *a, const struct rt_buildid *b);

/* Write lower-case hex and a NUL to `out`; return `out`. */
const char *rt_buildid_hex(const struct rt_buildid *id, char out[RT_BUILDID_HEX]);

/* Parse hex digits; -EINVAL if `text` is anything else. */
int rt_buildid_parse(struct rt_buildid *id, const char *text);

/* Find the id in ELF notes of this machine's byte order; -ENOENT if there is none. */
int rt_buildid_in_notes(struct rt_buildid *id, const void *notes, size_t size);

#endif
