/* SPDX-License-Identifier: GPL-2.0 */
/* pending.h - one line of the output that is still to be formatted. */
#ifndef RT_SCRIPT_PENDING_H
#define RT_SCRIPT_PENDING_H

#include "script/print/script.h"

/*
 * What the reading thread passes on about a sample.  It is small, because it moves from one
 * processor's cache to another's.  The formatting thread parses the sample, unless the reading
 * thread already had to: then `sample` holds the result and the record is not parsed again.
 */
struct rt_pending {
	const struct rt_perf_event *event; /* NULL: print `text` as it is */
	const struct rt_perf_record_header *hdr;
	struct rt_block *block;
	const struct rt_perf_event *layout; /* the record's event; may differ from it in a group */
	uint64_t offset;
	uint64_t time; /* this and the following as in struct rt_item */
	const char *comm;
	struct rt_maps *maps;
	int data_src_width;
	uint32_t fetch; /* so many bytes of the record are read by the one who formats it */
	union {
		struct rt_sample *sample; /* or NULL; freed after printing */
		struct {
			char *text; /* freed after printing */
			size_t len;
		};
	};
};

#endif
