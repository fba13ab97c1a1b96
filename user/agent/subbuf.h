/* SPDX-License-Identifier: GPL-2.0 */
/*
 * subbuf.h - the records of one sub-buffer.
 *
 * The bytes may come from anywhere (a memory image, a file, the mapped ring) and
 * are believed in nothing: whatever they are, reading stays inside them and ends.
 * A live sub-buffer, one that a CPU still writes to, is read with the barriers
 * that module/ring.c names by letter.
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
	__u32 at; /* next head's place, in words */
	__u64 start;
	__u64 seq;

	/* What was met so far. */
	__u64 records;
	__u64 discarded;
	__u64 pending;
	bool damaged; /* a header that cannot be: the rest is not read */
};

/* -EINVAL with the reason when these bytes are no sub-buffer; `bytes` is aligned to 8. */
int rt_subbuf_open(struct rt_subbuf_reader *r, const void *bytes, size_t len, struct rt_err *err);

/* The next committed record of memory that nobody writes to any more.  False at the end. */
bool rt_subbuf_next(struct rt_subbuf_reader *r, struct rt_record *rec);

enum rt_live {
	RT_LIVE_RECORD, /* one record */
	RT_LIVE_WAIT,	/* none now, more may come */
	RT_LIVE_END,	/* none, and none will come */
};

/* The same while the CPU writes.  Stops at what is not committed yet, so that order is kept. */
enum rt_live rt_subbuf_next_live(struct rt_subbuf_reader *r, struct rt_record *rec);

/* Has sub-buffer `seq` begun?  Then it may be opened and read live. */
bool rt_subbuf_began(const struct rt_subbuf *sub, __u64 seq);

#endif
