// SPDX-License-Identifier: GPL-2.0
#include "record/summary.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const causes[RT_LOST_CAUSES] = {
	[RT_LOST_FULL] = "ring full",
	[RT_LOST_NESTED] = "nested too deep",
	[RT_LOST_RECURSION] = "recursion",
	[RT_LOST_TOO_BIG] = "too big",
	[RT_LOST_NO_RING] = "no ring for the CPU",
	[RT_LOST_THROTTLED] = "a watch hit too often (see --watch-rate)",
};

static const char *const reasons[RT_MISSED_REASONS] = {
	[RT_MISSED_PROBE] = "a probe inside a probe",
	[RT_MISSED_INSTANCES] = "kretprobe instances exhausted (see --instances)",
	[RT_MISSED_WATCH] = "accesses to watched memory",
	[RT_MISSED_UNWATCHED] = "tasks or CPUs without a free debug register",
};

static void add_counts(struct rt_counts *sum, const struct rt_counts *one)
{
	int i;

	sum->entered += one->entered;
	sum->written += one->written;
	sum->filtered += one->filtered;
	for (i = 0; i < RT_LOST_CAUSES; i++)
		sum->lost[i] += one->lost[i];
	for (i = 0; i < RT_MISSED_REASONS; i++)
		if (i != RT_MISSED_TASKS)
			sum->missed[i] += one->missed[i];
	/* The session's, whichever event is asked. */
	sum->missed[RT_MISSED_TASKS] = one->missed[RT_MISSED_TASKS];
}

/* Without these, pids and addresses may be named wrongly: never in silence. */
static uint64_t side_lost(const struct rt_session *s)
{
	uint64_t lost = 0;
	uint32_t cpu;
	int i;

	for (cpu = 0; cpu < s->cpus; cpu++)
		for (i = 0; s->side[cpu].status && i < RT_LOST_CAUSES; i++)
			lost += s->side[cpu].status->lost[i];
	return lost;
}

/* Of an overwrite ring: how many of the events written are not in the file. */
static void print_overwritten(const struct rt_session *s)
{
	uint64_t read = 0, overwritten = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < s->cpus; cpu++) {
		read += s->events[cpu].read;
		if (s->events[cpu].status)
			overwritten += s->events[cpu].status->overwritten;
	}
	fprintf(stderr, "  overwritten: %" PRIu64 ", the newest %" PRIu64 " are in the file\n",
		overwritten, read);
}

void rt_summary_print(const struct rt_recording *r, const char *path)
{
	const struct rt_writer_stats *stats = rt_writer_stats(r->writer);
	struct rt_counts sum = { 0 };
	uint64_t lost = 0;
	size_t e;
	int i;

	for (e = 0; e < r->count; e++)
		add_counts(&sum, &r->events[e].counts);
	for (i = 0; i < RT_LOST_CAUSES; i++)
		lost += sum.lost[i];
	fprintf(stderr,
		"[ ringtail: %" PRIu64 " events written, %" PRIu64 " filtered out, %" PRIu64
		" lost; %" PRIu64 " KB to %s ]\n",
		(uint64_t)sum.written, (uint64_t)sum.filtered, lost, stats->bytes >> 10, path);
	if (r->session.rings.mode == RT_MODE_OVERWRITE)
		print_overwritten(&r->session);
	for (i = 0; i < RT_LOST_CAUSES; i++)
		if (sum.lost[i])
			fprintf(stderr, "  lost, %s: %" PRIu64 "\n", causes[i] ? causes[i] : "?",
				(uint64_t)sum.lost[i]);
	for (i = 0; i < RT_MISSED_REASONS; i++)
		if (sum.missed[i] && reasons[i])
			fprintf(stderr, "  not delivered by the kernel, %s: at least %" PRIu64 "\n",
				reasons[i], (uint64_t)sum.missed[i]);
	if (sum.missed[RT_MISSED_THROTTLED])
		fprintf(stderr,
			"  throttled: the kernel paused a counter %" PRIu64
			" times; lower -F, or raise kernel.perf_event_max_sample_rate\n",
			(uint64_t)sum.missed[RT_MISSED_THROTTLED]);
	if (sum.missed[RT_MISSED_TASKS])
		fprintf(stderr,
			"  not followed: at least %" PRIu64
			" threads, more than can be told apart; record with -a\n",
			(uint64_t)sum.missed[RT_MISSED_TASKS]);
	if (side_lost(&r->session))
		fprintf(stderr,
			"  lost, of tasks and mappings: %" PRIu64 "; some names may be wrong\n",
			side_lost(&r->session));
	for (e = 0; e < r->count; e++)
		if (r->events[e].waits && !r->events[e].counts.entered)
			fprintf(stderr, "  '%s': its module was not loaded\n",
				r->events[e].spec->text);
}
