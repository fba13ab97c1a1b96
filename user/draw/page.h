/* SPDX-License-Identifier: GPL-2.0 */
/*
 * page.h - one HTML page about a recording.  Style, script and data are in the page, and its
 * content security policy allows nothing else: no request, and no script or style but these.
 *
 * A caller opens the page, appends sections in their order, and closes it.  The page can be read
 * and printed without scripts, except for the timeline.
 */
#ifndef RT_DRAW_PAGE_H
#define RT_DRAW_PAGE_H

#include "analysis/latency.h"
#include "analysis/timeline.h"
#include "analysis/values.h"
#include "base/text.h"

void rt_page_open(struct rt_text *out, const char *title, const char *subtitle);
void rt_page_close(struct rt_text *out);

/* A line across the page: something is missing. */
void rt_page_warning(struct rt_text *out, const char *text);

/* Large numbers, then facts; each list is opened, filled and closed. */
void rt_page_tiles_open(struct rt_text *out);
void rt_page_tile(struct rt_text *out, const char *name, const char *value, bool bad);
void rt_page_facts_open(struct rt_text *out);
void rt_page_fact(struct rt_text *out, const char *name, const char *value);
void rt_page_facts_close(struct rt_text *out);

void rt_page_section_open(struct rt_text *out, const char *id, const char *heading,
			  const char *about);
void rt_page_section_close(struct rt_text *out);

/* Parts of a section of which the reader chooses one. */
void rt_page_tab_open(struct rt_text *out, const char *name);
void rt_page_div_close(struct rt_text *out);

/* Say that N things are not shown, if there are any: "1 more row is …" or "2 more rows are …". */
void rt_page_left_out(struct rt_text *out, uint64_t n, const char *one, const char *many);

/*
 * Sections of analyses; nothing is appended if there is nothing to show.  NO_TIME and NO_CPU samples
 * do not say when and where they were taken.
 */
void rt_page_timeline(struct rt_text *out, struct rt_timeline *t, uint64_t no_time,
		      uint64_t no_cpu);
void rt_page_values(struct rt_text *out, struct rt_values *v);
void rt_page_latency(struct rt_text *out, struct rt_latency *l);

#endif
