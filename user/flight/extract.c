// SPDX-License-Identifier: GPL-2.0
#include "flight/extract.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "flight/internal.h"
#include "image/table.h"
#include "record/off.h"

static enum rt_arch arch_of(const struct rt_anchor *anchor)
{
	return anchor && anchor->machine == EM_AARCH64 ? RT_ARCH_ARM64 : RT_ARCH_X86_64;
}

static void describe(struct rt_flight *f)
{
	struct rt_host_description *host = &f->host;
	const struct rt_anchor_machine *m = &f->found->machine;
	const struct rt_anchor *a = f->session->anchor;

	if (a) {
		snprintf(host->os_release, sizeof(host->os_release), "%.*s", RT_RELEASE_LEN - 1,
			 a->release);
		snprintf(host->arch, sizeof(host->arch), "%s",
			 f->recording.arch == RT_ARCH_ARM64 ? "aarch64" : "x86_64");
	}
	if (!f->found->has_machine)
		return;
	snprintf(host->hostname, sizeof(host->hostname), "%s", m->nodename);
	host->cpus_avail = m->cpus_possible;
	host->cpus_online = m->cpus_online;
	host->total_mem = m->memory / 1024;
}

static int open_file(struct rt_flight *f, struct rt_err *err)
{
	const struct rt_anchor *a = f->session->anchor;
	struct rt_writer_options options = {
		.argc = f->opt->argc,
		.argv = f->opt->argv,
		.clockid = a && a->clock == RT_CLOCK_MONOTONIC ? CLOCK_MONOTONIC :
								 RT_WRITER_NO_CLOCKID,
		.host = f->opt->live ? NULL : &f->host,
		.foreign = !f->opt->live,
		.held = true,
	};

	describe(f);
	if (a && a->time && !f->opt->live) {
		options.wall_ns = a->wall;
		options.clock_ns = a->time;
	}
	return rt_writer_open(f->opt->path, &options, &f->recording.writer, err);
}

/* For how long watches were off: into the file, and in words. */
static int tell_off(struct rt_flight *f, struct rt_err *err)
{
	const struct rt_off_list *off = &f->recording.off;
	uint64_t newest = 0;
	size_t i, size;
	FILE *out;
	int ret;

	if (!off->count)
		return 0;
	for (i = 0; i < f->found->cpus; i++)
		if (f->found->cpu[i].last > newest)
			newest = f->found->cpu[i].last;
	ret = f->recording.writer ? rt_off_write(&f->recording, newest) : 0;
	if (ret)
		return rt_err_set(err, -ret, "cannot write: %s", strerror(-ret));
	out = open_memstream(&f->found->not_watched, &size);
	if (!out)
		return rt_err_set(err, ENOMEM, "out of memory");
	for (i = 0; i < f->recording.count; i++)
		rt_off_print(off, i, f->names[i], out);
	return fclose(out) ? rt_err_set(err, ENOMEM, "out of memory") : 0;
}

static int extract(struct rt_flight *f, struct rt_err *err)
{
	int ret = f->opt->path ? open_file(f, err) : 0;

	if (!ret)
		ret = rt_flight_add_events(f, err);
	if (!ret && f->recording.writer)
		ret = rt_writer_begin(f->recording.writer, err);
	if (!ret)
		ret = rt_flight_write_machine(f, err);
	if (!ret)
		ret = rt_flight_merge(f, err);
	if (!ret)
		ret = tell_off(f, err);
	if (!ret && f->recording.writer) {
		f->found->samples = rt_writer_stats(f->recording.writer)->samples;
		ret = rt_writer_publish(f->recording.writer, err);
	}
	return ret;
}

int rt_flight_extract(const struct rt_image *image, const struct rt_image_session *s,
		      const struct rt_flight_options *opt, struct rt_flight_found *found,
		      struct rt_err *err)
{
	struct rt_flight f = { .image = image, .session = s, .opt = opt, .found = found };
	int ret;

	memset(found, 0, sizeof(*found));
	f.recording.arch = arch_of(s->anchor);
	f.recording.foreign = !opt->live;
	found->live = opt->live;
	found->recovered = opt->recovered;
	found->has_machine = rt_image_machine(image, s, &found->machine);
	rt_image_pin(image, s, &found->pin);
	ret = extract(&f, err);
	if (f.recording.writer && ret)
		rt_writer_abort(f.recording.writer);
	else if (f.recording.writer)
		ret = rt_writer_close(f.recording.writer, err);
	rt_flight_free_events(&f);
	free(f.recording.off.list);
	rt_tasks_free(&f.recording.tasks);
	return ret;
}

void rt_flight_found_free(struct rt_flight_found *found)
{
	free(found->cpu);
	free(found->not_watched);
	memset(found, 0, sizeof(*found));
}
