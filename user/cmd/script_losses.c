// SPDX-License-Identifier: GPL-2.0
/* script_losses.c - report the losses of a recording after its lines. */
#include "cli/message.h"
#include "cmd/script_losses.h"

/* Print places and causes; only files of ringtail have them. */
static void say_causes(const struct rt_reader_stats *s, const struct rt_notes *notes)
{
	uint64_t lost[RT_NOTE_CAUSES] = { 0 };
	char text[256];
	size_t i, c;

	for (i = 0; i < notes->lost_count; i++)
		for (c = 0; c < RT_NOTE_CAUSES; c++)
			lost[c] += notes->lost[i].lost[c];
	rt_note_causes(lost, text, sizeof(text));
	rt_warning("the recording lost %llu events, in %llu places from %.6f to %.6f: %s "
		   "(--show-lost-events shows each)",
		   (unsigned long long)s->lost, (unsigned long long)s->by_type[RT_PERF_RECORD_LOST],
		   (double)(notes->lost[0].time / 1000) / 1e6,
		   (double)(notes->lost[notes->lost_count - 1].time / 1000) / 1e6, text);
}

/* Accesses that are not in the file, and that nobody could count. */
static void say_off(const struct rt_reader *reader)
{
	const struct rt_notes *notes = rt_reader_notes(reader);
	const struct rt_perf_events *events = rt_reader_events(reader);
	char text[512];
	size_t i;

	for (i = 0; notes->off_count && i < events->count; i++)
		if (rt_notes_off(notes, i, text, sizeof(text)))
			rt_warning("%s was not watched for at most %s: accesses then are missing",
				   rt_perf_event_name(events->list[i]), text);
}

void rt_script_say_losses(const struct rt_reader *reader)
{
	const struct rt_reader_stats *s = rt_reader_stats(reader);
	const struct rt_notes *notes = rt_reader_notes(reader);
	char complaint[128];

	/* For a file this was already printed when it was opened. */
	if (rt_reader_is_pipe(reader) && notes->begun &&
	    rt_note_complaint(&notes->last, complaint, sizeof(complaint)))
		rt_warning("%s: %s", rt_reader_path(reader), complaint);
	if (s->lost && notes->lost_count)
		say_causes(s, notes);
	else if (s->lost)
		rt_warning("the recording lost %llu events, in %llu places: the buffers were full",
			   (unsigned long long)s->lost,
			   (unsigned long long)s->by_type[RT_PERF_RECORD_LOST]);
	else if (s->lost_samples)
		rt_warning("the recording lost %llu samples", (unsigned long long)s->lost_samples);
	say_off(reader);
	if (s->unknown_ids)
		rt_warning("%llu samples belong to no event of the file and were left out",
			   (unsigned long long)s->unknown_ids);
	if (s->unknown_types)
		rt_warning("%llu records are of types this program does not know",
			   (unsigned long long)s->unknown_types);
}
