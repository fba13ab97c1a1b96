/* SPDX-License-Identifier: GPL-2.0 */
/* zoom.h - the samples that the browser shows: of one thread, one object, or all. */
#ifndef RT_BROWSE_ZOOM_H
#define RT_BROWSE_ZOOM_H

#include "report/report.h"

#define RT_ZOOMS_MAX 8

enum rt_zoom_kind {
	RT_ZOOM_THREAD,
	RT_ZOOM_OBJECT,
};

struct rt_zoom {
	enum rt_zoom_kind kind;
	int32_t tid;
	char *name; /* of the thread or object */
};

struct rt_zooms { /* all zero: none */
	struct rt_zoom list[RT_ZOOMS_MAX];
	size_t count;
	struct rt_report *report;
};

/* Zoom in; replaces an earlier zoom of the same kind.  False if there is no memory. */
bool rt_zooms_push(struct rt_zooms *z, enum rt_zoom_kind kind, int32_t tid, const char *name);
/* Undo the last one, or the one of this kind; false if there is none. */
bool rt_zooms_pop(struct rt_zooms *z);
bool rt_zooms_drop(struct rt_zooms *z, enum rt_zoom_kind kind);
void rt_zooms_free(struct rt_zooms *z);

/* Make the tables of a report leave out what is not zoomed into. */
void rt_zooms_apply(struct rt_zooms *z, struct rt_report *r);
/* Append what is zoomed into, for the title. */
void rt_zooms_text(const struct rt_zooms *z, struct rt_text *out);

#endif
