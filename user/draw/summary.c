// SPDX-License-Identifier: GPL-2.0
#include "draw/summary.h"

#include <stdio.h>
#include <time.h>

#include "draw/number.h"
#include "draw/page.h"

/* A text that is made in T and shown at once. */
static const char *end_text(struct rt_text *t)
{
	rt_text_char(t, '\0');
	return t->failed ? "" : t->base;
}

static void put_tiles(struct rt_text *out, struct rt_text *t, const struct rt_reader *reader,
		      const struct rt_collect_stats *stats)
{
	const struct rt_reader_stats *s = rt_reader_stats(reader);
	uint64_t lost = s->lost ? s->lost : s->lost_samples;
	size_t events = rt_perf_events_sampled(rt_reader_events(reader));

	rt_page_tiles_open(out);
	rt_number_grouped(t, stats->samples);
	rt_page_tile(out, "samples", end_text(t), false);
	if (stats->last >= stats->first) {
		rt_text_reset(t);
		rt_number_duration(t, stats->last - stats->first);
		rt_page_tile(out, "from the first sample to the last", end_text(t), false);
	}
	rt_text_reset(t);
	rt_number_grouped(t, events);
	rt_page_tile(out, events == 1 ? "event" : "events", end_text(t), false);
	rt_text_reset(t);
	rt_number_grouped(t, lost);
	rt_page_tile(out, "lost", end_text(t), lost);
	rt_page_div_close(out);
}

static void put_fact(struct rt_text *out, const char *name, const char *value)
{
	if (value && *value)
		rt_page_fact(out, name, value);
}

/* When the file was written, in local time. */
static void put_date(struct rt_text *t, const struct rt_reader *reader)
{
	time_t when = (time_t)rt_reader_written(reader);
	struct tm tm;
	char text[64];

	if (!when || rt_reader_is_pipe(reader) || !localtime_r(&when, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm))
		return;
	rt_text_str(t, text);
}

/* Where events were lost and why; only ringtail's files say the causes. */
static void put_losses(struct rt_text *out, struct rt_text *t, const struct rt_reader *reader)
{
	const struct rt_reader_stats *s = rt_reader_stats(reader);
	const struct rt_notes *notes = rt_reader_notes(reader);
	uint64_t lost[RT_NOTE_CAUSES] = { 0 };
	char causes[256];
	size_t i, c;

	if (!s->lost)
		return;
	rt_text_reset(t);
	rt_number_grouped(t, s->lost);
	rt_text_printf(t, " events in %llu places",
		       (unsigned long long)s->by_type[RT_PERF_RECORD_LOST]);
	for (i = 0; i < notes->lost_count; i++)
		for (c = 0; c < RT_NOTE_CAUSES; c++)
			lost[c] += notes->lost[i].lost[c];
	if (notes->lost_count) {
		rt_note_causes(lost, causes, sizeof(causes));
		rt_text_printf(t, ": %s", causes);
	}
	put_fact(out, "Lost", end_text(t));
}

/* For how long watches were off; only ringtail's files say it. */
static void put_off(struct rt_text *out, struct rt_text *t, const struct rt_reader *reader)
{
	const struct rt_notes *notes = rt_reader_notes(reader);
	const struct rt_perf_events *events = rt_reader_events(reader);
	char text[512];
	size_t i;

	for (i = 0; notes->off_count && i < events->count; i++) {
		if (!rt_notes_off(notes, i, text, sizeof(text)))
			continue;
		rt_text_reset(t);
		rt_text_printf(t, "%s for at most %s", rt_perf_event_name(events->list[i]), text);
		put_fact(out, "Not watched", end_text(t));
	}
}

static void put_machine(struct rt_text *out, struct rt_text *t, const struct rt_env *env)
{
	put_fact(out, "Host", env->hostname);
	put_fact(out, "Kernel", env->os_release);
	rt_text_reset(t);
	if (env->cpus_online)
		rt_text_printf(t, "%u of %u online", env->cpus_online, env->cpus_avail);
	if (env->cpu_desc)
		rt_text_printf(t, "%s%s", t->len ? ", " : "", env->cpu_desc);
	if (env->arch)
		rt_text_printf(t, "%s%s", t->len ? ", " : "", env->arch);
	put_fact(out, "CPUs", end_text(t));
	rt_text_reset(t);
	if (env->total_mem)
		rt_text_printf(t, "%.1f GiB", (double)env->total_mem / (1 << 20));
	put_fact(out, "Memory", end_text(t));
	rt_text_reset(t);
	put_fact(out, "Version", env->version);
}

void rt_page_summary(struct rt_text *out, const struct rt_reader *reader,
		     const struct rt_collect_stats *stats)
{
	const struct rt_env *env = rt_reader_env(reader);
	struct rt_text t;
	uint32_t i;

	rt_text_init(&t);
	rt_page_section_open(out, "summary", "Summary", NULL);
	put_tiles(out, &t, reader, stats);
	rt_page_facts_open(out);
	rt_text_reset(&t);
	for (i = 0; i < env->cmdline_count; i++)
		rt_text_printf(&t, "%s%s", i ? " " : "", env->cmdline[i]);
	put_fact(out, "Command", end_text(&t));
	put_fact(out, "File", rt_reader_path(reader));
	rt_text_reset(&t);
	put_date(&t, reader);
	put_fact(out, "Recorded", end_text(&t));
	put_machine(out, &t, env);
	put_losses(out, &t, reader);
	put_off(out, &t, reader);
	rt_page_facts_close(out);
	rt_page_section_close(out);
	out->failed |= t.failed;
	rt_text_free(&t);
}
