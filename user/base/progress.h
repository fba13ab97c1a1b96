/* SPDX-License-Identifier: GPL-2.0 */
/*
 * progress.h - a bar on the terminal while a big file is read.
 *
 * Shown only when stderr is a terminal and the answers go somewhere else (otherwise
 * the answers are the progress), and only after a moment, so that short work stays
 * quiet.  Updating is cheap enough to be called for each batch of records.
 */
#ifndef RT_BASE_PROGRESS_H
#define RT_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct rt_progress {
	const char *what;
	uint64_t total;
	uint64_t started, shown; /* nanoseconds */
	bool on, visible;
};

void rt_progress_start(struct rt_progress *p, const char *what, uint64_t total);
void rt_progress_update(struct rt_progress *p, uint64_t done);
/* Wipe the bar, before anything else is written to stderr. */
void rt_progress_end(struct rt_progress *p);

#endif
