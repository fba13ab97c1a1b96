// SPDX-License-Identifier: GPL-2.0
#include "record/order.h"

#include "record/expand.h"
#include "record/losses.h"

static void look(struct rt_cpuring *rings, uint32_t cpus)
{
	uint32_t i;

	for (i = 0; i < cpus; i++)
		rt_cpuring_look(&rings[i]);
}

struct rt_order_front rt_order_oldest(struct rt_cpuring *rings, uint32_t cpus)
{
	struct rt_order_front f = { NULL, UINT64_MAX, UINT64_MAX };
	const struct rt_record *rec;
	uint32_t i;

	for (i = 0; i < cpus; i++) {
		rec = rt_cpuring_found(&rings[i]);
		if (!rec)
			continue;
		if (!f.ring || rec->time < f.time) {
			f.next = f.time;
			f.time = rec->time;
			f.ring = &rings[i];
		} else if (rec->time < f.next) {
			f.next = rec->time;
		}
	}
	return f;
}

int rt_order_run(struct rt_recording *r, struct rt_cpuring *ring, uint64_t until, int *written)
{
	const struct rt_record *rec = rt_cpuring_found(ring), *end = ring->ahead + ring->count;
	const struct rt_record *first = rec;
	uint32_t cpu = ring - r->session.events;
	int ret = 0;

	/* Report the loss before this record, so that it has its place in time. */
	if (ring->lossy)
		ret = rt_losses_tell(r, cpu, rec->time, ring->lost);
	do {
		if (!ret)
			ret = rt_expand_event(r, rec, cpu);
	} while (!ret && ++rec < end && rec->time < until);
	/* The record that could not be written is not read again. */
	rec += ret != 0;
	r->reached = rec[-1].time;
	if (r->reached > r->newest)
		r->newest = r->reached;
	*written += rec - first;
	rt_cpuring_take_run(ring, rec - first);
	return ret;
}

static int write_side(struct rt_recording *r, struct rt_cpuring *ring)
{
	const struct rt_record *rec = rt_cpuring_found(ring);
	int ret = rt_expand_side(r, rec, ring - r->session.side);

	if (rec->time > r->side_newest)
		r->side_newest = rec->time;
	rt_cpuring_take(ring);
	return ret;
}

int rt_order_side(struct rt_recording *r, uint64_t until)
{
	struct rt_agent_session *s = &r->session;
	int written = 0, ret = 0;
	struct rt_order_front side;

	look(s->side, s->cpus);
	side = rt_order_oldest(s->side, s->cpus);
	while (!ret && side.ring && side.time < until) {
		ret = write_side(r, side.ring);
		written++;
		if (!rt_cpuring_found(side.ring))
			break;
		side = rt_order_oldest(s->side, s->cpus);
	}
	return ret ? ret : written;
}

int rt_order_write(struct rt_recording *r)
{
	struct rt_agent_session *s = &r->session;
	struct rt_order_front event, side;
	int written = 0, ret = 0;

	/*
	 * Look at the event rings before the side-band: the side-band records that an event needs
	 * were committed before the event.
	 */
	look(s->events, s->cpus);
	look(s->side, s->cpus);
	event = rt_order_oldest(s->events, s->cpus);
	side = rt_order_oldest(s->side, s->cpus);
	while (!ret && (event.ring || side.ring)) {
		/* Where times are equal, side-band records come first: every sample finds its task. */
		if (side.ring && side.time <= event.time) {
			ret = write_side(r, side.ring);
			written++;
			if (!rt_cpuring_found(side.ring))
				break;
			side = rt_order_oldest(s->side, s->cpus);
		} else {
			ret = rt_order_run(r, event.ring,
					   side.time < event.next ? side.time : event.next,
					   &written);
			if (!rt_cpuring_found(event.ring))
				break;
			event = rt_order_oldest(s->events, s->cpus);
		}
	}
	return ret ? ret : written;
}
