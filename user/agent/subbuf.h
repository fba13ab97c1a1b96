/* SPDX-License-Identifier: GPL-2.0 */
/*
 * subbuf.h - the records of one sub-buffer.
 *
 * The bytes may come from anywhere (a memory image, a file, the mapped ring) and are not trusted:
 * whatever they are, the reader stays inside them and ends.  It reads a live sub-buffer, which a
 * CPU still writes, with the barriers that module/ring/ring_writer.c names by letter.
 */
#ifndef RT_AGENT_SUBBUF_H
#define RT_AGENT_SUBBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "ringtail.h"
#include "base/error.h"

struct rt_record {
	__u64 time;
	const void *payload; /* aligned to 4 */
	__u32 bytes;	     /* of the payload, rounded up to 4 */
	__u16 id;
};

struct rt_subbuf_reader {
	const struct rt_subbuf *head;
	const __u32 *word;
	__u32 words;
	__u32 at; /* position of the next head, in words */
	__u64 start;
	__u64 seq;

	/* Counted so far. */
	__u64 records;
	__u64 cancelled;
	__u64 pending;
	bool damaged; /* invalid header: the rest is not read */
};

/* -EINVAL with the reason if these bytes are not a sub-buffer; `bytes` is aligned to 8. */
int rt_subbuf_open(struct rt_subbuf_reader *r, const void *bytes, size_t len, struct rt_err *err);

/* Return the next committed record of memory that nobody writes any more.  False at the end. */
bool rt_subbuf_next(struct rt_subbuf_reader *r, struct rt_record *rec);

enum rt_live {
	RT_LIVE_RECORD, /* one record */
	RT_LIVE_WAIT,	/* none now, more may come */
	RT_LIVE_END,	/* none, and none will come */
};

/* The same while the CPU writes.  Stops at the first uncommitted record, to keep the order. */
enum rt_live rt_subbuf_next_live(struct rt_subbuf_reader *r, struct rt_record *rec);
/* The same for up to `max` records; return how many there are now. */
unsigned int rt_subbuf_fill_live(struct rt_subbuf_reader *r, struct rt_record *rec,
				 unsigned int max);

/* Whether every byte of it is committed: no CPU writes to it any more. */
bool rt_subbuf_complete(const struct rt_subbuf_reader *r);

/* Of one that is complete: the time of its last record, or of one behind it that was cancelled. */
__u64 rt_subbuf_last(const struct rt_subbuf_reader *r);

/* Whether the CPU has started sub-buffer `seq`.  Then it can be opened and read live. */
bool rt_subbuf_began(const struct rt_subbuf *sub, __u64 seq);

#endif
