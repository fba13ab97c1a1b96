/* SPDX-License-Identifier: GPL-2.0 */
/*
 * field.h - the values of a tracepoint's fields, read from the raw data of a sample.
 *
 * Every read is checked against the size of the data: offsets and lengths come from the file.
 *
 * This folder: streams of events that are paired or summed.  May use: base, perfdata,
 * perfdata/read; libtraceevent.
 */
#ifndef RT_ANALYSIS_FIELD_H
#define RT_ANALYSIS_FIELD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "perfdata/read/sample.h"

struct tep_format_field;

/* The field NAME of a tracepoint; NULL if it has none or its format is unknown. */
const struct tep_format_field *rt_field_find(const struct rt_perf_event *event, const char *name);

/* Whether the event is the tracepoint SYSTEM:NAME. */
bool rt_field_is_tracepoint(const struct rt_perf_event *event, const char *system,
			    const char *name);

/* Read an integer, signed ones extended; false if the field is no integer or not in the data. */
bool rt_field_number(const struct tep_format_field *f, const struct rt_sample *s, bool swapped,
		     uint64_t *value);

/* A number of 4 or 8 bytes that can be read as it is. */
struct rt_field_plain {
	uint32_t offset;
	uint8_t size; /* 0: the field is no such number */
	bool is_signed;
};

struct rt_field_plain rt_field_plain(const struct tep_format_field *f, bool swapped);

/* Where it ends: the raw data of a sample must be as long. */
static inline size_t rt_field_plain_end(const struct rt_field_plain *p)
{
	return (size_t)p->offset + p->size;
}

static inline uint64_t rt_field_plain_read(const struct rt_field_plain *p, const void *raw)
{
	const char *at = (const char *)raw + p->offset;
	uint64_t number;
	uint32_t half;

	if (p->size == 8) {
		memcpy(&number, at, 8);
		return number;
	}
	memcpy(&half, at, 4);
	return p->is_signed ? (uint64_t)(int32_t)half : half;
}

/* The bytes of a string up to its NUL; false if the field is no string or not in the data. */
bool rt_field_string(const struct tep_format_field *f, const struct rt_sample *s, bool swapped,
		     const char **text, size_t *len);

#endif
