// SPDX-License-Identifier: GPL-2.0
#include "record/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "record/losses.h"
#include "record/off.h"

enum {
	EVENTS_SHOWN = 32, /* lines for single events; the rest is printed as a sum */
	LINE_WIDTH = 100,
};

static const char *const reasons[RT_MISSED_REASONS] = {
	[RT_MISSED_PROBE] = "a probe inside a probe",
	[RT_MISSED_INSTANCES] = "kretprobe instances exhausted (see --instances), or more than 64 "
				"calls under way in a thread (uretprobes)",
	[RT_MISSED_WATCH] = "accesses to watched memory, or changes of it that do not trap",
	[RT_MISSED_UNWATCHED] = "tasks or CPUs without a debug register, for a while or at all",
};

static void add_counts(struct rt_counts *sum, const struct rt_counts *one)
{
	int i;

	sum->entered += one->entered;
	sum->written += one->written;
	sum->filtered += one->filtered;
	sum->own += one->own;
	sum->repeated += one->repeated;
	sum->off_ns += one->off_ns;
	sum->off_times += one->off_times;
	for (i = 0; i < RT_LOST_CAUSES; i++)
		sum->lost[i] += one->lost[i];
	for (i = 0; i < RT_MISSED_REASONS; i++)
		if (i != RT_MISSED_TASKS)
			sum->missed[i] += one->missed[i];
	/* The module counts these per session; every event returns the same number. */
	sum->missed[RT_MISSED_TASKS] = one->missed[RT_MISSED_TASKS];
}

/* Without these records pids and addresses may get wrong names, so the user must know. */
static uint64_t side_lost(const struct rt_agent_session *s)
{
	uint64_t lost = 0;
	uint32_t cpu;
	int i;

	for (cpu = 0; cpu < s->cpus; cpu++)
		for (i = 0; s->side[cpu].status && i < RT_LOST_CAUSES; i++)
			lost += s->side[cpu].status->lost[i];
	return lost;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* What the side-band could not record, and what is missing or wrong in the file for that reason. */
static const struct {
	unsigned int part;
	const char *text;
} side_parts[] = {
	{ RT_SIDE_FORK, "new tasks: children may have no name" },
	{ RT_SIDE_EXIT, "tasks that ended: a pid used again may have the name of the old one" },
	{ RT_SIDE_COMM, "new names of tasks: programs that were started may have their parent's" },
	{ RT_SIDE_MMAP, "new mappings: addresses in programs that were started may have no name" },
	{ RT_SIDE_MODULE, "modules that came or went: their functions may have no name" },
};

static void print_side_missing(uint32_t missing, FILE *out)
{
	size_t i;

	for (i = 0; i < sizeof(side_parts) / sizeof(side_parts[0]); i++)
		if (missing >> side_parts[i].part & 1)
			fprintf(out, "  not reported by the kernel, %s\n", side_parts[i].text);
}

/* CPU time of this process only, without that of the command. */
static double cpu_time(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_utime.tv_sec + u.ru_stime.tv_sec +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

void rt_summary_start(struct rt_summary *s)
{
	memset(s, 0, sizeof(*s));
	s->seconds = now();
	s->cpu = cpu_time();
}

int rt_summary_take(struct rt_summary *s, const struct rt_recording *r)
{
	uint32_t cpu;

	s->seconds = now() - s->seconds;
	s->cpu = cpu_time() - s->cpu;
	s->events = calloc(r->count ? r->count : 1, sizeof(*s->events));
	if (!s->events)
		return -ENOMEM;
	memcpy(s->events, r->events, r->count * sizeof(*s->events));
	if (r->off.count) {
		s->off.list = calloc(r->off.count, sizeof(*s->off.list));
		if (!s->off.list)
			return -ENOMEM;
		memcpy(s->off.list, r->off.list, r->off.count * sizeof(*s->off.list));
		s->off.count = r->off.count;
	}
	s->count = r->count;
	s->overwrite = r->session.rings.mode == RT_MODE_OVERWRITE;
	for (cpu = 0; cpu < r->session.cpus; cpu++) {
		s->read += r->session.events[cpu].read;
		if (r->session.events[cpu].status)
			s->overwritten += r->session.events[cpu].status->overwritten;
	}
	s->side_lost = side_lost(&r->session);
	s->side_missing = r->session.info.side_missing;
	s->losses = r->losses;
	s->skipped = r->skipped;
	s->side_skipped = r->side_skipped;
	s->writers = r->writers ? r->writers : 1;
	s->bytes = r->bytes_before + rt_writer_stats(r->writer)->bytes;
	return 0;
}

void rt_summary_free(struct rt_summary *s)
{
	free(s->events);
	free(s->off.list);
	memset(s, 0, sizeof(*s));
}

static uint64_t lost_of(const struct rt_counts *counts)
{
	uint64_t lost = 0;
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++)
		lost += counts->lost[i];
	return lost;
}

static void name_of(const struct rt_recorded *e, char *out, size_t size)
{
	if (e->spec->kind == RT_SPEC_COUNTER)
		snprintf(out, size, "%s", e->sampling.name);
	else
		snprintf(out, size, "%s:%s", e->spec->system, e->spec->name);
}

/* If there are several events, print one line for each event that fired. */
static void print_events(const struct rt_summary *s, FILE *out)
{
	char name[2 * RT_EVENT_NAME_MAX];
	size_t e, shown = 0;
	uint64_t rest = 0;

	for (e = 0; s->count > 1 && e < s->count; e++) {
		const struct rt_counts *c = &s->events[e].counts;

		if (!c->entered)
			continue;
		if (shown++ >= EVENTS_SHOWN) {
			rest += c->written;
			continue;
		}
		name_of(&s->events[e], name, sizeof(name));
		fprintf(out, "  %s: %" PRIu64 " written", name, (uint64_t)c->written);
		if (c->filtered)
			fprintf(out, ", %" PRIu64 " filtered out", (uint64_t)c->filtered);
		if (lost_of(c))
			fprintf(out, ", %" PRIu64 " lost", lost_of(c));
		fprintf(out, "\n");
	}
	if (shown > EVENTS_SHOWN)
		fprintf(out, "  %zu more events: %" PRIu64 " written\n", shown - EVENTS_SHOWN,
			rest);
}

/*
 * Name every event that never fired, so that users do not search the file for it; of the thousands
 * that a glob may stand for only the first.
 */
static void print_silent(const struct rt_summary *s, FILE *out)
{
	char name[2 * RT_EVENT_NAME_MAX];
	size_t e, globbed = 0;
	int width = 0;

	for (e = 0; e < s->count; e++) {
		if (s->events[e].counts.entered || s->events[e].counts.refused)
			continue;
		if (s->events[e].spec->globbed && globbed++ >= EVENTS_SHOWN)
			continue;
		name_of(&s->events[e], name, sizeof(name));
		if (width && width + 2 + (int)strlen(name) > LINE_WIDTH) {
			fprintf(out, ",\n");
			width = 0;
		} else if (width) {
			width += fprintf(out, ", ");
		}
		if (!width)
			width = fprintf(out, "  never fired: ");
		width += fprintf(out, "%s%s", name,
				 s->events[e].waits ? " (its module was not loaded)" : "");
	}
	if (width)
		fprintf(out, "\n");
	if (globbed > EVENTS_SHOWN)
		fprintf(out, "  never fired: %zu more events of globs\n", globbed - EVENTS_SHOWN);
}

/* Accesses are missing then, and nobody knows how many. */
static void print_off(const struct rt_summary *s, FILE *out)
{
	char name[2 * RT_EVENT_NAME_MAX];
	size_t e;

	for (e = 0; s->off.count && e < s->count; e++) {
		name_of(&s->events[e], name, sizeof(name));
		rt_off_print(&s->off, e, name, out);
	}
}

static void print_losses(const struct rt_summary *s, const struct rt_counts *sum, FILE *out)
{
	char where[96];
	uint64_t missed;
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++)
		if (sum->lost[i])
			fprintf(out, "  lost, %s: %" PRIu64 "%s\n", rt_losses_cause(i),
				(uint64_t)sum->lost[i],
				rt_losses_where(&s->losses, i, where, sizeof(where)));
	if (s->skipped || s->side_skipped)
		fprintf(out,
			"  not understood and left out: %" PRIu64 " events, %" PRIu64
			" records of tasks and mappings\n",
			s->skipped, s->side_skipped);
	for (i = 0; i < RT_MISSED_REASONS; i++) {
		missed = sum->missed[i];
		/* The pauses are told below, with their length. */
		if (i == RT_MISSED_UNWATCHED)
			missed -= missed < sum->off_times ? missed : sum->off_times;
		if (missed && reasons[i])
			fprintf(out, "  not delivered by the kernel, %s: at least %" PRIu64 "\n",
				reasons[i], missed);
	}
	print_off(s, out);
	if (sum->missed[RT_MISSED_THROTTLED])
		fprintf(out,
			"  throttled: the kernel paused a counter %" PRIu64
			" times; lower -F, or raise kernel.perf_event_max_sample_rate\n",
			(uint64_t)sum->missed[RT_MISSED_THROTTLED]);
	if (sum->missed[RT_MISSED_CPUS])
		fprintf(out,
			"  not sampled: %" PRIu64
			" times the kernel had no counter for a CPU that came, or for a "
			"tracepoint of a module\n",
			(uint64_t)sum->missed[RT_MISSED_CPUS]);
	if (sum->repeated)
		fprintf(out,
			"  left out, taken for the same access trapping again after an interrupt: %" PRIu64
			"\n",
			(uint64_t)sum->repeated);
	if (sum->missed[RT_MISSED_TASKS])
		fprintf(out,
			"  not followed: at least %" PRIu64
			" threads, more than can be told apart; record with -a\n",
			(uint64_t)sum->missed[RT_MISSED_TASKS]);
	if (sum->missed[RT_MISSED_SILENCED])
		fprintf(out,
			"  kprobes were switched off while recording: hits of %" PRIu64
			" events are missing from then on "
			"('echo 1 >/sys/kernel/debug/kprobes/enabled' switches them on)\n",
			(uint64_t)sum->missed[RT_MISSED_SILENCED]);
}

/* The module's promise.  If it is broken, no other number is worth anything, so the user must know. */
static void print_imbalance(const struct rt_summary *s, FILE *out)
{
	char name[2 * RT_EVENT_NAME_MAX];
	size_t e;

	for (e = 0; e < s->count; e++) {
		const struct rt_counts *c = &s->events[e].counts;

		if (c->entered == c->written + c->filtered + lost_of(c))
			continue;
		name_of(&s->events[e], name, sizeof(name));
		fprintf(out,
			"  the counts of %s do not add up: %" PRIu64 " entered, %" PRIu64
			" written, %" PRIu64 " filtered out, %" PRIu64
			" lost: a defect of ringtail, please report it\n",
			name, (uint64_t)c->entered, (uint64_t)c->written, (uint64_t)c->filtered,
			lost_of(c));
	}
}

void rt_summary_print(const struct rt_summary *s, const char *path, FILE *out)
{
	struct rt_counts sum = { 0 };
	uint64_t bytes = s->bytes;
	struct stat st;
	size_t e;

	for (e = 0; e < s->count; e++)
		add_counts(&sum, &s->events[e].counts);
	if (strcmp(path, "-") && !stat(path, &st) && S_ISREG(st.st_mode))
		bytes = st.st_size;
	fprintf(out,
		"[ ringtail: %" PRIu64 " events written, %" PRIu64 " filtered out, %" PRIu64
		" lost%s; %" PRIu64 " KB to %s ]\n",
		(uint64_t)sum.written, (uint64_t)sum.filtered, lost_of(&sum),
		sum.off_times ? ", others not watched" : "", (bytes + 1023) >> 10, path);
	if (s->overwrite)
		fprintf(out, "  overwritten: %" PRIu64 ", the newest %" PRIu64 " are in the file\n",
			s->overwritten, s->read);
	print_events(s, out);
	print_silent(s, out);
	if (sum.own)
		fprintf(out, "  of those filtered out, by ringtail itself: %" PRIu64 "\n",
			(uint64_t)sum.own);
	print_losses(s, &sum, out);
	print_imbalance(s, out);
	print_side_missing(s->side_missing, out);
	if (s->side_lost)
		fprintf(out,
			"  lost, of tasks and mappings: %" PRIu64 "; some names may be wrong\n",
			s->side_lost);
	if (s->seconds > 0)
		fprintf(out, "  ringtail took %.2f s of CPU time in %.2f s\n", s->cpu, s->seconds);
}
