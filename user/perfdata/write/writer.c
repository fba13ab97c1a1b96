// SPDX-License-Identifier: GPL-2.0
/* The life of a writer, from open to close. */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static uint64_t to_ns(const struct timespec *ts)
{
	return ts->tv_sec * 1000000000ULL + ts->tv_nsec;
}

static void free_writer(struct rt_writer *w)
{
	unsigned i;

	for (i = 0; i < w->event_count; i++) {
		free(w->events[i].name);
		free(w->events[i].alias);
		free(w->events[i].ids);
		free(w->events[i].format);
	}
	free(w->events);
	for (i = 0; w->argv && i < w->argc; i++)
		free(w->argv[i]);
	free(w->argv);
	rt_section_free(&w->tracing);
	rt_write_dsos_free(&w->dsos);
	rt_write_counts_free(&w->counts);
	rt_host_description_free(&w->own_host);
	rt_write_place_free(w);
	rt_pack_free(w->pack);
	free(w->buf);
	free(w->path);
	free(w);
}

static int copy_argv(struct rt_writer *w, const struct rt_writer_options *opt)
{
	w->argv = calloc(opt->argc + 1, sizeof(*w->argv));
	if (!w->argv)
		return -ENOMEM;
	for (w->argc = 0; w->argc < (uint32_t)opt->argc; w->argc++) {
		w->argv[w->argc] = strdup(opt->argv[w->argc]);
		if (!w->argv[w->argc])
			return -ENOMEM;
	}
	return 0;
}

static struct rt_writer *new_writer(const char *path, const struct rt_writer_options *opt)
{
	struct rt_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->fd = -1;
	w->path = strdup(path);
	w->buf = malloc(RT_WRITER_BUFFER);
	w->pack = opt->level ? rt_pack_new(opt->level) : NULL;
	if (!w->path || !w->buf || copy_argv(w, opt) || (opt->level && !w->pack)) {
		free_writer(w);
		return NULL;
	}
	w->clockid = opt->clockid;
	w->wall_ns = opt->wall_ns;
	w->clock_ns = opt->clock_ns;
	w->foreign = opt->foreign;
	w->sync = opt->sync;
	w->held = opt->held;
	w->room = opt->room;
	w->stalled = opt->stalled;
	w->terse = opt->terse;
	w->raw = opt->raw;
	w->sections = opt->sections;
	w->forward = UINT64_MAX;
	pthread_mutex_init(&w->lock, NULL);
	w->count_threads = opt->count_threads;
	w->no_build_ids = opt->no_build_ids || opt->foreign;
	w->checkpoint_ns = opt->checkpoint_ns ? opt->checkpoint_ns :
			   opt->sync	      ? RT_WRITER_SYNC :
						RT_WRITER_CHECKPOINT;
	w->tracepoint_next = UINT16_MAX;
	w->host = opt->host;
	if (!w->host) {
		rt_host_describe(&w->own_host);
		w->host = &w->own_host;
	}
	return w;
}

int rt_writer_open_pipe(int fd, const struct rt_writer_options *opt, struct rt_writer **out,
			struct rt_err *err)
{
	struct rt_writer *w = new_writer("the pipe", opt);

	if (!w)
		return rt_err_set(err, ENOMEM, "no memory to write a recording");
	w->fd = fd;
	w->pipe = true;
	*out = w;
	return 0;
}

int rt_writer_open_file(int fd, const char *path, const struct rt_writer_options *opt,
			struct rt_writer **out, struct rt_err *err)
{
	struct rt_writer *w = new_writer(path, opt);

	if (!w)
		return rt_err_set(err, ENOMEM, "no memory to write a recording");
	w->fd = fd;
	*out = w;
	return 0;
}

int rt_writer_open(const char *path, const struct rt_writer_options *opt, struct rt_writer **out,
		   struct rt_err *err)
{
	struct rt_writer *w;
	int ret;

	if (!strcmp(path, "-"))
		return rt_writer_open_pipe(STDOUT_FILENO, opt, out, err);
	w = new_writer(path, opt);
	if (!w)
		return rt_err_set(err, ENOMEM, "no memory to write %s", path);
	ret = rt_write_place_open(w, err);
	if (ret)
		free_writer(w);
	else
		*out = w;
	return ret;
}

/* --- begin ------------------------------------------------------------------------ */

static int settle_clock(struct rt_writer *w, struct rt_err *err)
{
	struct timespec wall, clock, res;

	if (w->clockid == RT_WRITER_NO_CLOCKID)
		return 0;
	w->clock_res_ns = 1;
	if (w->foreign)
		return 0;
	if (clock_getres(w->clockid, &res) || clock_gettime(w->clockid, &clock) ||
	    clock_gettime(CLOCK_REALTIME, &wall))
		return rt_err_set(err, errno, "clock %d cannot be read: %s", w->clockid,
				  strerror(errno));
	w->clock_res_ns = to_ns(&res);
	if (!w->clock_ns) {
		w->wall_ns = to_ns(&wall);
		w->clock_ns = to_ns(&clock);
	}
	return 0;
}

int rt_writer_begin(struct rt_writer *w, struct rt_err *err)
{
	int ret;

	if (!w->event_count)
		return rt_err_set(err, EINVAL, "a recording needs at least one event");
	if (w->raw && w->pipe)
		return rt_err_set(err, EINVAL, "%s: a raw recording needs a regular file", w->path);
	if (w->state != RT_WRITE_ADDING)
		return rt_err_set(err, EBUSY, "%s: the recording has begun already", w->path);
	ret = settle_clock(w, err);
	if (!ret)
		ret = rt_write_events_settle(w, err);
	if (!ret)
		ret = rt_write_tracing(w, err);
	if (ret)
		return ret;
	w->state = RT_WRITE_RECORDS;
	ret = w->pipe ? rt_write_pipe_begin(w) : rt_write_file_begin(w);
	if (!ret && !w->held)
		ret = rt_write_place_publish(w);
	return ret ? rt_err_set(err, ret, "%s", w->error.text) : 0;
}

int rt_writer_publish(struct rt_writer *w, struct rt_err *err)
{
	int ret = rt_write_place_publish(w);

	return ret ? rt_err_set(err, ret, "%s", w->error.text) : 0;
}

/* --- what it knows, and its end ---------------------------------------------------- */

uint64_t rt_writer_id(const struct rt_writer *w, unsigned event)
{
	return event < w->event_count ? w->events[event].ids[0] : 0;
}

uint16_t rt_writer_tracepoint(const struct rt_writer *w, unsigned event)
{
	return event < w->event_count && w->events[event].format ? w->events[event].attr.config : 0;
}

const struct rt_writer_stats *rt_writer_stats(const struct rt_writer *w)
{
	return &w->stats;
}

void rt_writer_flush(struct rt_writer *w)
{
	rt_write_flush(w);
}

int rt_writer_close(struct rt_writer *w, struct rt_err *err)
{
	unsigned i;
	int ret;

	if (w->state != RT_WRITE_RECORDS) {
		rt_writer_abort(w);
		return rt_err_set(err, EINVAL, "the recording never began");
	}
	for (i = 0; i < w->event_count; i++)
		if (w->events[i].lost)
			rt_write_lost_samples(w, &w->events[i]);
	rt_write_counts_end(w);
	if (!w->failed)
		rt_write_note(w, RT_NOTE_END);
	ret = w->pipe ? rt_write_flush(w) : rt_write_file_end(w);
	if (w->own_fd) {
		w->own_fd = false;
		if (close(w->fd) && !ret)
			ret = rt_write_fail(w, errno, "cannot write %s: %s", w->path,
					    strerror(errno));
	}
	if (ret && w->pipe)
		rt_write_missing(w, w->flushed_samples);
	if (ret)
		rt_err_set(err, ret, "%s", w->error.text);
	free_writer(w);
	return ret;
}

void rt_writer_abort(struct rt_writer *w)
{
	free_writer(w);
}
