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

int rt_off_set(struct rt_off_list *off, size_t e, uint32_t cpu, uint64_t ns, uint64_t times)
{
	struct rt_off *o = off_of(off, e, cpu);

	if (!o)
		return -ENOMEM;
	o->ns = ns;
	o->times = times;
	return 0;
}

int rt_off_take(struct rt_recording *r, size_t e, struct rt_err *err)
{
	struct rt_counts counts;
	uint32_t cpu;

	for (cpu = 0; cpu < r->session.cpus; cpu++) {
		/* The number of a CPU that this machine cannot have is refused. */
		if (rt_agent_session_counts(&r->session, e + 1, cpu, &counts, err) ||
		    !counts.off_times)
			continue;
		if (rt_off_set(&r->off, e, cpu, counts.off_ns, counts.off_times))
			return rt_err_set(err, ENOMEM, "no memory for the counts");
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

void rt_off_print(const struct rt_off_list *off, size_t e, const char *name, FILE *out)
{
	const struct rt_off *o;
	bool any = false;
	size_t i;

	for (i = 0; i < off->count; i++) {
		o = &off->list[i];
		if (o->event != e)
			continue;
		if (!any)
			fprintf(out,
				"  not watched, so that accesses could complete: %s was off for at most ",
				name);
		fprintf(out, "%s%.3f ms on CPU %u (%" PRIu64 " time%s)", any ? ", " : "",
			(double)o->ns / 1e6, o->cpu, o->times, o->times == 1 ? "" : "s");
		any = true;
	}
	if (any)
		fputc('\n', out);
}
