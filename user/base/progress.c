// SPDX-License-Identifier: GPL-2.0
#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MSEC	    1000000ull
#define QUIET_TIME  (500 * MSEC) /* work shorter than this shows no bar */
#define REDRAW_TIME (100 * MSEC)
#define BAR_WIDTH   40

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

void rt_progress_start(struct rt_progress *p, const char *what, uint64_t total)
{
	memset(p, 0, sizeof(*p));
	p->what = what;
	p->total = total;
	p->on = total && isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO);
	if (p->on)
		p->started = p->shown = now();
}

void rt_progress_update(struct rt_progress *p, uint64_t done)
{
	char bar[BAR_WIDTH + 1];
	uint64_t t;
	int filled;

	if (!p->on)
		return;
	t = now();
	if (t - p->started < QUIET_TIME || t - p->shown < REDRAW_TIME)
		return;
	if (done > p->total)
		done = p->total;
	filled = (int)((double)done / (double)p->total * BAR_WIDTH);
	memset(bar, '#', filled);
	memset(bar + filled, '.', BAR_WIDTH - filled);
	bar[BAR_WIDTH] = 0;
	fprintf(stderr, "\r%s [%s] %3d%%", p->what, bar,
		(int)((double)done / (double)p->total * 100));
	fflush(stderr);
	p->shown = t;
	p->visible = true;
}

void rt_progress_end(struct rt_progress *p)
{
	if (p->visible)
		fprintf(stderr, "\r\033[K");
	p->on = p->visible = false;
}
