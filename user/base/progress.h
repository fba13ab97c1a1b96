/* SPDX-License-Identifier: GPL-2.0 */
/*
 * progress.h - a bar on the terminal while a big file is read or completed.
 *
 * The bar appears only after a moment, so that short work stays quiet, and only if the caller's
 * stream is a terminal.  Updates are cheap enough to call them for each batch of records.
 */
#ifndef RT_BASE_PROGRESS_H
#define RT_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct rt_progress {
	const char *what;
	uint64_t total;
	uint64_t started, shown; /* nanoseconds */
	FILE *terminal;		 /* NULL: no bar */
	bool visible;
};

/* TERMINAL may be NULL: then nothing is shown. */
void rt_progress_start(struct rt_progress *p, FILE *terminal, const char *what, uint64_t total);
void rt_progress_update(struct rt_progress *p, uint64_t done);
/* The same for one long step without parts: WHAT and TOTAL appear at once; only for large totals. */
void rt_progress_announce(struct rt_progress *p, FILE *terminal, const char *what, uint64_t total);
/* Erase the bar; call this before anything else is written to the terminal. */
void rt_progress_end(struct rt_progress *p);

#endif
