// SPDX-License-Identifier: GPL-2.0
#include "record/off.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static struct rt_off *off_of(struct rt_off_list *off, size_t e, uint32_t cpu)
{
	struct rt_off *grown;
	size_t i;

	for (i = 0; i < off->count; i++)
		if (off->list[i].event == e && off->list[i].cpu == cpu)
			return &off->list[i];
	grown = realloc(off->list, (off->count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	off->list = grown;
	grown += off->count++;
	*grown = (struct rt_off){ .event = e, .cpu = cpu };
	return grown;
}

int rt_off_take(struct rt_recording *r, size_t e, struct rt_err *err)
{
	struct rt_counts counts;
	struct rt_off *off;
	uint32_t cpu;

	for (cpu = 0; cpu < r->session.cpus; cpu++) {
		/* The number of a CPU that this machine cannot have is refused. */
		if (rt_agent_session_counts(&r->session, e + 1, cpu, &counts, err) ||
		    !counts.off_times)
			continue;
		off = off_of(&r->off, e, cpu);
		if (!off)
			return rt_err_set(err, ENOMEM, "no memory for the counts");
		off->ns = counts.off_ns;
		off->times = counts.off_times;
	}
	return 0;
}

int rt_off_write(struct rt_recording *r, uint64_t time)
{
	struct rt_writer_stamp at = { .time = time };
	struct rt_off *off;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < r->off.count; i++) {
		off = &r->off.list[i];
		if (off->times == off->times_told)
			continue;
		at.cpu = off->cpu;
		ret = rt_writer_off(r->writer, &at, r->events[off->event].file,
				    off->ns - off->ns_told, off->times - off->times_told);
		off->ns_told = off->ns;
		off->times_told = off->times;
	}
	return ret;
}

bool rt_off_print(const struct rt_off_list *off, size_t e, FILE *out)
{
	const struct rt_off *o;
	bool any = false;
	size_t i;

	for (i = 0; i < off->count; i++) {
		o = &off->list[i];
		if (o->event != e)
			continue;
		fprintf(out, "%s%.3f ms on CPU %u (%" PRIu64 " time%s)",
			any ? ", " : "off for at most ", (double)o->ns / 1e6, o->cpu, o->times,
			o->times == 1 ? "" : "s");
		any = true;
	}
	return any;
}
