// SPDX-License-Identifier: GPL-2.0
#include "record/losses.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "record/off.h"
#include "record/recording.h"

int rt_losses_tell(struct rt_recording *r, uint32_t cpu, uint64_t time,
		   const uint64_t lost[RT_LOST_CAUSES])
{
	struct rt_writer_stamp at = { .time = time, .cpu = cpu };
	struct rt_losses *l = &r->losses;
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++) {
		if (!lost[i])
			continue;
		l->told[i] += lost[i];
		if (!l->places[i]++ || time < l->first[i])
			l->first[i] = time;
		if (time > l->last[i])
			l->last[i] = time;
	}
	return rt_writer_lost_here(r->writer, &at, lost);
}

const char *rt_losses_cause(int cause)
{
	static const char *const causes[RT_LOST_CAUSES] = {
		[RT_LOST_FULL] = "ring full",
		[RT_LOST_NESTED] = "nested too deep",
		[RT_LOST_RECURSION] = "recursion",
		[RT_LOST_TOO_BIG] = "too big",
		[RT_LOST_NO_RING] = "no ring for the CPU",
		[RT_LOST_THROTTLED] = "a watch hit too often (see --watch-rate)",
	};

	return causes[cause] ? causes[cause] : "?";
}

/* The module counts these per event; no ring counts them. */
static const int apart[] = { RT_LOST_NO_RING, RT_LOST_THROTTLED };
enum { APART = sizeof(apart) / sizeof(apart[0]), LOOK_EVENTS = 64 };

int rt_losses_look(struct rt_recording *r, uint64_t time)
{
	uint64_t lost[RT_LOST_CAUSES] = { 0 };
	struct rt_counts counts;
	struct rt_err ignored;
	size_t e;
	int i, c;

	/*
	 * With thousands of events this takes too many calls; rt_losses_end() reports them instead.
	 */
	if (r->count > LOOK_EVENTS || !time)
		return 0;
	for (e = 0; e < r->count; e++) {
		if (rt_agent_session_counts(&r->session, e + 1, RT_COUNTS_ALL, &counts, &ignored))
			return 0;
		for (i = 0; i < APART; i++)
			lost[apart[i]] += counts.lost[apart[i]];
		if (counts.off_times && rt_off_take(r, e, &ignored))
			return 0;
	}
	c = rt_off_write(r, time);
	if (c)
		return c;
	for (i = 0; i < APART; i++) {
		c = apart[i];
		lost[c] -= lost[c] < r->losses.told[c] ? lost[c] : r->losses.told[c];
	}
	return rt_losses_tell(r, UINT32_MAX, time, lost);
}

/* Read the counts of all events; REST gets the losses that no ring has reported. */
static int take_counts(struct rt_recording *r, uint64_t rest[RT_LOST_CAUSES], struct rt_err *err)
{
	struct rt_counts *counts;
	uint64_t lost;
	size_t e;
	int i, ret;

	memset(rest, 0, RT_LOST_CAUSES * sizeof(*rest));
	for (e = 0; e < r->count; e++) {
		counts = &r->events[e].counts;
		ret = rt_agent_session_counts(&r->session, e + 1, RT_COUNTS_ALL, counts, err);
		if (ret)
			return ret;
		for (lost = 0, i = 0; i < RT_LOST_CAUSES; i++) {
			rest[i] += counts->lost[i];
			lost += counts->lost[i];
		}
		rt_writer_lost_sum(r->writer, r->events[e].file, lost - r->events[e].lost_before);
		r->events[e].lost_before = lost;
		ret = counts->off_times ? rt_off_take(r, e, err) : 0;
		if (ret)
			return ret;
	}
	for (i = 0; i < RT_LOST_CAUSES; i++)
		rest[i] -= rest[i] < r->losses.told[i] ? rest[i] : r->losses.told[i];
	return 0;
}

int rt_losses_file(struct rt_recording *r, struct rt_err *err)
{
	uint64_t untold[RT_LOST_CAUSES];
	int ret = take_counts(r, untold, err);

	if (!ret)
		ret = rt_off_write(r, r->newest);
	return ret;
}

int rt_losses_end(struct rt_recording *r, uint64_t time, struct rt_err *err)
{
	uint64_t lost[RT_LOST_CAUSES];
	uint32_t cpu;
	int ret = 0;

	for (cpu = 0; !ret && cpu < r->session.cpus; cpu++)
		if (rt_cpuring_lost_since(&r->session.events[cpu], lost))
			ret = rt_losses_tell(r, cpu, time, lost);
	if (ret)
		return rt_err_set(err, -ret, "cannot write: %s", strerror(-ret));
	ret = take_counts(r, lost, err);
	if (ret)
		return ret;
	/*
	 * These were lost outside a ring or before their ring existed, so time and CPU are unknown.
	 */
	ret = rt_losses_tell(r, UINT32_MAX, time, lost);
	if (!ret)
		ret = rt_off_write(r, time);
	return ret ? rt_err_set(err, -ret, "cannot write: %s", strerror(-ret)) : 0;
}

static double seconds(uint64_t ns)
{
	return (double)(ns / 1000) / 1e6;
}

const char *rt_losses_where(const struct rt_losses *l, int cause, char *text, size_t size)
{
	*text = 0;
	if (l->places[cause] == 1)
		snprintf(text, size, " in one place at %.6f", seconds(l->first[cause]));
	else if (l->places[cause])
		snprintf(text, size, " in %" PRIu64 " places between %.6f and %.6f",
			 l->places[cause], seconds(l->first[cause]), seconds(l->last[cause]));
	return text;
}
