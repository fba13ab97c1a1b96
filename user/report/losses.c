// SPDX-License-Identifier: GPL-2.0
/* losses.c - what the head of a report says about lost events, and the counts of --stats. */
#include "report/losses.h"

#include <inttypes.h>

#include "report/key_text.h"

/* perf prints only the first number; its files say nothing of the rest. */
void rt_losses_put(const struct rt_report *r, struct rt_text *out)
{
	const struct rt_reader_stats *stats = rt_reader_stats(r->reader);
	const struct rt_notes *notes = rt_reader_notes(r->reader);
	const struct rt_perf_events *events = rt_reader_events(r->reader);
	uint64_t lost[RT_NOTE_CAUSES] = { 0 };
	char text[512];
	size_t i, c;

	rt_text_lit(out, "#\n# Total Lost Samples: ");
	rt_text_u64(out, stats->lost_samples);
	rt_text_char(out, '\n');
	if (!r->opt->compat && (stats->lost || notes->begun)) {
		rt_text_printf(out, "# Lost Events: %" PRIu64, stats->lost);
		for (i = 0; i < notes->lost_count; i++)
			for (c = 0; c < RT_NOTE_CAUSES; c++)
				lost[c] += notes->lost[i].lost[c];
		if (notes->lost_count) {
			rt_note_causes(lost, text, sizeof(text));
			rt_text_printf(out, " in %" PRIu64 " places from %.6f to %.6f (%s)",
				       stats->by_type[RT_PERF_RECORD_LOST],
				       (double)(notes->lost[0].time / 1000) / 1e6,
				       (double)(notes->lost[notes->lost_count - 1].time / 1000) /
					       1e6,
				       text);
		}
		rt_text_char(out, '\n');
		if (notes->begun)
			rt_text_printf(out, "# Not In The File: %" PRIu64 "\n",
				       notes->last.missing);
	}
	for (i = 0; !r->opt->compat && notes->off_count && i < events->count; i++)
		if (rt_notes_off(notes, i, text, sizeof(text)))
			rt_text_printf(out, "# Not Watched: %s for at most %s\n",
				       rt_perf_event_name(events->list[i]), text);
	rt_text_lit(out, "#\n");
}

int rt_report_stats(struct rt_report *r, FILE *out)
{
	const struct rt_reader_stats *stats = rt_reader_stats(r->reader);
	const struct rt_perf_events *events = rt_reader_events(r->reader);
	struct rt_text text;
	uint64_t total = 0;
	bool failed;
	size_t i;

	rt_text_init(&text);
	for (i = 1; i < RT_PERF_RECORD_MAX; i++)
		total += stats->by_type[i];
	rt_text_printf(&text, "\nAggregated stats:\n%16s events: %10" PRIu64 "\n", "TOTAL", total);
	for (i = 1; i < RT_PERF_RECORD_MAX; i++)
		if (stats->by_type[i])
			rt_text_printf(&text, "%16s events: %10" PRIu64 "  (%4.1f%%)\n",
				       rt_perf_record_name((uint32_t)i), stats->by_type[i],
				       (double)stats->by_type[i] * 100.0 / (double)total);
	for (i = 0; i < events->count; i++) {
		uint64_t samples = i < r->samples_room ? r->samples[i].all : 0;

		if (!samples && !r->opt->show_empty)
			continue;
		rt_key_put_all(r, rt_perf_event_name(events->list[i]), &text);
		rt_text_printf(&text, " stats:\n");
		if (samples)
			rt_text_printf(&text, "%16s events: %10" PRIu64 "\n", "SAMPLE", samples);
	}
	failed = text.failed || fwrite(text.base, 1, text.len, out) != text.len;
	rt_text_free(&text);
	return failed ? -1 : 0;
}
