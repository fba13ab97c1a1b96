// SPDX-License-Identifier: GPL-2.0
/*
 * A writer from its opening to its end, and its events.
 */
#include "perfdata/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "perfdata/format.h"

/* Sizes that a perf_event_attr has had, up to the last that perf 5.10 takes. */
static const uint32_t attr_sizes[] = { 64, 72, 80, 96, 104, 112, 120 };

#define ATTR_SIZES     (sizeof(attr_sizes) / sizeof(*attr_sizes))
#define ATTR_SIZE_MAX  120
#define STACK_USER_MAX 65528

static uint64_t to_ns(const struct timespec *ts)
{
	return ts->tv_sec * 1000000000ULL + ts->tv_nsec;
}

static void free_writer(struct rt_writer *w)
{
	unsigned i;

	for (i = 0; i < w->event_count; i++) {
		free(w->events[i].name);
		free(w->events[i].ids);
		free(w->events[i].format);
	}
	free(w->events);
	for (i = 0; w->argv && i < w->argc; i++)
		free(w->argv[i]);
	free(w->argv);
	rt_section_free(&w->tracing);
	rt_write_dsos_free(&w->dsos);
	rt_host_free(&w->own_host);
	if (w->own_fd)
		close(w->fd);
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
	if (!w->path || !w->buf || copy_argv(w, opt)) {
		free_writer(w);
		return NULL;
	}
	w->clockid = opt->clockid;
	w->wall_ns = opt->wall_ns;
	w->clock_ns = opt->clock_ns;
	w->foreign = opt->foreign;
	w->no_build_ids = opt->no_build_ids || opt->foreign;
	w->checkpoint_ns = opt->checkpoint_ns ? opt->checkpoint_ns : RT_WRITER_CHECKPOINT;
	w->tracepoint_next = UINT16_MAX;
	w->host = opt->host;
	if (!w->host) {
		rt_host_read(&w->own_host);
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

int rt_writer_open(const char *path, const struct rt_writer_options *opt, struct rt_writer **out,
		   struct rt_err *err)
{
	struct rt_writer *w;
	struct stat st;
	int ret;

	if (!strcmp(path, "-"))
		return rt_writer_open_pipe(STDOUT_FILENO, opt, out, err);
	w = new_writer(path, opt);
	if (!w)
		return rt_err_set(err, ENOMEM, "no memory to write %s", path);
	w->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	w->created = w->fd >= 0;
	if (w->fd < 0 && errno == EEXIST)
		w->fd = open(path, O_WRONLY | O_CLOEXEC);
	w->own_fd = w->fd >= 0;
	if (w->fd < 0 || fstat(w->fd, &st)) {
		ret = rt_err_set(err, errno, "cannot open %s for writing: %s", path,
				 strerror(errno));
		rt_writer_abort(w);
		return ret;
	}
	/* A fifo, a terminal or /dev/null has no place to come back to. */
	w->pipe = !S_ISREG(st.st_mode);
	*out = w;
	return 0;
}

/* --- events ----------------------------------------------------------------------- */

static int check_event(const struct rt_writer *w, const struct rt_writer_event *event,
		       struct rt_err *err)
{
	const struct rt_attr *a = &event->attr;
	uint64_t more = a->sample_type & ~(RT_WRITER_SAMPLE | RT_WRITER_SAMPLE_MORE);
	const uint8_t *rest = (const uint8_t *)a + ATTR_SIZE_MAX;
	size_t i;

	if (w->state != RT_WRITE_ADDING)
		return rt_err_set(err, EBUSY, "%s: events are added before the recording begins",
				  event->name);
	if (w->event_count == RT_WRITER_EVENTS_MAX)
		return rt_err_set(err, E2BIG, "a recording holds at most %d events",
				  RT_WRITER_EVENTS_MAX);
	if (more)
		return rt_err_set(err, EINVAL, "%s: sample_type 0x%llx cannot be written",
				  event->name, (unsigned long long)more);
	for (i = 0; i < sizeof(*a) - ATTR_SIZE_MAX; i++)
		if (rest[i])
			return rt_err_set(
				err, EINVAL,
				"%s: its attr is longer than the %d bytes that perf 5.10 takes",
				event->name, ATTR_SIZE_MAX);
	if ((a->sample_type & RT_SAMPLE_REGS_USER && !a->sample_regs_user) ||
	    (a->sample_type & RT_SAMPLE_REGS_INTR && !a->sample_regs_intr))
		return rt_err_set(err, EINVAL, "%s: registers without a mask of them", event->name);
	if (a->sample_type & RT_SAMPLE_STACK_USER &&
	    (!a->sample_stack_user || a->sample_stack_user % 8 ||
	     a->sample_stack_user > STACK_USER_MAX))
		return rt_err_set(err, EINVAL,
				  "%s: a user stack dump takes a multiple of 8 bytes, at most %d",
				  event->name, STACK_USER_MAX);
	if (a->type == RT_TYPE_TRACEPOINT && (!strchr(event->name, ':') || a->config > UINT16_MAX))
		return rt_err_set(err, EINVAL,
				  "'%s' is not a tracepoint: SYSTEM:EVENT with a 16-bit id",
				  event->name);
	if (event->ids && !event->ids_count)
		return rt_err_set(err, EINVAL, "%s has no id", event->name);
	return 0;
}

/* Its format and its id agree; an event of our own gets its id when all others are known. */
static int settle_tracepoint(struct rt_writer *w, struct rt_write_event *ev, const char *format,
			     struct rt_err *err)
{
	int id;

	if (format) {
		ev->format = strdup(format);
		if (!ev->format)
			return rt_err_set(err, ENOMEM, "no memory for the format of %s", ev->name);
	} else {
		id = rt_format_read(ev->name, &ev->format, err);
		if (id)
			return id;
	}
	id = rt_format_id(ev->format);
	if (id < 0)
		return rt_err_set(err, EINVAL, "the format of %s has no ID line", ev->name);
	if (!format && !ev->attr.config)
		ev->attr.config = id;
	ev->attr.sample_type |= RT_SAMPLE_RAW;
	if (!ev->attr.sample_period)
		ev->attr.sample_period = 1;
	if (ev->attr.config)
		rt_write_take(w->tracepoints, ev->attr.config);
	return 0;
}

/* An id of our own choosing stays 0 until all others are known. */
static int copy_ids(struct rt_write_event *ev, const struct rt_writer_event *event,
		    struct rt_err *err)
{
	ev->ids_count = event->ids ? event->ids_count : 1;
	ev->ids = calloc(ev->ids_count, sizeof(*ev->ids));
	ev->name = strdup(event->name);
	if (!ev->ids || !ev->name)
		return rt_err_set(err, ENOMEM, "no memory for the event %s", event->name);
	if (event->ids)
		memcpy(ev->ids, event->ids, ev->ids_count * sizeof(*ev->ids));
	return 0;
}

static struct rt_write_event *next_event(struct rt_writer *w)
{
	unsigned room = w->event_room ? w->event_room * 2 : 16;
	struct rt_write_event *events;

	if (w->event_count == w->event_room) {
		events = realloc(w->events, room * sizeof(*events));
		if (!events)
			return NULL;
		w->events = events;
		w->event_room = room;
	}
	memset(&w->events[w->event_count], 0, sizeof(*w->events));
	return &w->events[w->event_count];
}

int rt_writer_add(struct rt_writer *w, const struct rt_writer_event *event, struct rt_err *err)
{
	struct rt_write_event *ev;
	int ret;

	ret = check_event(w, event, err);
	if (ret)
		return ret;
	ev = next_event(w);
	if (!ev)
		return rt_err_set(err, ENOMEM, "no memory for the event %s", event->name);
	ev->attr = event->attr;
	ev->attr.sample_type |= RT_WRITER_SAMPLE;
	ev->attr.flags |= RT_ATTR_SAMPLE_ID_ALL;
	if (!w->event_count) /* the one whose stream carries the tasks and maps */
		ev->attr.flags |= RT_ATTR_MMAP | RT_ATTR_MMAP2 | RT_ATTR_COMM | RT_ATTR_COMM_EXEC |
				  RT_ATTR_TASK;
	if (w->clockid != RT_WRITER_NO_CLOCKID) {
		ev->attr.flags |= RT_ATTR_USE_CLOCKID;
		ev->attr.clockid = w->clockid;
	}
	if (ev->attr.sample_type & RT_SAMPLE_REGS_USER)
		ev->user_regs = __builtin_popcountll(ev->attr.sample_regs_user);
	if (ev->attr.sample_type & RT_SAMPLE_REGS_INTR)
		ev->intr_regs = __builtin_popcountll(ev->attr.sample_regs_intr);

	ret = copy_ids(ev, event, err);
	if (!ret && ev->attr.type == RT_TYPE_TRACEPOINT)
		ret = settle_tracepoint(w, ev, event->format, err);
	if (ret) {
		free(ev->ids);
		free(ev->name);
		free(ev->format);
		return ret;
	}
	w->data_maps |= ev->attr.sample_type & RT_SAMPLE_STACK_USER;
	return w->event_count++;
}

bool rt_writer_wants(const struct rt_writer *w, const struct rt_writer_map *map)
{
	return map->prot & PROT_EXEC || (w->data_maps && map->prot & PROT_READ &&
					 map->filename[0] == '/' && map->filename[1] != '/');
}

/* --- begin ------------------------------------------------------------------------ */

/*
 * The kernel numbers its tracepoints from the bottom of 16 bits upwards, we ours from the
 * top downwards; only the ids within one file must differ, and those are all known.
 */
static int choose_tracepoint(struct rt_writer *w)
{
	while (w->tracepoint_next && rt_write_take(w->tracepoints, w->tracepoint_next))
		w->tracepoint_next--;
	return w->tracepoint_next;
}

static void settle_ids(struct rt_writer *w)
{
	uint64_t top = 0;
	unsigned i;
	size_t k;

	for (i = 0; i < w->event_count; i++)
		for (k = 0; k < w->events[i].ids_count; k++)
			if (w->events[i].ids[k] > top)
				top = w->events[i].ids[k];
	for (i = 0; i < w->event_count; i++)
		if (!w->events[i].ids[0])
			w->events[i].ids[0] = ++top;
}

static int settle_formats(struct rt_writer *w, struct rt_err *err)
{
	struct rt_write_event *ev;
	char *text;
	unsigned i;

	for (i = 0; i < w->event_count; i++) {
		ev = &w->events[i];
		if (!ev->format)
			continue;
		if (!ev->attr.config)
			ev->attr.config = choose_tracepoint(w);
		if (!ev->attr.config)
			return rt_err_set(err, E2BIG, "no tracepoint id is left for %s", ev->name);
		if (rt_format_id(ev->format) == (int)ev->attr.config)
			continue;
		text = rt_format_with_id(ev->format, ev->attr.config);
		if (!text)
			return rt_err_set(err, ENOMEM, "no memory for the format of %s", ev->name);
		free(ev->format);
		ev->format = text;
	}
	return 0;
}

/* The smallest published size that holds every field in use. */
static void settle_attr_size(struct rt_writer *w)
{
	size_t k = 0;
	unsigned i, last;

	for (i = 0; i < w->event_count; i++) {
		const uint8_t *bytes = (const uint8_t *)&w->events[i].attr;

		for (last = ATTR_SIZE_MAX; last && !bytes[last - 1]; last--)
			;
		while (k < ATTR_SIZES - 1 && attr_sizes[k] < last)
			k++;
	}
	w->attr_size = attr_sizes[k];
}

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
	if (w->state != RT_WRITE_ADDING)
		return rt_err_set(err, EBUSY, "%s: the recording has begun already", w->path);
	ret = settle_formats(w, err);
	if (!ret)
		ret = settle_clock(w, err);
	if (ret)
		return ret;
	if (w->data_maps)
		w->events[0].attr.flags |= RT_ATTR_MMAP_DATA;
	settle_ids(w);
	settle_attr_size(w);
	ret = rt_write_tracing(w, err);
	if (ret)
		return ret;
	w->state = RT_WRITE_RECORDS;
	ret = w->pipe ? rt_write_pipe_begin(w) : rt_write_file_begin(w);
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

uint64_t rt_writer_samples(const struct rt_writer *w, unsigned event)
{
	return event < w->event_count ? w->events[event].samples : 0;
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
	ret = w->pipe ? rt_write_flush(w) : rt_write_file_end(w);
	if (w->own_fd) {
		w->own_fd = false;
		if (close(w->fd) && !ret)
			ret = rt_write_fail(w, errno, "cannot write %s: %s", w->path,
					    strerror(errno));
	}
	if (ret)
		rt_err_set(err, ret, "%s", w->error.text);
	free_writer(w);
	return ret;
}

void rt_writer_abort(struct rt_writer *w)
{
	if (w->state == RT_WRITE_ADDING && w->created)
		unlink(w->path);
	free_writer(w);
}
