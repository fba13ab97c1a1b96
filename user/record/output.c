// SPDX-License-Identifier: GPL-2.0
#include "record/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/size.h"
#include "host/discard.h"
#include "perfdata/write/synth.h"
#include "record/lanes.h"
#include "record/losses.h"
#include "record/pieces.h"
#include "record/recording.h"

#define SECOND	     1000000000ULL
#define SWITCH_TIME  (2 * SECOND)   /* in a storm: at most so long for what came before */
#define SWITCH_SLACK (512ULL << 10) /* by so many bytes at most it may exceed the size for that */
#define LEAST	     (64ULL << 10)  /* bytes of records that each file may have */
#define SWITCH_MAX   (1ULL << 50)   /* bytes */
#define NAME_TRIES   1000	    /* files of one hundredth of a second */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* --- options ---------------------------------------------------------------------- */

int rt_output_take_size(uint64_t *bytes, const char *text, const char *option, struct rt_err *err)
{
	struct rt_size size;

	if (rt_size_parse(&size, text) || size.shift < 0)
		return rt_err_set(err, EINVAL, "%s takes a size such as 500K, 10M or 1G, not '%s'",
				  option, text);
	if (size.number > SWITCH_MAX >> size.shift)
		return rt_err_set(err, EINVAL, "%s %s: no file is that large", option, text);
	*bytes = size.number << size.shift;
	return 0;
}

int rt_output_take_switch(struct rt_output_options *o, const char *text, struct rt_err *err)
{
	static const struct {
		char letter;
		uint64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	unsigned long n;
	char *end;
	size_t i;

	o->switches = true;
	if (!text || !strcmp(text, "signal"))
		return 0;
	errno = 0;
	n = strtoul(text, &end, 10);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (end == text || end[0] != units[i].letter || end[1])
			continue;
		if (errno || *text == '-' || !n || n > 10000000)
			return rt_err_set(err, EINVAL,
					  "--switch-output=%s: give a time of more than 0", text);
		o->switch_ns = n * units[i].seconds * SECOND;
		return 0;
	}
	if (rt_output_take_size(&o->switch_bytes, text, "--switch-output", err))
		return rt_err_set(err, EINVAL,
				  "--switch-output takes 'signal', a size such as 10M, or a time "
				  "such as 30s, 5m, 1h, not '%s'",
				  text);
	return 0;
}

int rt_output_check(const struct rt_output_options *o, struct rt_err *err)
{
	bool pipe = !strcmp(o->path, "-");

	if (pipe && o->switches)
		return rt_err_set(err, EINVAL, "--switch-output needs files: leave out -o -");
	if (pipe && o->timestamp)
		return rt_err_set(err, EINVAL, "--timestamp-filename needs a file: leave out -o -");
	if (o->keep && !o->switches)
		return rt_err_set(err, EINVAL, "a number of files to keep needs --switch-output");
	return 0;
}

/* --- names ------------------------------------------------------------------------ */

/* PATH.YYYYMMDDhhmmsscc, as perf names them; the next hundredth if that name is taken. */
static char *name_with_time(const char *path)
{
	char text[32], *name;
	struct timeval t;
	struct tm tm;
	int i;

	gettimeofday(&t, NULL);
	for (i = 0; i < NAME_TRIES; i++) {
		if (!localtime_r(&t.tv_sec, &tm) ||
		    !strftime(text, sizeof(text), "%Y%m%d%H%M%S", &tm) ||
		    asprintf(&name, "%s.%s%02u", path, text, (unsigned int)(t.tv_usec / 10000)) < 0)
			return NULL;
		if (access(name, F_OK))
			return name;
		free(name);
		t.tv_usec += 10000;
		if (t.tv_usec >= 1000000) {
			t.tv_usec -= 1000000;
			t.tv_sec++;
		}
	}
	return NULL;
}

static int keep(struct rt_output *o, char *name)
{
	char **bigger;
	int held;

	free(o->last);
	o->last = strdup(name);
	o->files++;
	if (!o->opt->keep) {
		free(name);
		return o->last ? 0 : -ENOMEM;
	}
	bigger = realloc(o->names, (o->count + 1) * sizeof(*bigger));
	if (!bigger || !o->last) {
		free(name);
		return -ENOMEM;
	}
	o->names = bigger;
	o->names[o->count++] = name;
	if (o->count > o->opt->keep) {
		held = rt_discard_hold(o->names[0]);
		if (unlink(o->names[0]) && errno != ENOENT)
			rt_err_set(&o->undeleted, errno,
				   "--switch-max-files: cannot delete %s: %s; delete it yourself",
				   o->names[0], strerror(errno));
		rt_discard_free(held);
		free(o->names[0]);
		memmove(o->names, o->names + 1, --o->count * sizeof(*o->names));
	}
	return 0;
}

static int move_away(struct rt_output *o, struct rt_err *err)
{
	char *name = name_with_time(o->opt->path);
	int ret;

	if (!name)
		return rt_err_set(err, ENOMEM, "%s: no name for the complete file", o->opt->path);
	if (rename(o->opt->path, name)) {
		ret = rt_err_set(err, errno, "cannot rename %s to %s: %s", o->opt->path, name,
				 strerror(errno));
		free(name);
		return ret;
	}
	return keep(o, name) ? rt_err_set(err, ENOMEM, "out of memory") : 0;
}

/* --- while recording -------------------------------------------------------------- */

static uint64_t bytes_of(const struct rt_recording *r)
{
	return rt_writer_stats(r->writer)->bytes;
}

/* The file has the tasks of now: how large may it become? */
static void set_limit(const struct rt_output *o, struct rt_recording *r)
{
	r->limit = o->opt->max_size;
	if (!o->opt->switch_bytes)
		return;
	r->limit = bytes_of(r) + LEAST;
	if (r->limit < o->opt->switch_bytes)
		r->limit = o->opt->switch_bytes;
	if (o->opt->max_size && o->opt->max_size < r->limit)
		r->limit = o->opt->max_size;
}

void rt_output_begin(struct rt_output *o, const struct rt_output_options *opt,
		     struct rt_recording *r)
{
	memset(o, 0, sizeof(*o));
	o->opt = opt;
	o->began = now();
	if (r->writer)
		set_limit(o, r);
}

bool rt_output_full(const struct rt_output *o, const struct rt_recording *r)
{
	return o->opt->max_size && bytes_of(r) >= o->opt->max_size;
}

bool rt_output_due(const struct rt_output *o, const struct rt_recording *r, bool asked)
{
	const struct rt_output_options *opt = o->opt;

	if (!opt->switches)
		return false;
	return asked || (opt->switch_bytes && bytes_of(r) >= r->limit) ||
	       (opt->switch_ns && now() - o->began >= opt->switch_ns);
}

int rt_output_wait(const struct rt_output *o)
{
	uint64_t passed = now() - o->began;

	if (!o->opt->switch_ns)
		return -1;
	if (passed >= o->opt->switch_ns)
		return 0;
	passed = (o->opt->switch_ns - passed) / 1000000 + 1;
	return passed < 1000000 ? (int)passed : 1000000;
}

/* Complete the present file; the rings keep what happens until the next one begins. */
static int end_file(struct rt_recording *r, struct rt_err *err)
{
	const struct rt_writer_stats *stats = rt_writer_stats(r->writer);
	int ret = rt_losses_file(r, err);

	rt_writer_flush(r->writer);
	r->samples_before += stats->samples + stats->too_big;
	r->bytes_before += stats->bytes;
	if (ret)
		return ret;
	rt_lanes_end_file(r->lanes);
	ret = rt_writer_close(r->writer, err);
	r->writer = NULL;
	r->began = false;
	return ret;
}

/* Begin another file of the same name: the tasks of now, and the records from here on. */
static int next_file(struct rt_recording *r, struct rt_err *err)
{
	size_t i;
	int ret;

	ret = rt_writer_open(r->path, &r->file, &r->writer, err);
	if (ret)
		return ret;
	for (i = 0; !ret && i < r->count; i++)
		ret = rt_recording_add_to_file(r, &r->events[i], err);
	if (!ret)
		ret = rt_writer_begin(r->writer, err);
	if (!ret && r->raw) {
		ret = rt_pieces_describe(r);
		if (ret)
			rt_err_set(err, -ret, "cannot write %s: %s", r->path, strerror(-ret));
	}
	if (!ret)
		ret = rt_synth_kernel(r->writer, err);
	if (!ret)
		ret = rt_synth_tasks(r->writer, 0, err);
	if (!ret)
		ret = rt_recording_publish(r, err);
	if (ret) {
		rt_writer_abort(r->writer);
		r->writer = NULL;
	}
	return ret;
}

int rt_output_switch(struct rt_output *o, struct rt_recording *r, struct rt_err *err)
{
	uint64_t start = now();
	int ret;

	/*
	 * What happened before now belongs into the file that ends: it has the names of the tasks.  In a storm
	 * that would be too much for a file of limited size.
	 */
	if (r->limit)
		r->limit = bytes_of(r) + SWITCH_SLACK;
	do
		ret = rt_recording_sweep(r, err);
	while (ret >= 0 && r->more && r->complete < start && rt_recording_left(r) > 0 &&
	       now() - start < SWITCH_TIME);
	if (ret >= 0 && r->raw)
		ret = rt_pieces_settle(r, true, err);
	if (ret >= 0)
		ret = end_file(r, err);
	if (!ret)
		ret = move_away(o, err);
	if (!ret)
		ret = next_file(r, err);
	if (!ret)
		set_limit(o, r);
	o->began = now();
	return ret;
}

int rt_output_end(struct rt_output *o, struct rt_err *err)
{
	return o->opt->switches || o->opt->timestamp ? move_away(o, err) : 0;
}

void rt_output_free(struct rt_output *o)
{
	unsigned int i;

	for (i = 0; i < o->count; i++)
		free(o->names[i]);
	free(o->names);
	free(o->last);
}
