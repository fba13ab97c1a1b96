// SPDX-License-Identifier: GPL-2.0
/* writer_lanes.c - four threads write to one file: everything is there once, whole, and counted. */
#include "format_build.h"
#include "tap.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "perfdata/write/writer.h"

enum { LANES = 4, SAMPLES = 60000, SWEEPS = 3 };

static char path[64] = "/tmp/writer_lanes.XXXXXX";
static struct rt_err err;
static struct rt_writer *lanes[LANES];

struct part {
	pthread_t thread;
	unsigned int lane, sweep;
	int ret;
};

/* The fields of a sample say whose it is and which. */
static void *write_part(void *arg)
{
	struct part *part = arg;
	struct rt_writer_context context = { .misc = RT_MISC_KERNEL, .task = { 1, 2 } };
	uint64_t raw[1], lost[RT_NOTE_CAUSES] = { 1 }, i;
	struct rt_writer_stamp at = { .cpu = part->lane };

	part->ret = rt_writer_lane_begin(lanes[part->lane]);
	for (i = 0; i < SAMPLES && !part->ret; i++) {
		raw[0] = (uint64_t)part->lane << 32 | (part->sweep * SAMPLES + i);
		at.time = 1000 + raw[0] % (1ULL << 32);
		if (i % 10000 == 5)
			part->ret = rt_writer_lost_here(lanes[part->lane], &at, lost);
		if (!part->ret)
			part->ret = rt_writer_fields(lanes[part->lane], context, part->lane,
						     at.time, 7, raw, sizeof(raw));
	}
	if (!part->ret)
		part->ret = rt_writer_lane_flush(lanes[part->lane]);
	return NULL;
}

/* Let all lanes write; the first error. */
static int sweep(struct rt_writer *w, unsigned int number)
{
	struct part parts[LANES];
	int ret = rt_writer_lanes_begin(w);
	unsigned int i;

	for (i = 0; i < LANES; i++) {
		parts[i] = (struct part){ .lane = i, .sweep = number };
		pthread_create(&parts[i].thread, NULL, write_part, &parts[i]);
	}
	for (i = 0; i < LANES; i++) {
		pthread_join(parts[i].thread, NULL);
		ret = rt_writer_lane_end(lanes[i]) ?: ret;
		ret = ret ? ret : parts[i].ret;
	}
	return ret;
}

static struct rt_writer *open_writer(int level)
{
	static const struct format_field fields[] = { { "u64", "v", 8, 8, 0, false } };
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID,
					 .terse = true,
					 .level = level };
	struct rt_writer_event event = { .name = "probe:p",
					 .attr = { .type = RT_TYPE_TRACEPOINT } };
	char *text = format_make("p", 0, fields, 1, "\"v=%llu\", REC->v");
	struct rt_writer *w = NULL;
	int i;

	event.format = text;
	ok(!rt_writer_open(path, &opt, &w, &err) && !rt_writer_add(w, &event, &err) &&
		   !rt_writer_begin(w, &err),
	   "a recording");
	free(text);
	for (i = 0; i < LANES; i++)
		lanes[i] = rt_writer_lane_new(w);
	return w;
}

static void free_lanes(void)
{
	int i;

	for (i = 0; i < LANES; i++)
		rt_writer_lane_free(lanes[i]);
}

/* Walk over the records of the file: how many samples follow each other in their lane? */
static unsigned int in_sequence(const uint8_t *file, unsigned int *notes)
{
	const struct rt_file_header *header = (const void *)file;
	uint64_t at = header->data.offset, end = at + header->data.size, value;
	const struct rt_perf_record_header *hdr;
	uint32_t next[LANES] = { 0 };
	unsigned int good = 0;

	for (*notes = 0; at < end; at += hdr->size) {
		hdr = (const void *)(file + at);
		if (hdr->size < sizeof(*hdr))
			return 0;
		/* The last record of a file that was cut covers what lies behind the records. */
		if (at + hdr->size > end)
			return good;
		*notes += hdr->type == RT_PERF_RECORD_LOST;
		if (hdr->type != RT_PERF_RECORD_SAMPLE)
			continue;
		/* header, ip, task, time, cpu, period, size and common fields */
		memcpy(&value, (const uint8_t *)hdr + 8 + 40 + 4 + 8, sizeof(value));
		good += value >> 32 < LANES && (uint32_t)value == next[value >> 32]++;
	}
	return good;
}

static void test_all(void)
{
	struct rt_writer *w = open_writer(0);
	unsigned int i, notes;
	size_t size;
	char *file = NULL;
	int ret = 0;

	for (i = 0; i < SWEEPS; i++)
		ret |= sweep(w, i) || rt_writer_round(w);
	is_int(ret, 0, "%d sweeps of %d lanes", SWEEPS, LANES);
	is_int(rt_writer_stats(w)->samples, LANES * SAMPLES * SWEEPS, "all samples are counted");
	is_int(rt_writer_stats(w)->lost, LANES * SWEEPS * SAMPLES / 10000, "and the losses");
	free_lanes();
	ok(!rt_writer_close(w, &err), "closed");
	rt_file_read(path, 256 << 20, &file, &size);
	is_int(in_sequence((const uint8_t *)file, &notes), LANES * SAMPLES * SWEEPS,
	       "each sample is there, in the order of its lane");
	is_int(notes, LANES * SWEEPS * SAMPLES / 10000, "each loss is there");
	free(file);
}

/* The disk is full in the middle: the file ends with whole records, and what is missing is said. */
static void test_full(void)
{
	struct rlimit limit, before;
	struct rt_writer *w;
	char *file = NULL;
	unsigned int notes, samples;
	size_t size;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 5 << 20;
	setrlimit(RLIMIT_FSIZE, &limit);
	w = open_writer(0);
	ok(sweep(w, 0) < 0, "no more room");
	free_lanes();
	ok(rt_writer_close(w, &err), "is told at the end: %s", err.text);
	setrlimit(RLIMIT_FSIZE, &before);
	ok(strstr(err.text, "events are not in"), "with the number of missing events");
	rt_file_read(path, 256 << 20, &file, &size);
	samples = in_sequence((const uint8_t *)file, &notes);
	ok(samples > SAMPLES / 2 && samples < LANES * SAMPLES, "%u samples are there, whole",
	   samples);
	free(file);
}

int main(void)
{
	close(mkstemp(path));
	test_all();
	test_full();
	unlink(path);
	return tap_done();
}
