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
			l->open = false;
			l->seq++;
			__atomic_store_n(&l->control->consumed, l->seq, __ATOMIC_RELEASE); /* D */
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
