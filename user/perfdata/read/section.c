// SPDX-License-Identifier: GPL-2.0
/*
 * section.c - where the sections of a file's header are, and what they hold as it is, for writers that
 * take them over.
 *
 * The table stands behind the records.  A raw recording that was cut has lost it.  But ringtail writes
 * the sections that it knows from the beginning in front of the records, and a table of them, covered by a
 * record, behind the first one (write/file.c): that one is used for raw recordings.
 */
#include "perfdata/read/internal.h"

#include <unistd.h>

/* Features whose sections are written at the end only. */
#define LATE_FEATURES (1ULL << RT_FEATURE_BUILD_ID | 1ULL << RT_FEATURE_SAMPLE_TIME)

static uint64_t end_of_data(const struct rt_reader *r)
{
	return r->header.data.size ? r->header.data.offset + r->header.data.size : 0;
}

/* The position of a feature in the table, by the bits in the header. */
static unsigned place_of(const struct rt_reader *r, unsigned feature)
{
	unsigned i, n = 0;

	for (i = 0; i < feature; i++)
		n += rt_env_has(&r->env, i);
	return n;
}

/* Read what an entry of a table points to; false if that is not in the file. */
static bool load(const struct rt_reader *r, uint64_t entry, struct rt_file_section *s)
{
	const struct rt_data_file *src = &r->sources[0];

	if (entry > src->map_size || src->map_size - entry < sizeof(*s))
		return false;
	memcpy(s, src->map + entry, sizeof(*s));
	return s->offset <= src->map_size && s->size <= src->map_size - s->offset;
}

/* The build-ids of the last table, which a file that was cut has lost. */
static void read_build_ids(struct rt_reader *r)
{
	uint64_t table = end_of_data(r);
	struct rt_file_section s;

	r->lacks_build_ids =
		rt_env_has(&r->env, RT_FEATURE_BUILD_ID) &&
		(!table || !load(r, table + place_of(r, RT_FEATURE_BUILD_ID) * sizeof(s), &s) ||
		 rt_reader_take_build_ids(r, &s));
}

bool rt_reader_lacks_build_ids(const struct rt_reader *r)
{
	return r->lacks_build_ids;
}

/* Everything else that a checkpoint's table names lies in front of the records. */
bool rt_reader_find_build_ids(const struct rt_reader *r, uint64_t table, struct rt_file_section *s)
{
	return load(r, table + place_of(r, RT_FEATURE_BUILD_ID) * sizeof(*s), s) &&
	       s->offset > r->header.data.offset && s->size;
}

int rt_reader_take_build_ids(struct rt_reader *r, const struct rt_file_section *s)
{
	return rt_feature_read(r, RT_FEATURE_BUILD_ID, r->sources[0].map + s->offset, s->size);
}

bool rt_sections_are_whole(int fd, uint64_t size)
{
	struct rt_file_section s;
	struct rt_file_header h;
	uint64_t at;
	unsigned f;

	if (pread(fd, &h, sizeof(h), 0) != sizeof(h) || !h.data.size || h.data.offset > size ||
	    h.data.size > size - h.data.offset)
		return false;
	at = h.data.offset + h.data.size;
	for (f = 0; f < RT_FEATURE_BITS; f++) {
		if (!(h.features[f / 64] >> (f % 64) & 1))
			continue;
		if (pread(fd, &s, sizeof(s), at) != sizeof(s) || s.offset > size ||
		    s.size > size - s.offset)
			return false;
		at += sizeof(s);
	}
	return true;
}

uint64_t rt_section_table(struct rt_reader *r)
{
	const struct rt_data_file *src = &r->sources[0];
	struct rt_perf_record_header cover;
	uint64_t at;

	if (!r->opt.raw || r->swapped)
		return end_of_data(r);
	read_build_ids(r);
	r->env.features[0] &= ~LATE_FEATURES;
	at = r->header.data.offset + sizeof(struct rt_perf_record_note);
	if (at > src->map_size || src->map_size - at < sizeof(cover))
		return 0;
	memcpy(&cover, src->map + at, sizeof(cover));
	return cover.type == RT_PERF_RECORD_HEADER_EVENT_TYPE ? at + sizeof(cover) : 0;
}

const void *rt_reader_section(const struct rt_reader *r, unsigned feature, size_t *size)
{
	struct rt_file_section s;

	if (r->pipe || r->swapped || !r->table || !rt_env_has(&r->env, feature) ||
	    r->env.broken[feature / 64] >> (feature % 64) & 1 ||
	    !load(r, r->table + place_of(r, feature) * sizeof(s), &s))
		return NULL;
	*size = s.size;
	return r->sources[0].map + s.offset;
}

uint64_t rt_reader_data_offset(const struct rt_reader *r)
{
	return r->header.data.offset;
}
