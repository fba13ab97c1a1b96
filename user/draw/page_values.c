// SPDX-License-Identifier: GPL-2.0
/* page_values.c - tables of values and histograms of latencies, readable without scripts. */
#include <stdio.h>

#include "draw/escape.h"
#include "draw/number.h"
#include "draw/page.h"

#define VALUES_SHOWN 8	/* of a field */
#define GAP_ROWS     2	/* empty rows of a histogram; more become one */
#define EVENTS_SHOWN 48 /* a page of all system calls would be too long */

/* Numbers this large are addresses or masks, whatever the field calls itself. */
static bool is_address(const struct rt_value_field *f, uint64_t number)
{
	return f->kind == RT_VALUE_POINTER ||
	       (f->kind == RT_VALUE_UNSIGNED && number >= 1ULL << 47);
}

static void put_number(struct rt_text *out, const struct rt_value_field *f, uint64_t number)
{
	if (is_address(f, number)) {
		rt_text_lit(out, "0x");
		rt_text_hex(out, number);
	} else if (f->kind == RT_VALUE_SIGNED) {
		rt_text_s64(out, (int64_t)number);
	} else {
		rt_text_u64(out, number);
	}
}

static void put_count(struct rt_text *out, uint64_t count, uint64_t whole)
{
	rt_text_lit(out, "<td class=\"n\">");
	rt_number_grouped(out, count);
	rt_text_lit(out, "</td><td class=\"n share\">");
	rt_number_bar(out, (double)count, (double)whole);
	rt_text_lit(out, "<span>");
	rt_number_percent(out, (double)count, (double)whole);
	rt_text_lit(out, "</span></td></tr>\n");
}

static void put_summary(struct rt_text *out, const struct rt_value_field *f)
{
	rt_text_lit(out, "<span class=\"range\">");
	rt_number_grouped(out, f->distinct);
	rt_text_str(out, f->distinct == 1 ? " value" : " values");
	if (f->others)
		rt_text_lit(out, ", those that came first; all later ones are others");
	if (f->kind != RT_VALUE_TEXT && !is_address(f, f->max)) {
		rt_text_lit(out, ", ");
		put_number(out, f, f->min);
		rt_text_lit(out, " to ");
		put_number(out, f, f->max);
		rt_text_printf(out, ", mean %.6g", f->sum / (double)f->count);
	}
	rt_text_lit(out, "</span>");
}

static void put_field(struct rt_text *out, const struct rt_value_field *f)
{
	uint64_t rest = f->count;
	size_t i;

	rt_text_lit(out, "<div class=\"card\"><h4>");
	rt_xml_text(out, f->name);
	rt_text_lit(out, "</h4>");
	put_summary(out, f);
	rt_text_lit(out, "<table>\n");
	for (i = 0; i < f->distinct && i < VALUES_SHOWN; i++) {
		rt_text_lit(out, "<tr><td>");
		if (f->kind == RT_VALUE_TEXT)
			rt_xml_text(out, f->values[i].text);
		else
			put_number(out, f, f->values[i].number);
		rt_text_lit(out, "</td>");
		put_count(out, f->values[i].count, f->count);
		rest -= f->values[i].count;
	}
	if (rest) {
		rt_text_lit(out, "<tr class=\"rest\"><td>others</td>");
		put_count(out, rest, f->count);
	}
	rt_text_lit(out, "</table></div>\n");
}

void rt_page_values(struct rt_text *out, struct rt_values *v)
{
	size_t i, f, shown = 0, events = 0;

	for (i = 0; i < v->event_count; i++)
		events += v->events[i] && v->events[i]->field_count;
	if (!events)
		return;
	if (!rt_values_sort(v)) {
		out->failed = true;
		return;
	}
	rt_page_section_open(out, "values", "Values",
			     "How often each value of a tracepoint, probe or watch came.");
	for (i = 0; i < v->event_count && shown < EVENTS_SHOWN; i++) {
		const struct rt_value_event *e = v->events[i];

		if (!e || !e->field_count)
			continue;
		shown++;
		rt_page_tab_open(out, rt_perf_event_name(e->event));
		rt_text_lit(out, "<div class=\"cards\">\n");
		for (f = 0; f < e->field_count; f++)
			if (e->fields[f].count)
				put_field(out, &e->fields[f]);
		rt_page_div_close(out);
		rt_page_left_out(out, e->no_value, "field is an array and has no value to count",
				 "fields are arrays and have no value to count");
		rt_page_left_out(out, e->left_out, "more field is not shown",
				 "more fields are not shown");
		rt_page_div_close(out);
	}
	rt_page_left_out(out, events - shown, "more event is not shown",
			 "more events are not shown");
	rt_page_section_close(out);
}

static void put_duration_row(struct rt_text *out, const struct rt_spread *s, unsigned int bucket)
{
	rt_text_lit(out, "<tr><td class=\"n\">from ");
	rt_number_duration(out, rt_spread_floor(bucket));
	rt_text_lit(out, "</td>");
	put_count(out, s->buckets[bucket], s->count);
}

/* How many buckets from I on are empty. */
static unsigned int empty_run(const struct rt_spread *s, unsigned int i, unsigned int last)
{
	unsigned int n = 0;

	while (i + n <= last && !s->buckets[i + n])
		n++;
	return n;
}

static void put_spread(struct rt_text *out, const struct rt_spread *s)
{
	unsigned int first, last, i, empty;

	rt_spread_range(s, &first, &last);
	for (i = first; i <= last; i++) {
		empty = empty_run(s, i, last);
		if (empty <= GAP_ROWS) {
			put_duration_row(out, s, i);
			continue;
		}
		/* One row stands for a long gap. */
		rt_text_lit(out, "<tr class=\"rest\"><td class=\"n\">from ");
		rt_number_duration(out, rt_spread_floor(i));
		rt_text_lit(out, "</td><td class=\"n\">0</td><td></td></tr>\n");
		i += empty - 1;
	}
}

static void put_quantity(struct rt_text *out, const char *name, uint64_t ns)
{
	rt_text_printf(out, "%s", name);
	rt_number_duration(out, ns);
}

static void put_pair(struct rt_text *out, const struct rt_latency_pair *p)
{
	rt_text_lit(out, "<div class=\"card wide\"><h4>");
	rt_xml_text(out, p->start);
	rt_text_lit(out, " \xe2\x86\x92 "); /* an arrow to the right */
	rt_xml_text(out, p->end);
	rt_text_lit(out, "</h4><span class=\"range\">");
	rt_number_grouped(out, p->spread.count);
	rt_text_str(out, p->spread.count == 1 ? " pair, " : " pairs, ");
	put_quantity(out, "shortest ", p->spread.min);
	put_quantity(out, ", mean ", (uint64_t)(p->spread.sum / (double)p->spread.count));
	put_quantity(out, ", half below ", rt_spread_quantile(&p->spread, 0.5));
	put_quantity(out, ", 99% below ", rt_spread_quantile(&p->spread, 0.99));
	put_quantity(out, ", longest ", p->spread.max);
	if (p->unfinished) {
		rt_text_lit(out, "; ");
		rt_number_grouped(out, p->unfinished);
		rt_text_lit(out, " without a recorded end");
	}
	rt_text_lit(out, "</span><table class=\"spread\">\n");
	put_spread(out, &p->spread);
	rt_text_lit(out, "</table></div>\n");
}

void rt_page_latency(struct rt_text *out, struct rt_latency *l)
{
	const struct rt_latency_pair *p;
	size_t i, shown = 0, more = 0, open = 0;

	for (i = 0; (p = rt_latency_get(l, i)); i++) {
		open += !p->spread.count;
		more += p->spread.count && shown == EVENTS_SHOWN;
		if (!p->spread.count || shown == EVENTS_SHOWN)
			continue;
		if (!shown++) {
			rt_page_section_open(
				out, "latency", "Latency",
				"The time between two events that belong together. Bounds "
				"such as \xe2\x80\x9chalf below\xe2\x80\x9d are ends of "
				"buckets, which are powers of two.");
			rt_text_lit(out, "<div class=\"cards\">\n");
		}
		put_pair(out, p);
	}
	if (!shown)
		return;
	rt_page_div_close(out);
	rt_page_left_out(out, more, "more pair of events is not shown",
			 "more pairs of events are not shown");
	rt_page_left_out(out, open, "more pair of events was never complete",
			 "more pairs of events were never complete");
	rt_page_section_close(out);
}
