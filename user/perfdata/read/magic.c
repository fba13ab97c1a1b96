// SPDX-License-Identifier: GPL-2.0
/* magic.c - which kind of file this is, by its first bytes, and in which byte order. */
#include "perfdata/read/internal.h"

#include <errno.h>

#include "perfdata/raw.h"

static const unsigned legacy_attr_sizes[] = { 64, 72, 80, 96, 104 };

/* The old magic has the same bytes in either order, so use the attr size to decide. */
static int legacy_order(struct rt_reader *r, uint64_t attr_size, uint64_t size)
{
	size_t i;

	if (size == RT_PIPE_HEADER_SIZE)
		return 0;
	if (__builtin_bswap64(size) == RT_PIPE_HEADER_SIZE) {
		r->swapped = true;
		return 0;
	}
	for (i = 0; i < sizeof(legacy_attr_sizes) / sizeof(legacy_attr_sizes[0]); i++) {
		uint64_t want = legacy_attr_sizes[i] + sizeof(struct rt_file_section);

		if (attr_size == want)
			return 0;
		if (__builtin_bswap64(attr_size) == want) {
			r->swapped = true;
			return 0;
		}
	}
	return -EBADMSG;
}

/* A raw recording where it cannot be expanded. */
static int refuse_raw(const struct rt_reader *r, struct rt_err *err)
{
	const struct rt_data_file *src = &r->sources[0];

	if (src->pipe)
		return rt_err_set(err, EBADMSG,
				  "%s carries a raw recording, which cannot be read from a pipe; "
				  "save it to a file first%s",
				  src->path,
				  r->opt.raw ? "" :
					       ", or send what 'ringtail data FILE -o -' writes");
	return rt_err_set(err, EBADMSG,
			  "%s is a raw recording, which is read by the name of its file only; use "
			  "-i FILE",
			  src->path);
}

int rt_magic_check(struct rt_reader *r, const struct rt_file_header *h, struct rt_err *err)
{
	static const char legacy[8] = { 'P', 'E', 'R', 'F', 'F', 'I', 'L', 'E' };
	const char *path = r->sources[0].path;
	bool takes_raw = r->opt.raw || r->unexpanded;

	r->header_version = 1; /* perf counts versions from 0 */
	if (!memcmp(&h->magic, legacy, sizeof(legacy))) {
		r->header_version = 0;
		if (!legacy_order(r, h->attr_size, h->size))
			return 0;
		return rt_err_set(err, EBADMSG,
				  "%s has the header of a very old perf, of no known layout", path);
	}
	if (h->magic == RT_RAW_MAGIC && (r->sources[0].pipe || !takes_raw))
		return refuse_raw(r, err);
	if (h->magic == (takes_raw ? RT_RAW_MAGIC : RT_MAGIC2))
		return 0;
	if (r->opt.raw)
		return rt_err_set(err, EBADMSG, "%s is not a raw recording (record --raw)", path);
	if (h->magic == RT_MAGIC2_SWAPPED) {
		r->swapped = true;
		return 0;
	}
	return rt_err_set(err, EBADMSG,
			  "%s is not a perf.data file (it does not begin with PERFILE2)", path);
}
