// SPDX-License-Identifier: GPL-2.0
#include "draw/caption.h"

#include "draw/number.h"

#define TITLE_EVENTS 3 /* more are counted */

void rt_caption_free(struct rt_caption *c)
{
	rt_text_free(&c->title);
	rt_text_free(&c->subtitle);
	rt_text_free(&c->warning);
}

static void separate(struct rt_text *t)
{
	if (t->len)
		rt_text_lit(t, " \xc2\xb7 "); /* a middle dot */
}

void rt_caption_events(struct rt_caption *c, const struct rt_reader *reader)
{
	const struct rt_perf_events *events = rt_reader_events(reader);
	size_t i, n = 0;

	for (i = 0; i < events->count; i++) {
		if (rt_perf_event_is_dummy(events->list[i]) || n++ >= TITLE_EVENTS)
			continue;
		rt_text_printf(&c->title, "%s%s", n > 1 ? ", " : "",
			       rt_perf_event_name(events->list[i]));
	}
	if (n > TITLE_EVENTS)
		rt_text_printf(&c->title, " and %zu more events", n - TITLE_EVENTS);
}

void rt_caption_machine(struct rt_caption *c, const struct rt_reader *reader)
{
	const struct rt_env *env = rt_reader_env(reader);

	if (env->hostname)
		rt_text_str(&c->subtitle, env->hostname);
	if (env->os_release)
		rt_text_printf(&c->subtitle, "%sLinux %s", c->subtitle.len ? ", " : "",
			       env->os_release);
	separate(&c->subtitle);
}

void rt_caption_amount(struct rt_caption *c, const struct rt_collect_stats *stats, const char *noun)
{
	if (c->subtitle.len && c->subtitle.base[c->subtitle.len - 1] != ' ')
		rt_text_char(&c->subtitle, ' ');
	rt_number_grouped(&c->subtitle, stats->samples);
	rt_text_printf(&c->subtitle, " %s", noun);
	if (stats->last > stats->first) {
		rt_text_lit(&c->subtitle, " in ");
		rt_number_duration(&c->subtitle, stats->last - stats->first);
	}
}

void rt_caption_losses(struct rt_caption *c, const struct rt_reader *reader, bool damaged)
{
	const struct rt_reader_stats *s = rt_reader_stats(reader);
	uint64_t lost = s->lost ? s->lost : s->lost_samples;

	if (lost) {
		separate(&c->warning);
		rt_number_grouped(&c->warning, lost);
		rt_text_lit(&c->warning, " events were lost while recording and are missing here");
	}
	if (damaged) {
		separate(&c->warning);
		rt_text_lit(&c->warning, "the recording is damaged: only its first part is shown");
	}
}

bool rt_caption_end(struct rt_caption *c)
{
	struct rt_text *texts[] = { &c->title, &c->subtitle, &c->warning };
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		rt_text_char(texts[i], '\0');
		if (texts[i]->failed)
			return false;
		texts[i]->len--;
	}
	return true;
}
