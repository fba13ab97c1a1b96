// SPDX-License-Identifier: GPL-2.0
/* tables.c - every table of a report, each below its heading. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/hierarchy.h"
#include "report/key_text.h"
#include "report/losses.h"
#include "report/order.h"
#include "report/print.h"

/* perf's short form of a count: 999, 1K, 1M. */
static void put_count(struct rt_text *out, uint64_t count)
{
	static const char units[] = " KMG";
	const char *unit = units;

	for (; count > 1000 && unit[1]; unit++)
		count /= 1000;
	rt_text_u64(out, count);
	rt_text_char(out, *unit);
}

/* Whether --group makes one table of a recording whose events are in no groups. */
static bool all_together(const struct rt_report *r)
{
	const struct rt_perf_events *events = rt_reader_events(r->reader);
	size_t i;

	for (i = 0; i < events->count; i++)
		if (events->list[i]->leader != events->list[i])
			return false;
	return r->opt->group_all && events->count > 1;
}

static void put_names(const struct rt_report_table *t, struct rt_text *out)
{
	const struct rt_perf_event *leader = t->events[0];
	bool together = all_together(t->r);
	size_t m;

	if (t->members == 1) {
		rt_key_put_all(t->r, rt_perf_event_name(leader), out);
		return;
	}
	if (!together) {
		if (leader->group_name && *leader->group_name)
			rt_key_put_all(t->r, leader->group_name, out);
		else
			rt_text_lit(out, "anon group");
		rt_text_lit(out, " { ");
	}
	for (m = 0; m < t->members; m++) {
		if (m)
			rt_text_lit(out, ", ");
		rt_key_put_all(t->r, rt_perf_event_name(t->events[m]), out);
	}
	if (!together)
		rt_text_lit(out, " }");
}

static bool is_empty(const struct rt_report *r, const struct rt_perf_event *event)
{
	return event->index >= r->samples_room || !r->samples[event->index].all;
}

static uint64_t samples_of(const struct rt_report *r, const struct rt_perf_event *event)
{
	if (event->index >= r->samples_room)
		return 0;
	return r->opt->relative ? r->samples[event->index].unfiltered :
				  r->samples[event->index].all;
}

void rt_print_totals(const struct rt_report_table *t, struct rt_text *out)
{
	uint64_t samples = 0, period = 0;
	size_t m;

	for (m = 0; m < t->members; m++) {
		samples += samples_of(t->r, t->events[m]);
		period += t->total[m];
	}
	rt_text_lit(out, "Samples: ");
	put_count(out, samples);
	rt_text_str(out, t->members > 1 ? " of events '" : " of event '");
	put_names(t, out);
	rt_text_char(out, '\'');
	if (t->r->opt->time) {
		rt_text_lit(out, " (time slices: ");
		rt_key_put_all(t->r, t->r->opt->time, out);
		rt_text_char(out, ')');
	}
	rt_text_str(out, t->r->opt->memory ? "\n# Total weight : " : "\n# Event count (approx.): ");
	rt_text_u64(out, period);
	if (t->r->opt->socket) {
		rt_text_lit(out, "\n# Processor Socket: ");
		rt_text_s64(out, atoi(t->r->opt->socket));
	}
	if (t->r->opt->memory) {
		rt_text_lit(out, "\n# Sort order   : ");
		rt_columns_order(t->r, out);
	}
}

static int put_table(struct rt_report *r, const struct rt_perf_event **events, size_t members,
		     struct rt_text *text, FILE *out, struct rt_err *err)
{
	struct rt_report_table t;
	uint32_t i;
	int ret;

	ret = rt_table_make(&t, r, events, members, err);
	if (!ret) {
		rt_table_sort(&t);
		for (i = 0; i < t.count && !r->shown; i++)
			r->shown = rt_print_wants(&t, t.lines[i]);
		if (!r->opt->quiet) {
			rt_text_lit(text, "# ");
			rt_print_totals(&t, text);
			rt_text_lit(text, "\n#\n");
		}
		ret = r->opt->hierarchy ? rt_hierarchy_print(&t, text) :
					  rt_print_table(&t, text, out);
		if (ret)
			rt_err_set(err, ret, "cannot write the output: %s", strerror(-ret));
		rt_text_lit(text, "\n\n");
	}
	rt_table_free(&t);
	return ret;
}

size_t rt_report_members(const struct rt_report *r, const struct rt_perf_event *leader,
			 const struct rt_perf_event **list)
{
	const struct rt_perf_events *events = rt_reader_events(r->reader);
	bool together = all_together(r);
	size_t i, n = 0;

	if (r->opt->group && (together ? leader != events->list[0] : leader->leader != leader))
		return 0;
	if (!r->opt->show_empty && is_empty(r, leader))
		return 0;
	list[n++] = leader;
	for (i = 0; r->opt->group && i < events->count; i++)
		if (events->list[i] != leader && (together || events->list[i]->leader == leader))
			list[n++] = events->list[i];
	return n;
}

static int put_tables(struct rt_report *r, struct rt_text *text, FILE *out, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(r->reader);
	const struct rt_perf_event **list = calloc(events->count + 1, sizeof(*list));
	size_t i, n;
	int ret = 0;

	if (!list)
		return rt_err_set(err, ENOMEM, "out of memory");
	for (i = 0; !ret && i < events->count; i++) {
		n = rt_report_members(r, events->list[i], list);
		if (n)
			ret = put_table(r, list, n, text, out, err);
	}
	free(list);
	return ret;
}

/* Name the only value of each column that is not shown. */
static void put_elided(const struct rt_report *r, struct rt_text *out)
{
	size_t i;

	for (i = 0; i < r->columns.key_count; i++) {
		const struct rt_key *key = r->columns.keys[i];
		const struct rt_names *names;

		if (!key->elided)
			continue;
		names = !strcmp(key->type->name, "comm") ? r->opt->comms :
			!strcmp(key->type->name, "dso")	 ? &r->opt->objects :
							   &r->opt->symbols;
		rt_text_printf(out, "# %s: ", key->type->name);
		rt_key_put_all(r, names->list[0], out);
		rt_text_char(out, '\n');
	}
}

int rt_report_print(struct rt_report *r, FILE *out, struct rt_err *err)
{
	struct rt_text text;
	int ret;

	rt_text_init(&text);
	if (!r->opt->quiet) {
		put_elided(r, &text);
		rt_losses_put(r, &text);
	}
	ret = put_tables(r, &text, out, err);
	if (!ret && !r->opt->quiet)
		rt_text_lit(
			&text,
			"#\n# (For a higher level overview, try: ringtail report --sort comm,dso)\n#\n");
	if (!ret && text.len && fwrite(text.base, 1, text.len, out) != text.len)
		ret = rt_err_set(err, EIO, "cannot write the output");
	rt_text_free(&text);
	return ret;
}
