// SPDX-License-Identifier: GPL-2.0
/* What was found in a dump, for people. */
#include <inttypes.h>

#include "flight/extract.h"

static double seconds(uint64_t ns)
{
	return (double)(ns / 1000) / 1e6;
}

static void print_id(FILE *out, const __u8 *id, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		fprintf(out, "%02x", id[i]);
}

static void print_head(const struct rt_image_session *s, const struct rt_flight_found *found,
		       FILE *out)
{
	const struct rt_anchor *a = s->anchor;

	fputs("session ", out);
	print_id(out, s->session, 4);
	fputs(", boot ", out);
	print_id(out, s->boot_id, 4);
	if (found->has_machine && *found->machine.nodename)
		fprintf(out, ", %s", found->machine.nodename);
	if (a)
		fprintf(out, ", Linux %.*s", RT_RELEASE_LEN, a->release);
	else
		fputs(", anchor missing: kernel and clock are not known", out);
	fputc('\n', out);
	if (*found->pin.name)
		fprintf(out, "  flight '%s', started at %.6f by user %u, process %u (%s)\n",
			found->pin.name, seconds(found->pin.since), found->pin.uid, found->pin.pid,
			found->pin.comm);
}

static void print_span(const struct rt_flight_found *found, FILE *out)
{
	uint64_t first = UINT64_MAX, last = 0;
	size_t i, cpus = 0;

	for (i = 0; i < found->cpus; i++) {
		if (!found->cpu[i].records)
			continue;
		cpus++;
		first = found->cpu[i].first < first ? found->cpu[i].first : first;
		last = found->cpu[i].last > last ? found->cpu[i].last : last;
	}
	fprintf(out, "  %" PRIu64 " record%s of %zu event%s on %zu CPU%s", found->records,
		found->records == 1 ? "" : "s", found->events, found->events == 1 ? "" : "s", cpus,
		cpus == 1 ? "" : "s");
	if (cpus)
		fprintf(out, ", from %.6f to %.6f (%.6f s)", seconds(first), seconds(last),
			seconds(last - first));
	if (found->not_watched)
		fputs(found->not_watched, out);
	if (found->recovered)
		fprintf(out, "; %zu modules\n", found->modules);
	else if (found->live)
		fprintf(out, "; %" PRIu64 " tasks\n", found->tasks);
	else
		fprintf(out, "; %" PRIu64 " tasks, %zu modules\n", found->tasks, found->modules);
}

/* One line for each kind of thing that is not there. */
static void print_missing(const struct rt_flight_found *found, FILE *out)
{
	const struct {
		uint64_t count;
		const char *one, *more;
	} lines[] = {
		{ found->pending, "record was being written", "records were being written" },
		{ found->behind,
		  "record left out: an unfinished one lies before it, and the machine goes on",
		  "records left out: unfinished ones lie before them, and the machine goes on" },
		{ found->lost, "event was lost during the recording",
		  "events were lost during the recording" },
		{ found->overwritten, "older record had been overwritten",
		  "older records had been overwritten" },
		{ found->unknown, "record left out: the dump does not describe its event",
		  "records left out: the dump does not describe their events" },
		{ found->newer,
		  "event left out: a newer module recorded it; use a ringtail of its version",
		  "events left out: a newer module recorded them; use a ringtail of its version" },
		{ found->malformed, "record left out: it makes no sense",
		  "records left out: they make no sense" },
		{ found->subbufs_missing, "sub-buffer is not in the dump",
		  "sub-buffers are not in the dump" },
		{ found->subbufs_cut, "sub-buffer ends early: a part is missing or damaged",
		  "sub-buffers end early: a part is missing or damaged" },
		{ found->subbufs_reused, "sub-buffer was overwritten during the reading",
		  "sub-buffers were overwritten during the reading" },
	};
	const char *when = found->live ? " meanwhile" : " when the machine stopped";
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].count)
			fprintf(out, "  %" PRIu64 " %s%s%s\n", lines[i].count,
				lines[i].count == 1 ? lines[i].one : lines[i].more, i ? "" : when,
				i ? "" : ": skipped");
	if (found->recovered)
		fputs("  names are known of tasks that began, or got their name, while the flight ran\n",
		      out);
	else if (found->has_machine && !found->tasks_complete)
		fputs("  the list of tasks is damaged: some names are missing\n", out);
}

static void print_mark(const char *what, const struct rt_anchor_mark *mark, FILE *out)
{
	if (mark->time)
		fprintf(out, "  %s at %.6f on CPU %u, task %u: %.*s\n", what, seconds(mark->time),
			mark->cpu, mark->tid, RT_MARK_TEXT, mark->text);
}

void rt_flight_print(const struct rt_image *image, const struct rt_image_session *s,
		     const struct rt_flight_found *found, FILE *out)
{
	const struct rt_anchor_machine *m = &found->machine;
	size_t i;

	print_head(s, found, out);
	print_span(found, out);
	print_missing(found, out);
	if (found->has_machine) {
		print_mark("oops", &m->oops, out);
		print_mark("panic", &m->panic, out);
	}
	for (i = 0; i < found->cpus; i++) {
		const struct rt_flight_cpu *c = &found->cpu[i];

		if (c->records)
			fprintf(out,
				"  CPU %u: %" PRIu64 " record%s, the last at %.6f: %s, task %u\n",
				c->cpu, c->records, c->records == 1 ? "" : "s", seconds(c->last),
				*c->event_name ? c->event_name : "an unknown event", c->tid);
	}
}
