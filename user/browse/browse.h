/* SPDX-License-Identifier: GPL-2.0 */
/*
 * browse.h - the tables of a report on a terminal.
 *
 *	screen.h	the terminal: text at a place, keys; the only user of ncurses
 *	rows.h		what the list shows: lines, and the opened parts of their call trees
 *	branches.h	those trees
 *	zoom.h		which samples are left out: other threads, other objects
 *	view.h		the state of the browser, and what it does
 *	menu.h		a list to choose from, a line to type in
 *	pager.h		a long text: help, the header, the output of `ringtail script`
 *
 * One thread does everything.  While the recording is read, the browser looks for keys and makes the
 * table again from time to time, between two samples.
 *
 * This folder: the browser of `ringtail report`.  May use: base, perfdata, perfdata/read, process,
 * symbols, stack, profile, report; ncurses.
 */
#ifndef RT_BROWSE_BROWSE_H
#define RT_BROWSE_BROWSE_H

#include <stdio.h>

#include "profile/profile.h"
#include "report/report.h"

struct rt_browse_options {
	struct rt_profile_options *profile;
	const struct rt_report_options *report;
	const char *path; /* of the recording; NULL: as rt_reader_open() */
	FILE *terminal;
	struct rt_view *view; /* of a browser that runs */
};

/* Call this before the profile is opened: the browser then serves the user while a pipe is empty. */
void rt_browse_prepare(struct rt_browse_options *opt);

/*
 * Read the recording and let the user look at it.  The browser may replace the profile by another
 * one of the same file.  Returns 0, or a negative errno with a sentence if the terminal cannot be
 * used or the recording is damaged.
 */
int rt_browse(struct rt_browse_options *opt, struct rt_profile **profile, struct rt_err *err);

#endif
