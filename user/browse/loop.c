// SPDX-License-Identifier: GPL-2.0
#include "browse/browse.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "browse/screen.h"
#include "browse/view.h"

#define PIPE_WAIT  30		/* milliseconds between looks for keys while a pipe is empty */
#define LOOK_EVERY 64		/* samples between looks at the clock */
#define LOOK_AFTER 30000000ull	/* nanoseconds between looks for keys while reading */
#define MAKE_AFTER 300000000ull /* nanoseconds between two tables while reading */
#define MAKE_SHARE 9		/* reading gets at least so many times the time of making tables */

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

/* ---- reading ---------------------------------------------------------------------------- */

/* Between two samples: keys, and a new table from time to time. */
static int look(struct rt_view *v, struct rt_err *err)
{
	uint64_t start = now(), end;
	bool draw = false;
	int key, ret = 0;

	if (start < v->next_look)
		return 0;
	while (!ret && (key = rt_screen_key(0)) != RT_KEY_NONE) {
		ret = rt_view_key(v, key, err);
		if (v->quit || v->again)
			return -ECANCELED;
		draw = true;
	}
	if (!ret && start >= v->next_make) {
		ret = rt_view_make(v, err);
		end = now();
		v->next_make = end + (end - start) * MAKE_SHARE;
		if (v->next_make < end + MAKE_AFTER)
			v->next_make = end + MAKE_AFTER;
		draw = true;
	}
	if (draw && !ret)
		rt_view_draw(v);
	v->next_look = now() + LOOK_AFTER;
	return ret;
}

/* Before a read from a pipe: as long as the pipe is empty, only the user can be served. */
static int wait_for_pipe(void *arg, int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	struct rt_browse_options *opt = arg;
	struct rt_view *v = opt->view;
	struct rt_err err = { "" };
	bool waited = false;

	while (v && !poll(&pfd, 1, waited ? PIPE_WAIT : 0)) {
		/* Show everything that has come so far. */
		if (!waited)
			v->next_make = 0;
		waited = true;
		v->next_look = 0;
		if (look(v, &err))
			return -ECANCELED;
	}
	return 0;
}

struct reading {
	struct rt_view *view;
	unsigned int samples;
};

static int on_sample(void *arg, const struct rt_profile_sample *s, struct rt_err *err)
{
	struct reading *r = arg;
	int ret = rt_report_add(&r->view->report, s, err);

	if (!ret && ++r->samples % LOOK_EVERY == 0)
		ret = look(r->view, err);
	return ret;
}

static int read_all(struct rt_view *v, struct rt_err *err)
{
	struct reading reading = { .view = v };
	int ret;

	v->reading = true;
	v->next_make = v->next_look = 0;
	rt_view_draw(v);
	ret = rt_profile_read(*v->profile, on_sample, &reading, err);
	v->reading = false;
	if (v->quit || v->again)
		return 0;
	/* What was read before the damage is worth a table. */
	v->damage = ret;
	if (ret)
		v->damage_text = *err;
	return rt_view_make(v, err);
}

/* ---- the loop --------------------------------------------------------------------------- */

/* Read once, and let the user look; until the end, or until the keys change. */
static int run_once(struct rt_view *v, struct rt_err *err)
{
	int ret;

	v->how = *v->opt->report;
	v->how.by_thread = true;
	if (*v->sort) {
		v->how.sort = v->sort;
		v->how.fields = NULL;
	}
	v->again = false;
	v->event_chosen = false;
	v->top = v->selected = 0;
	v->moved = false;
	ret = rt_report_open(&v->report, &v->how, *v->profile, err);
	if (!ret)
		ret = read_all(v, err);
	while (!ret && !v->quit && !v->again) {
		rt_view_draw(v);
		ret = rt_view_key(v, rt_screen_key(-1), err);
	}
	rt_view_free(v);
	rt_report_close(&v->report);
	return ret;
}

static int open_again(struct rt_view *v, struct rt_err *err)
{
	rt_profile_close(*v->profile);
	*v->profile = NULL;
	rt_timespans_free(&v->opt->profile->want.times);
	return rt_profile_open(v->opt->profile, v->opt->path, v->profile, err);
}

void rt_browse_prepare(struct rt_browse_options *opt)
{
	opt->profile->reader.before_read = wait_for_pipe;
	opt->profile->reader.before_read_arg = opt;
}

int rt_browse(struct rt_browse_options *opt, struct rt_profile **profile, struct rt_err *err)
{
	struct rt_view v = { .opt = opt, .profile = profile };
	int ret;

	ret = rt_screen_open(opt->terminal, err);
	if (ret)
		return ret;
	opt->view = &v;
	do {
		ret = run_once(&v, err);
		if (!ret && v.again)
			ret = open_again(&v, err);
	} while (!ret && v.again);
	opt->view = NULL;
	rt_screen_close();
	rt_zooms_free(&v.zooms);
	if (!ret && v.damage) {
		*err = v.damage_text;
		ret = v.damage;
	}
	return ret;
}
