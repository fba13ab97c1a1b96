/* SPDX-License-Identifier: GPL-2.0 */
/*
 * raw.h - the layout of raw recordings (`record --raw`): a perf.data file with another magic number,
 * whose samples are still pieces of the ring's sub-buffers.  docs/raw-format.md describes it.
 *
 * Header, attributes, sections, checkpoints, side-band records, losses and notes are those of a
 * perf.data file.  Two types of records come in addition; both have a magic number where notes have
 * theirs, so that a reader finds the next one behind damage.
 */
#ifndef RT_PERFDATA_RAW_H
#define RT_PERFDATA_RAW_H

#include "perfdata/layout.h"

#define RT_RAW_MAGIC 0x31574152474e4952ULL /* "RINGRAW1", read in little endian */

/* Types of records; perf has none of them. */
#define RT_RAW_RECORD_EVENT 0x52540001U
#define RT_RAW_RECORD_PIECE 0x52540002U

#define RT_RAW_EVENT_MAGIC 0x544e5645474e4952ULL /* "RINGEVNT" */
#define RT_RAW_PIECE_MAGIC 0x43454950474e4952ULL /* "RINGPIEC" */

/* What the records of an event hold.  One for each event of the session, before the first piece. */
struct rt_raw_event {
	struct rt_perf_record_header hdr;
	uint64_t magic;
	uint32_t id;	  /* in the records */
	uint32_t event;	  /* number of its attribute, from 0 */
	uint32_t carry;	  /* RT_CARRY_* */
	uint32_t flags;	  /* RT_RAW_COUNTER */
	uint32_t address; /* which word of its fields is its address; 0: none */
	uint32_t reserved;
	uint64_t checksum; /* of this struct with a checksum of 0 */
};

#define RT_RAW_COUNTER (1U << 0) /* its fields are struct rt_counter_fields */

/*
 * Bytes FROM to TO of sub-buffer SEQ of a CPU follow this record, and zeros up to a multiple of 8.  The
 * pieces of a CPU are in order.
 */
struct rt_raw_piece {
	struct rt_perf_record_header hdr;
	uint64_t magic;
	uint32_t cpu;
	uint32_t from, to; /* multiples of 4; 0: the head of the sub-buffer comes first */
	uint32_t reserved;
	uint64_t seq;
	uint64_t start; /* of the sub-buffer: records have times relative to it */
	uint64_t last;	/* the time of the last record, or of one behind it that was cancelled */
	uint64_t records;
	uint64_t checksum; /* of this struct with a checksum of 0 */
};

/* The checksum of a struct whose size is a multiple of 8. */
static inline uint64_t rt_raw_checksum(const void *data, size_t size)
{
	const uint64_t *word = (const uint64_t *)data;
	uint64_t sum = 0x9e3779b97f4a7c15ULL;

	for (; size >= sizeof(*word); size -= sizeof(*word), word++) {
		sum = (sum ^ *word) * 0xff51afd7ed558ccdULL;
		sum ^= sum >> 32;
	}
	return sum;
}

#endif
