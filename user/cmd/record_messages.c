// SPDX-License-Identifier: GPL-2.0
#include "cmd/record_messages.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/message.h"
#include "record/later.h"
#include "record/left_out.h"

void rt_tell_left_out(const char *command, const struct rt_event_list *list)
{
	size_t at = 0;
	char *line;

	while ((line = rt_left_out_line(list, &at))) {
		rt_warning("%s: %s", command, line);
		free(line);
	}
}

void rt_tell_perf(const char *command, const struct rt_recording *r)
{
	char *line = rt_through_perf_line(r), *later = rt_later_line(r);

	if (line)
		rt_warning("%s: %s", command, line);
	if (later)
		rt_warning("%s: %s", command, later);
	free(line);
	free(later);
}

void rt_tell_instead(const char *command, const struct rt_recording *r,
		     const struct rt_event_list *list)
{
	size_t i = 0;

	for (; i < list->note_count; i++)
		rt_warning("%s: %s", command, list->notes[i]);
	for (i = 0; i < r->count; i++)
		if (r->events[i].sampling.no_cycles)
			rt_warning("%s: no cycle counter here, as in most virtual machines: "
				   "%s is sampled instead",
				   command, r->events[i].sampling.name);
}

void rt_tell_begun(const struct rt_record_options *opt, bool command)
{
	const char *signal = "";
	char until[64] = "";

	if (opt->quiet)
		return;
	if (opt->duration)
		snprintf(until, sizeof(until), "for %g s", opt->duration);
	else if (command)
		snprintf(until, sizeof(until), "until the command ends");
	if (opt->overwrite)
		signal = opt->output.switches ?
				 ", SIGUSR2 writes what the rings hold and begins another file" :
				 ", SIGUSR2 writes what the rings hold";
	else if (opt->output.switches)
		signal = ", SIGUSR2 begins another file";
	fprintf(stderr, "[ ringtail: recording to %s%s%s; Ctrl-C stops%s ]\n", opt->recording.path,
		*until ? " " : "", until, signal);
}

void rt_tell_setup(const struct rt_record_options *opt, const struct rt_recording *r)
{
	const struct rt_rings *rings = &r->session.rings;
	size_t i;

	fprintf(stderr,
		"[ ringtail: ABI %u.%u, %u CPUs, each with a ring of %llu KB (%u sub-buffers) ]\n",
		r->session.info.abi_major, r->session.info.abi_minor, r->session.cpus,
		(unsigned long long)rings->subbufs * rings->subbuf_bytes / 1024, rings->subbufs);
	for (i = 0; i < r->count; i++) {
		const struct rt_event_spec *spec = r->events[i].spec;

		fprintf(stderr, "  event %zu: '%s' as %s%s%s%s\n", i + 1, spec->text,
			spec->kind == RT_SPEC_COUNTER ? "" : spec->system,
			spec->kind == RT_SPEC_COUNTER ? "" : ":",
			spec->kind == RT_SPEC_COUNTER ? r->events[i].sampling.name : spec->name,
			r->events[i].waits ? ", when its module is loaded" : "");
	}
}

void rt_tell_done(const struct rt_summary *s)
{
	fprintf(stderr, "  %u thread%s wrote events\n", s->writers, s->writers == 1 ? "" : "s");
}
