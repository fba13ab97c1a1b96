/* SPDX-License-Identifier: GPL-2.0 */
/*
 * view.h - the state of the browser.
 *
 *	loop.c		reading, and the loop
 *	view.c		the table that is shown, and the place in it
 *	draw.c		the screen
 *	keys.c		what a key does
 *	actions.c	zooming, sorting, searching, changing events
 *	show.c		other texts: help, the header, the events as `ringtail script` prints them
 *	export.c	what is shown, into a file
 */
#ifndef RT_BROWSE_VIEW_H
#define RT_BROWSE_VIEW_H

#include "browse/browse.h"
#include "browse/rows.h"
#include "browse/zoom.h"

#define RT_VIEW_WORDS 128 /* bytes that the user may type */

struct rt_view {
	struct rt_browse_options *opt;
	struct rt_profile **profile;
	struct rt_report_options how; /* of the current reading */
	struct rt_report report;
	bool reading, quit, again; /* again: read the recording with other sort keys */
	int damage;		   /* what the reading returned, and why */
	struct rt_err damage_text;

	/* The table, of one event or group. */
	const struct rt_perf_event **events; /* room for all */
	size_t events_room;
	size_t event;	   /* the first event of the table, as an index */
	bool event_chosen; /* by the user; else the first one that has samples */
	struct rt_report_table table;
	bool made;
	unsigned int widths[RT_COLUMNS_MAX];
	unsigned int fitted[RT_COLUMNS_MAX]; /* the same as the screen shows them */
	struct rt_rows rows;
	struct rt_zooms zooms;

	/* The place in it. */
	uint32_t top, selected; /* rows */
	int shift;		/* columns to the right */
	bool moved;		/* the user chose a row */

	char only[RT_VIEW_WORDS]; /* only lines with this text */
	char find[RT_VIEW_WORDS]; /* the text that was looked for last */
	char sort[RT_VIEW_WORDS]; /* sort keys that were typed; empty: those of the command line */
	char message[256];
	uint64_t next_look, next_make; /* nanoseconds: when to look for keys, and make the table */
};

/* Make the table from what has been read.  The selected row stays the same if it is still there. */
int rt_view_make(struct rt_view *v, struct rt_err *err);
void rt_view_free(struct rt_view *v);
/* List the rows again, after something was opened or closed. */
void rt_view_list(struct rt_view *v);
/* Select a row; negative and too great numbers are the first and the last one. */
void rt_view_select(struct rt_view *v, int64_t row);
/* The selected row; NULL if there is none. */
const struct rt_row *rt_view_row(const struct rt_view *v);
/* The tables that have samples, and which of them is shown, from 1 up. */
size_t rt_view_tables(const struct rt_view *v, size_t *shown);
/* Say something in the last row of the screen until the next key. */
void rt_view_say(struct rt_view *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void rt_view_draw(struct rt_view *v);
/* Choose the widths for the screen as it is now. */
void rt_view_fit(struct rt_view *v);
/* The rows of the list on this screen. */
int rt_view_height(void);

/* Do what a key asks for.  Returns 0, or a negative errno if the browser cannot go on. */
int rt_view_key(struct rt_view *v, int key, struct rt_err *err);

/* For the keys: */
int rt_view_zoom(struct rt_view *v, enum rt_zoom_kind kind, struct rt_err *err);
int rt_view_zoom_kernel(struct rt_view *v, struct rt_err *err);
int rt_view_back(struct rt_view *v, struct rt_err *err);
int rt_view_sort(struct rt_view *v, struct rt_err *err);
int rt_view_event(struct rt_view *v, int step, struct rt_err *err);
int rt_view_choose_event(struct rt_view *v, struct rt_err *err);
void rt_view_only(struct rt_view *v);
void rt_view_find(struct rt_view *v, int step, bool ask);
void rt_view_help(struct rt_view *v);
void rt_view_header(struct rt_view *v);
void rt_view_script(struct rt_view *v);
void rt_view_export(struct rt_view *v);

#endif
