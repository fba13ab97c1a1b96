/* SPDX-License-Identifier: GPL-2.0 */
/*
 * raw_rig.h - raw and ordinary recordings of two CPUs whose rings are in host memory, and what a
 * reader finds in them.
 */
#ifndef RAW_RIG_H
#define RAW_RIG_H

#include "ring_rig.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/description.h"
#include "perfdata/raw.h"
#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"
#include "raw/expand.h"
#include "record/losses.h"
#include "record/order.h"
#include "record/pieces.h"

#ifndef RAW_SUBBUFS
#define RAW_SUBBUFS 2
#endif

enum { CPUS = 2, EVENTS = 2, BYTES = 4096, SUBBUFS = RAW_SUBBUFS, STEPS = 900, FIELDS = 4 };

static struct rig rigs[CPUS], side_rigs[CPUS];
static struct rt_event_spec specs[EVENTS] = {
	{ .kind = RT_SPEC_KPROBE, .system = (char *)"probe", .name = (char *)"x" },
	{ .kind = RT_SPEC_COUNTER },
};
static struct rt_err err;
static char path[64] = "/tmp/ringtail-raw.XXXXXX";
static struct rt_host_description *machine; /* NULL: this one */
static const char *alias;		    /* of the tracepoint */
static const char *mapped;		    /* a file with a build-id */
static uint64_t checkpoint_ns = 1;
static u64 begins_at = 1000;
static bool slow;	   /* --sync */
static bool in_file_order; /* look() does not sort */

static const char format[] = "name: x\nID: 0\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			     "\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:u64 n;\toffset:8;\tsize:8;\tsigned:0;\n\n"
			     "print fmt: \"n=%llu\", REC->n\n";

/* --- a recording ------------------------------------------------------------------- */

static inline int map_ring(struct rt_cpuring *ring, struct rig *rig, u32 cpu)
{
	rig_make(rig, cpu, RT_MODE_DISCARD, SUBBUFS, BYTES, 0, NULL);
	ring->status = rig->ring.status;
	ring->control = rig->ring.control;
	ring->data = rig->memory;
	return rt_live_init(&ring->live, ring->status, ring->control, ring->data, SUBBUFS * BYTES,
			    &err);
}

/* The next file of a recording, with its events and a process. */
static inline int open_file(struct rt_recording *r)
{
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID,
					 .raw = r->raw,
					 .host = machine,
					 .no_build_ids = true,
					 .sync = slow,
					 .checkpoint_ns = checkpoint_ns };
	struct rt_writer_event desc[EVENTS] = {
		{ .name = "probe:x",
		  .alias = alias,
		  .attr = { .type = RT_TYPE_TRACEPOINT },
		  .format = format },
		{ .name = "cpu-clock",
		  .attr = { .type = RT_TYPE_SOFTWARE,
			    .sample_period = 100,
			    .sample_type = RT_SAMPLE_CALLCHAIN } },
	};
	int ret = rt_writer_open(path, &opt, &r->writer, &err), e;

	for (e = 0; !ret && e < EVENTS; e++) {
		r->events[e].spec = &specs[e];
		r->events[e].file = rt_writer_add(r->writer, &desc[e], &err);
		ret = r->events[e].file < 0;
	}
	if (!ret)
		ret = rt_writer_begin(r->writer, &err);
	if (!ret && r->raw)
		ret = rt_pieces_describe(r);
	if (!ret)
		ret = rt_writer_fork(r->writer, NULL, 7, 1, 7, 1) ||
		      rt_writer_comm(r->writer, NULL, 7, 7, "seven", false);
	return ret;
}

static inline int begin(struct rt_recording *r, bool raw)
{
	int ret, cpu;

	memset(r, 0, sizeof(*r));
	r->raw = raw;
	r->arch = RT_ARCH_X86_64;
	r->foreign = true;
	r->session.fd = -1;
	r->session.cpus = CPUS;
	r->session.rings.subbufs = SUBBUFS;
	r->session.rings.subbuf_bytes = BYTES;
	r->session.events = calloc(CPUS, sizeof(*r->session.events));
	r->session.side = calloc(CPUS, sizeof(*r->session.side));
	r->events = calloc(EVENTS, sizeof(*r->events));
	r->count = EVENTS;
	rig_now = begins_at;
	rig_tick = 10;
	rig_points = 0;
	for (cpu = 0; cpu < CPUS; cpu++)
		if (map_ring(&r->session.events[cpu], &rigs[cpu], cpu) ||
		    map_ring(&r->session.side[cpu], &side_rigs[cpu], cpu))
			return -1;
	r->events[0].plain = true;
	r->events[1].carry = RT_CARRY_STACK;
	ret = open_file(r);
	return ret ? ret : rt_tasks_set(&r->tasks, 7, 7, 0);
}

static inline void put(struct rig *rig, u16 id, const void *payload, u32 bytes)
{
	u32 *rec = rt_ring_reserve(&rig->ring, id, bytes);

	if (!rec)
		return;
	memcpy(rt_record_payload(rec), payload, bytes);
	rt_ring_commit(&rig->ring, rec);
}

static inline void happen(u32 step)
{
	struct rig *rig = &rigs[step % 3 == 0];
	u32 tid = 7 + step / 100, plain[1 + FIELDS] = { tid, step, 0, step + 1, 0 };
	struct {
		u32 head;
		rt_payload_u64 frames, ips[2];
		struct rt_counter_fields fields;
	} __attribute__((packed, aligned(4))) sample = { tid, 2, { step, step + 1 } };

	sample.fields.ip = step;
	sample.fields.period = 100;
	if (step % 5)
		put(rig, 1, plain, sizeof(plain));
	else
		put(rig, 2, &sample, sizeof(sample));
}

/* A thread of the process 7 appears. */
static inline void fork_one(u32 tid)
{
	struct rt_side_task task = {
		.by = { .pid = 7, .tid = 7 }, .pid = 7, .tid = tid, .ppid = 7, .ptid = 7
	};

	put(&side_rigs[tid % CPUS], RT_SIDE_FORK, &task, sizeof(task));
}

static inline int sweep(struct rt_recording *r, bool settle)
{
	int ret;

	if (r->raw) {
		ret = rt_pieces_sweep(r, UINT64_MAX);
		return ret < 0 ? ret : settle ? rt_pieces_settle(r, true, &err) : 0;
	}
	do
		ret = rt_order_write(r);
	while (ret > 0);
	return ret ? ret : settle ? rt_writer_round(r->writer) : 0;
}

static inline int end(struct rt_recording *r, bool close)
{
	uint64_t lost[RT_LOST_CAUSES];
	u64 total = 0;
	int ret, cpu;

	ret = sweep(r, true);
	for (cpu = 0; !ret && cpu < CPUS; cpu++) {
		total += r->session.events[cpu].read;
		if (rt_cpuring_lost_since(&r->session.events[cpu], lost))
			ret = rt_losses_tell(r, cpu, rig_now, lost);
	}
	rt_writer_lost_sum(r->writer, 0, r->losses.told[RT_LOST_FULL]);
	rt_writer_total(r->writer, total);
	if (close)
		ret = rt_writer_close(r->writer, &err) || ret;
	else
		rt_writer_abort(r->writer);
	for (cpu = 0; cpu < CPUS; cpu++) {
		rig_free(&rigs[cpu]);
		rig_free(&side_rigs[cpu]);
	}
	free(r->session.events);
	free(r->session.side);
	free(r->events);
	rt_tasks_free(&r->tasks);
	return ret;
}

static inline void add_build_id(struct rt_recording *r, const char *name)
{
	const struct rt_buildid id = { .data = { 0xb1, 0xd0 }, .len = RT_BUILDID_MAX };

	rt_writer_build_id(r->writer, name, false, &id);
}

/* STORM: nobody reads for a while, so that events are lost. */
static inline int record(bool raw, bool storm, bool close)
{
	struct rt_recording r;
	u32 step;
	int ret = begin(&r, raw);

	if (mapped)
		add_build_id(&r, mapped);
	for (step = 0; !ret && step < STEPS; step++) {
		if (step % 100 == 0 && step)
			fork_one(7 + step / 100);
		happen(step);
		if (step % 17 == 0 && !(storm && step > STEPS / 2))
			ret = sweep(&r, step % 4 == 0);
	}
	return end(&r, close) || ret;
}

static inline int record_killed(void)
{
	struct rt_recording r;
	u32 step;

	unlink(path);
	begin(&r, true);
	rt_writer_publish(r.writer, &err);
	for (step = 0; step < STEPS; step++) {
		happen(step);
		if (step % 17 == 0)
			sweep(&r, step < STEPS / 2);
	}
	return end(&r, false);
}

/* --- reading ----------------------------------------------------------------------- */

struct seen {
	u64 samples, lost, plain, at_home, checksum, newest, backwards;
	bool complaint;
	struct rt_raw_found found;
};

static inline int expand(const char *from, int *fd, struct seen *seen)
{
	char text[512];
	int ret;

	memset(seen, 0, sizeof(*seen));
	*fd = memfd_create("expanded", MFD_CLOEXEC);
	ret = rt_raw_expand_to(from, *fd, NULL, &seen->found, &err);
	if (!ret)
		seen->complaint = rt_raw_complaint(&seen->found, from, text, sizeof(text)) ||
				  seen->found.missing;
	return ret;
}

/* Losses have another place in a raw recording: their sum counts. */
static inline int look(const char *file, struct seen *seen)
{
	const struct rt_reader_options how = { .unordered = in_file_order };
	struct rt_sample_head head;
	struct rt_perf_record rec;
	struct rt_reader *r;
	int ret = rt_reader_open(file, &how, &r, &err);

	if (ret)
		return ret;
	while ((ret = rt_reader_next(r, &rec, &err)) > 0) {
		if (rec.hdr->type == RT_PERF_RECORD_LOST ||
		    rec.hdr->type >= RT_PERF_RECORD_USER_START)
			continue;
		seen->plain++;
		seen->samples += rec.hdr->type == RT_PERF_RECORD_SAMPLE;
		seen->at_home += rec.hdr->type == RT_PERF_RECORD_SAMPLE &&
				 rt_sample_head(&rec, &head) && head.pid == 7;
		seen->backwards += rec.time && rec.time < seen->newest;
		seen->newest = rec.time > seen->newest ? rec.time : seen->newest;
		if (rec.hdr->type != RT_PERF_RECORD_LOST_SAMPLES)
			seen->checksum =
				seen->checksum * 31 + rt_raw_checksum(rec.hdr, rec.hdr->size);
	}
	seen->lost = rt_reader_stats(r)->lost;
	seen->backwards += rt_reader_stats(r)->out_of_order;
	rt_reader_close(r);
	return ret;
}

static inline int expand_and_look(const char *from, struct seen *seen)
{
	char name[64];
	int fd, ret = expand(from, &fd, seen);

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!ret)
		ret = look(name, seen);
	close(fd);
	return ret;
}

#endif
