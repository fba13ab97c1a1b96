// SPDX-License-Identifier: GPL-2.0
#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MSEC	    1000000ull
#define QUIET_TIME  (500 * MSEC) /* shorter work shows no bar */
#define REDRAW_TIME (100 * MSEC)
#define BAR_WIDTH   40
#define LARGE	    500 /* announced from here on */

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

void rt_progress_start(struct rt_progress *p, FILE *terminal, const char *what, uint64_t total)
{
	memset(p, 0, sizeof(*p));
	p->what = what;
	p->total = total;
	p->terminal = total && terminal && isatty(fileno(terminal)) ? terminal : NULL;
	if (p->terminal)
		p->started = p->shown = now();
}

void rt_progress_announce(struct rt_progress *p, FILE *terminal, const char *what, uint64_t total)
{
	rt_progress_start(p, terminal, what, total);
	if (!p->terminal || total < LARGE)
		return;
	fprintf(p->terminal, "\r%s: %llu", what, (unsigned long long)total);
	fflush(p->terminal);
	p->visible = true;
}

void rt_progress_update(struct rt_progress *p, uint64_t done)
{
	char bar[BAR_WIDTH + 1];
	uint64_t t;
	int filled;

	if (!p->terminal)
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
	fprintf(p->terminal, "\r%s [%s] %3d%%", p->what, bar,
		(int)((double)done / (double)p->total * 100));
	fflush(p->terminal);
	p->shown = t;
	p->visible = true;
}

void rt_progress_end(struct rt_progress *p)
{
	if (p->visible)
		fprintf(p->terminal, "\r\033[K");
	p->terminal = NULL;
	p->visible = false;
}
