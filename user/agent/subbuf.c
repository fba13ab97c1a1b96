// SPDX-License-Identifier: GPL-2.0
#include "agent/subbuf.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

enum {
	WORD = sizeof(__u32),
	HEADER = RT_RECORD_HEADER / WORD,
	EXTENDED = RT_RECORD_EXTENDED / WORD,
	CLAIM_TIME = 32, /* where the time begins in struct rt_subbuf's claim */
};

int rt_subbuf_open(struct rt_subbuf_reader *r, const void *bytes, size_t len, struct rt_err *err)
{
	const struct rt_subbuf *head = bytes;

	memset(r, 0, sizeof(*r));
	if (len < sizeof(*head) || (uintptr_t)bytes % 8)
		return rt_err_set(err, EINVAL,
				  "no sub-buffer: %zu bytes are too few for its header", len);
	if (head->magic == __builtin_bswap64(RT_SUBBUF_MAGIC))
		return rt_err_set(
			err, EINVAL,
			"a sub-buffer of the other byte order: read it on such a machine");
	if (head->magic != RT_SUBBUF_MAGIC)
		return rt_err_set(err, EINVAL,
				  "no sub-buffer: its first bytes are not the magic number");
	if (head->abi_major != RT_ABI_MAJOR)
		return rt_err_set(
			err, EINVAL,
			"sub-buffer of ABI %u.%u, this program reads %u: use the ringtail that fits",
			head->abi_major, head->abi_minor, RT_ABI_MAJOR);
	if (head->bytes < RT_SUBBUF_BYTES_MIN || head->bytes > RT_SUBBUF_BYTES_MAX ||
	    (head->bytes & (head->bytes - 1)))
		return rt_err_set(err, EINVAL, "damaged sub-buffer: it claims to be %u bytes long",
				  head->bytes);
	if (head->bytes > len)
		return rt_err_set(err, EINVAL, "sub-buffer cut short: %zu of %u bytes", len,
				  head->bytes);

	r->seq = __atomic_load_n(&head->seq, __ATOMIC_ACQUIRE); /* A */
	if (r->seq == RT_SEQ_NONE)
		return rt_err_set(err, EINVAL, "a sub-buffer that holds nothing yet");
	r->head = head;
	r->word = bytes;
	r->words = head->bytes / WORD;
	r->at = sizeof(*head) / WORD;
	r->start = head->start;
	return 0;
}

bool rt_subbuf_began(const struct rt_subbuf *sub, __u64 seq)
{
	return __atomic_load_n(&sub->seq, __ATOMIC_ACQUIRE) == seq; /* A */
}

static bool damaged(struct rt_subbuf_reader *r)
{
	r->damaged = true;
	r->at = r->words;
	return false;
}

/* Step over the record with this `head`; true if the record is to be returned. */
static inline bool step(struct rt_subbuf_reader *r, __u32 head, struct rt_record *rec)
{
	__u32 size = (head & RT_RECORD_SIZE) / WORD, header = HEADER;
	const __u32 *word = r->word + r->at;

	if (!size || size > r->words - r->at || !(head & RT_RECORD_STATE))
		return damaged(r);
	switch (head & RT_RECORD_STATE) {
	case RT_RECORD_PENDING:
		r->at += size;
		r->pending++;
		return false;
	case RT_RECORD_CANCELLED:
		r->at += size;
		r->cancelled++;
		return false;
	}
	if (size < HEADER)
		return damaged(r);
	if (word[1] != RT_RECORD_TIME_EXT) {
		rec->time = r->start + word[1];
	} else if (size >= EXTENDED) {
		header = EXTENDED;
		memcpy(&rec->time, word + HEADER, sizeof(rec->time));
	} else {
		return damaged(r);
	}
	r->at += size;
	r->records++;
	rec->id = head >> RT_RECORD_ID_SHIFT;
	rec->payload = word + header;
	rec->bytes = (size - header) * WORD;
	return true;
}

bool rt_subbuf_next(struct rt_subbuf_reader *r, struct rt_record *rec)
{
	while (r->at < r->words) {
		__u32 head = r->word[r->at];

		if (!head)
			r->at++;
		else if (step(r, head, rec))
			return true;
	}
	return false;
}

static inline enum rt_live next_live(struct rt_subbuf_reader *r, struct rt_record *rec,
				     bool complete)
{
	while (r->at < r->words) {
		__u32 head = __atomic_load_n(&r->word[r->at], __ATOMIC_ACQUIRE); /* B */

		if (!complete && (head & RT_RECORD_STATE) <= RT_RECORD_PENDING)
			return RT_LIVE_WAIT;
		if (!head)
			r->at++;
		else if (step(r, head, rec))
			return RT_LIVE_RECORD;
	}
	return complete ? RT_LIVE_END : RT_LIVE_WAIT;
}

bool rt_subbuf_complete(const struct rt_subbuf_reader *r)
{
	__u64 commit = __atomic_load_n(&r->head->commit, __ATOMIC_ACQUIRE); /* C */

	return RT_SUBBUF_COMMITTED(commit) == (__u64)r->words * WORD;
}

__u64 rt_subbuf_last(const struct rt_subbuf_reader *r)
{
	__u64 after = r->head->claim >> CLAIM_TIME, last = r->start + after;
	struct rt_subbuf_reader rest = *r;
	struct rt_record rec;

	/* The writers keep the time in the claim, unless it is too far from the start. */
	if (after == RT_RECORD_TIME_EXT)
		while (rt_subbuf_next(&rest, &rec))
			last = rec.time > last ? rec.time : last;
	return last;
}

enum rt_live rt_subbuf_next_live(struct rt_subbuf_reader *r, struct rt_record *rec)
{
	return next_live(r, rec, rt_subbuf_complete(r));
}

unsigned int rt_subbuf_fill_live(struct rt_subbuf_reader *r, struct rt_record *rec,
				 unsigned int max)
{
	struct rt_subbuf_reader local =
		*r; /* what is in memory, the compiler would store each time */
	bool whole = rt_subbuf_complete(r);
	unsigned int n = 0;

	while (n < max && next_live(&local, rec + n, whole) == RT_LIVE_RECORD)
		n++;
	*r = local;
	return n;
}
