// SPDX-License-Identifier: GPL-2.0
#include "agent/live.h"

#include <errno.h>
#include <string.h>

int rt_live_init(struct rt_live_ring *l, const struct rt_ring_status *status,
		 struct rt_ring_control *control, const void *data, size_t data_bytes,
		 struct rt_err *err)
{
	memset(l, 0, sizeof(*l));
	if (status->magic != RT_STATUS_MAGIC || status->abi_major != RT_ABI_MAJOR)
		return rt_err_set(
			err, EINVAL,
			"the module's ring has another format: load the ringtail module that belongs to this program");
	if (status->mode != RT_MODE_DISCARD)
		return rt_err_set(
			err, EINVAL,
			"an overwrite ring cannot be read in place: take its sub-buffers out");
	if (!status->subbufs || data_bytes / status->subbufs < status->subbuf_bytes)
		return rt_err_set(err, EINVAL, "%zu bytes are mapped of a ring of %u times %u",
				  data_bytes, status->subbufs, status->subbuf_bytes);
	l->status = status;
	l->control = control;
	l->data = data;
	l->seq = status->subbufs;
	return 0;
}

static const struct rt_subbuf *current(const struct rt_live_ring *l)
{
	size_t index = l->seq & (l->status->subbufs - 1);

	return (const void *)(l->data + index * l->status->subbuf_bytes);
}

/* Open sub-buffer l->seq if its CPU has started to write it. */
static bool begin(struct rt_live_ring *l, __u64 lost[RT_LOST_CAUSES])
{
	const struct rt_subbuf *sub = current(l);
	int i;

	if (!rt_subbuf_began(sub, l->seq) ||
	    rt_subbuf_open(&l->r, sub, l->status->subbuf_bytes, NULL))
		return false;
	for (i = 0; i < RT_LOST_CAUSES; i++) {
		if (lost)
			lost[i] += sub->lost[i] - l->lost[i];
		l->lost[i] = sub->lost[i];
	}
	return l->open = true;
}

void rt_live_give_back(struct rt_live_ring *l)
{
	__atomic_store_n(&l->control->consumed, l->seq, __ATOMIC_RELEASE); /* D */
}

static void end(struct rt_live_ring *l)
{
	l->open = false;
	l->seq++;
}

bool rt_live_next(struct rt_live_ring *l, struct rt_record *rec, __u64 lost[RT_LOST_CAUSES])
{
	if (lost)
		memset(lost, 0, RT_LOST_CAUSES * sizeof(*lost));
	for (;;) {
		if (!l->open && !begin(l, lost))
			return false;
		switch (rt_subbuf_next_live(&l->r, rec)) {
		case RT_LIVE_RECORD:
			l->records++;
			return true;
		case RT_LIVE_WAIT:
			return false;
		case RT_LIVE_END:
			end(l);
			rt_live_give_back(l);
		}
	}
}

unsigned int rt_live_fill(struct rt_live_ring *l, struct rt_record *rec, unsigned int max,
			  __u64 lost[RT_LOST_CAUSES])
{
	unsigned int more;

	if (!rt_live_next(l, rec, lost))
		return 0;
	more = rt_subbuf_fill_live(&l->r, rec + 1, max - 1);
	l->records += more;
	return more + 1;
}

/* --- pieces ------------------------------------------------------------------------ */

/* A reader counts in words. */
static __u32 offset(__u32 words)
{
	return words * sizeof(__u32);
}

/* The rest of a complete sub-buffer; its commit count says how many records that is. */
static void take_rest(struct rt_live_ring *l, struct rt_live_piece *p)
{
	p->to = offset(l->r.words);
	p->records = RT_SUBBUF_RECORDS(p->sub->commit) - l->r.records;
	p->last = rt_subbuf_last(&l->r);
	end(l);
}

static void take_committed(struct rt_live_ring *l, struct rt_live_piece *p)
{
	__u64 before = l->r.records;
	struct rt_record rec;

	while (rt_subbuf_next_live(&l->r, &rec) == RT_LIVE_RECORD)
		p->last = rec.time;
	p->to = offset(l->r.at);
	p->records = l->r.records - before;
}

static void tell_losses(const struct rt_live_ring *l, const __u64 before[RT_LOST_CAUSES],
			struct rt_live_piece *p)
{
	int i;

	p->lossy = false;
	for (i = 0; i < RT_LOST_CAUSES; i++) {
		p->lost[i] = l->lost[i] - before[i];
		p->lossy |= p->lost[i] != 0;
	}
}

bool rt_live_next_piece(struct rt_live_ring *l, bool open, struct rt_live_piece *p)
{
	__u64 lost[RT_LOST_CAUSES];
	bool complete, fresh = false;

	memcpy(lost, l->lost, sizeof(lost));
	while (l->open || (fresh = begin(l, NULL))) {
		p->sub = l->r.head;
		p->seq = l->seq;
		p->start = p->last = l->r.start;
		/* The first piece has the head of the sub-buffer, too. */
		p->from = offset(l->r.at) == sizeof(struct rt_subbuf) ? 0 : offset(l->r.at);
		complete = rt_subbuf_complete(&l->r);
		if (!complete && !open)
			break;
		if (complete)
			take_rest(l, p);
		else
			take_committed(l, p);
		if (p->records) {
			l->records += p->records;
			tell_losses(l, lost, p);
			return true;
		}
		if (!complete)
			break;
	}
	/* What was lost is told with the next piece, also if sub-buffers without records were passed. */
	if (fresh)
		l->open = false;
	if (!l->open)
		memcpy(l->lost, lost, sizeof(lost));
	return false;
}

bool rt_live_has_more(const struct rt_live_ring *l)
{
	const struct rt_subbuf *sub = current(l);
	__u64 commit;

	if (!rt_subbuf_began(sub, l->seq))
		return false;
	commit = __atomic_load_n(&sub->commit, __ATOMIC_RELAXED);
	/* Not just by bytes: records that a filter has cancelled have some, too. */
	return RT_SUBBUF_RECORDS(commit) > (l->open ? l->r.records : 0) ||
	       RT_SUBBUF_COMMITTED(commit) == l->status->subbuf_bytes;
}
