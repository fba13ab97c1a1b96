// SPDX-License-Identifier: GPL-2.0
/*
 * raw_expand.c - a raw recording expands to what the ordinary one of the same rings holds; cut and
 * damaged, it gives what it holds and says what is missing.
 *
 *	raw_expand			the test
 *	raw_expand DIRECTORY		leave raw recordings there: seeds for the fuzzer
 */
#include "ring_rig.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/description.h"
#include "perfdata/raw.h"
#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"
#include "raw/expand.h"
#include "raw/walk.h"
#include "record/losses.h"
#include "record/order.h"
#include "record/pieces.h"

enum { CPUS = 2, EVENTS = 2, BYTES = 4096, SUBBUFS = 2, STEPS = 900, FIELDS = 4 };

static struct rig rigs[CPUS], side_rigs[CPUS];
static struct rt_event_spec specs[EVENTS] = {
	{ .kind = RT_SPEC_KPROBE, .system = (char *)"probe", .name = (char *)"x" },
	{ .kind = RT_SPEC_COUNTER },
};
static struct rt_err err;
static char path[64] = "/tmp/raw_expand.XXXXXX";
static struct rt_host_description *machine; /* NULL: this one */
static const char *alias;		    /* of the tracepoint */
static const char *mapped;		    /* a file with a build-id */
static uint64_t checkpoint_ns = 1;
static u64 begins_at = 1000;
static bool slow; /* --sync */

static const char format[] = "name: x\nID: 0\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			     "\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:u64 n;\toffset:8;\tsize:8;\tsigned:0;\n\n"
			     "print fmt: \"n=%llu\", REC->n\n";

/* --- a recording ------------------------------------------------------------------- */

static int map_ring(struct rt_cpuring *ring, struct rig *rig, u32 cpu)
{
	rig_make(rig, cpu, RT_MODE_DISCARD, SUBBUFS, BYTES, 0, NULL);
	ring->status = rig->ring.status;
	ring->control = rig->ring.control;
	ring->data = rig->memory;
	return rt_live_init(&ring->live, ring->status, ring->control, ring->data, SUBBUFS * BYTES,
			    &err);
}

static int begin(struct rt_recording *r, bool raw)
{
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID,
					 .raw = raw,
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
	int ret, cpu, e;

	memset(r, 0, sizeof(*r));
	r->raw = raw;
	r->arch = RT_ARCH_X86_64;
	r->foreign = true;
	r->session.fd = -1;
	r->session.cpus = CPUS;
	r->session.rings.subbufs = SUBBUFS;
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
	ret = rt_writer_open(path, &opt, &r->writer, &err);
	for (e = 0; !ret && e < EVENTS; e++) {
		r->events[e].spec = &specs[e];
		r->events[e].file = rt_writer_add(r->writer, &desc[e], &err);
		ret = r->events[e].file < 0;
	}
	r->events[0].plain = true;
	r->events[1].carry = RT_CARRY_STACK;
	if (!ret)
		ret = rt_writer_begin(r->writer, &err);
	if (!ret && raw)
		ret = rt_pieces_describe(r);
	if (!ret)
		ret = rt_writer_fork(r->writer, NULL, 7, 1, 7, 1) ||
		      rt_writer_comm(r->writer, NULL, 7, 7, "seven", false);
	return ret ? ret : rt_tasks_set(&r->tasks, 7, 7, 0);
}

static void put(struct rig *rig, u16 id, const void *payload, u32 bytes)
{
	u32 *rec = rt_ring_reserve(&rig->ring, id, bytes);

	if (!rec)
		return;
	memcpy(rt_record_payload(rec), payload, bytes);
	rt_ring_commit(&rig->ring, rec);
}

static void happen(u32 step)
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
static void fork_one(u32 tid)
{
	struct rt_side_task task = {
		.by = { .pid = 7, .tid = 7 }, .pid = 7, .tid = tid, .ppid = 7, .ptid = 7
	};

	put(&side_rigs[tid % CPUS], RT_SIDE_FORK, &task, sizeof(task));
}

static int sweep(struct rt_recording *r, bool settle)
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

static int end(struct rt_recording *r, bool close)
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

static void add_build_id(struct rt_recording *r, const char *name)
{
	const struct rt_buildid id = { .data = { 0xb1, 0xd0 }, .len = RT_BUILDID_MAX };

	rt_writer_build_id(r->writer, name, false, &id);
}

/* STORM: nobody reads for a while, so that events are lost. */
static int record(bool raw, bool storm, bool close)
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

/* --- reading ----------------------------------------------------------------------- */

struct seen {
	u64 samples, lost, plain, at_home, checksum, newest, backwards;
	bool complaint;
	struct rt_raw_found found;
};

static int expand(const char *from, int *fd, struct seen *seen)
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
static int look(const char *file, struct seen *seen)
{
	struct rt_sample_head head;
	struct rt_perf_record rec;
	struct rt_reader *r;
	int ret = rt_reader_open(file, NULL, &r, &err);

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

static int expand_and_look(const char *from, struct seen *seen)
{
	char name[64];
	int fd, ret = expand(from, &fd, seen);

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!ret)
		ret = look(name, seen);
	close(fd);
	return ret;
}

static void same(bool storm, const char *what)
{
	struct seen ordinary = { 0 }, raw;

	unlink(path);
	ok(!record(false, storm, true) && !look(path, &ordinary), "%s: an ordinary recording",
	   what);
	unlink(path);
	ok(!record(true, storm, true), "%s: a raw one", what);
	ok(look(path, &raw) && strstr(err.text, "raw recording"), "is refused as it is: %s",
	   err.text);
	if (!ok(!expand_and_look(path, &raw), "and can be expanded"))
		printf("# %s\n", err.text);
	is_int(raw.samples, ordinary.samples, "the same samples");
	is_int(raw.plain, ordinary.plain, "the same number of records");
	ok(raw.checksum == ordinary.checksum, "with the same bytes, in the same order");
	is_int(raw.lost, ordinary.lost, "the same losses");
	is_int(raw.backwards, 0, "in the order of time");
	ok(!raw.complaint, "and nothing to complain of");
	ok(storm ? raw.lost > 0 : raw.samples == STEPS, "as many as happened");
}

/* --- damage ------------------------------------------------------------------------ */

static u8 *image;
static size_t image_size;
static struct seen whole;
static char hurt[64];
static int hurt_fd;

static void load(void)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	fstat(fd, &st);
	image_size = st.st_size;
	image = malloc(image_size);
	if (read(fd, image, image_size) != (ssize_t)image_size)
		abort();
	close(fd);
	expand_and_look(path, &whole);
}

static void put_hurt(const u8 *bytes, size_t size)
{
	if (ftruncate(hurt_fd, size) || pwrite(hurt_fd, bytes, size, 0) != (ssize_t)size)
		abort();
}

/* Expand these bytes; count what must not happen. */
static u64 try(const u8 *bytes, size_t size, bool cut, u64 *opened)
{
	struct seen seen;
	struct seen again = { 0 };
	char name[64];
	int fd, ret;

	put_hurt(bytes, size);
	err.text[0] = 0;
	ret = expand(hurt, &fd, &seen);
	seen.samples = seen.found.samples;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!ret && ++*opened % 8 == 0)
		look(name, &again);
	close(fd);
	if (ret)
		return !err.text[0];
	/* Nothing is damaged in what is left of a file that was cut. */
	if (cut && seen.found.damages)
		return 1;
	/* Bytes inside a record may be wrong unseen, but no event goes unseen. */
	return seen.samples > whole.samples ||
	       ((seen.samples < whole.samples || cut) && !seen.complaint);
}

/* Cut at each record and piece, and in the middle of it. */
static void cuts(void)
{
	u64 wrong = 0, fewer = 0, opened = 0, before = 0, tries = 0;
	struct rt_raw_walk w;
	struct rt_raw_item item;
	struct seen seen;
	int fd = open(path, O_RDONLY);
	size_t last = 0;

	ok(!rt_raw_walk_open(&w, fd, 0, path, &err), "the file is mapped");
	w.at = image_size; /* find where the records begin by the header's offset */
	memcpy(&w.at, image + offsetof(struct rt_file_header, data), sizeof(w.at));
	while (rt_raw_walk_next(&w, &item)) {
		if (w.closed)
			break;
		wrong += try(image, item.offset, true, &opened);
		wrong += try(image, (item.offset + w.at) / 2, true, &opened);
		tries += 2;
		/* The pieces in front of the cut are there. */
		if (item.hdr->type == RT_RAW_RECORD_PIECE) {
			put_hurt(image, w.at);
			before += ((const struct rt_raw_piece *)item.hdr)->records;
			fewer += expand_and_look(hurt, &seen) || seen.samples != before;
			last = before;
		}
	}
	close(fd);
	is_int(wrong, 0, "%llu cuts: each is told of", (unsigned long long)tries);
	/* Without the first checkpoint there is no telling what was recorded. */
	ok(opened >= tries - 6, "%llu of these files open", (unsigned long long)opened);
	is_int(fewer, 0, "with all events of the pieces in front of the cut");
	is_int(last, whole.samples, "up to the last one");
	for (last = 0; last < w.at; last += 997)
		wrong += try(image, last, true, &opened);
	rt_raw_walk_close(&w);
	is_int(wrong, 0, "the same at any offset");
}

static void flips(void)
{
	u8 *copy = malloc(image_size);
	u64 wrong = 0, opened = 0, tries = 0;
	size_t at;

	for (at = 0; at < image_size; at += at < 128 ? 3 : 127, tries++) {
		memcpy(copy, image, image_size);
		copy[at] ^= 1 << at % 8;
		wrong += try(copy, image_size, false, &opened);
	}
	for (at = 0; at + sizeof(struct rt_perf_record_note) <= image_size; at += 8) {
		const struct rt_perf_record_note *note = (const void *)(image + at);

		if (note->magic != RT_NOTE_MAGIC)
			continue;
		memcpy(copy, image, image_size);
		((struct rt_perf_record_note *)(copy + at))->kind ^= RT_NOTE_SO_FAR ^ RT_NOTE_END;
		wrong += try(copy, image_size, false, &opened);
		tries++;
	}
	for (at = 0; at + 8 < image_size; at += 8 * 101, tries++) {
		memcpy(copy, image, image_size);
		memset(copy + at, at % 3 ? 0xff : 0, 8);
		wrong += try(copy, image_size, false, &opened);
	}
	for (at = 64; at + 700 < image_size; at += 1999, tries++) {
		memcpy(copy, image, image_size);
		memset(copy + at, 0, 700);
		wrong += try(copy, image_size, false, &opened);
	}
	free(copy);
	is_int(wrong, 0, "%llu damaged files, %llu can be read: no event is missing in silence",
	       (unsigned long long)tries, (unsigned long long)opened);
	ok(opened > tries / 2, "most can be read");
}

/* What is behind damage is found again. */
static void holes(void)
{
	u8 *copy = malloc(image_size);
	struct seen seen;
	size_t middle = image_size / 2 & ~(size_t)7;

	memcpy(copy, image, image_size);
	memset(copy + middle, 0xa5, 5000);
	put_hurt(copy, image_size);
	ok(!expand_and_look(hurt, &seen), "a hole of 5000 bytes in the middle");
	ok(seen.samples < whole.samples && seen.samples > whole.samples / 2,
	   "%llu of %llu events are left, in front of it and behind it",
	   (unsigned long long)seen.samples, (unsigned long long)whole.samples);
	is_int(seen.found.missing, whole.samples - seen.samples,
	       "the others are counted as missing");
	ok(seen.found.closed, "the end is found");
	free(copy);
}

static int record_killed(void)
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

/* Not closed: what was written behind the last checkpoint, or not even settled, is there. */
static void killed(void)
{
	struct seen seen;

	ok(!record_killed() && !expand_and_look(path, &seen), "a recorder that was killed");
	is_int(seen.samples, STEPS, "has everything up to its last write");
	ok(!seen.found.closed && seen.complaint, "and says that it was not closed");
}

/*
 * Losses in front of a sub-buffer that holds nothing for a long time but records that a filter
 * cancels: other CPUs have written much later events meanwhile.
 */
static void late_losses(void)
{
	struct rt_recording r;
	struct seen seen;
	u32 *rec, step;

	unlink(path);
	begin(&r, true);
	rt_writer_publish(r.writer, &err);
	for (step = 0; step < STEPS; step += 3) /* all on one CPU */
		happen(step);
	sweep(&r, true);
	rec = rt_ring_reserve(&rigs[1].ring, 1, 24);
	rt_ring_cancel(&rigs[1].ring, rec);
	for (step = 1; step < 16; step += 3) {
		happen(step);
		sweep(&r, true);
	}
	happen(0);
	ok(!end(&r, true) && !expand_and_look(path, &seen), "losses that are told late");
	ok(seen.lost > 0, "%llu of them", (unsigned long long)seen.lost);
	is_int(seen.backwards, 0, "have their place in the order of time");
}

/* The number of CPUs that the expanded file has, if only the side-band is of the last one. */
static void cpus(void)
{
	struct rt_host_description one;
	struct rt_recording r;
	struct rt_reader *made;
	struct seen seen;
	char name[64];
	int fd = -1, ret;

	rt_host_describe(&one);
	one.cpus_avail = one.cpus_online = 1;
	machine = &one;
	unlink(path);
	begin(&r, true);
	happen(1);
	fork_one(9);
	ret = end(&r, true) || expand(path, &fd, &seen);
	machine = NULL;
	rt_host_description_free(&one);
	ok(!ret, "a CPU that came later");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!ret && ok(!rt_reader_open(name, NULL, &made, &err), "is expanded")) {
		is_int(rt_reader_env(made)->cpus_avail, 2, "and is counted");
		rt_reader_close(made);
	}
	close(fd);
}

/* A tracepoint with a name of the user's has it in the stream, too. */
static void names(void)
{
	struct rt_perf_record rec;
	struct rt_reader *stream;
	struct seen seen;
	int saved, fd, ret;
	FILE *file = tmpfile();
	char name[64];

	alias = "mine";
	unlink(path);
	ret = record(true, false, true);
	alias = NULL;
	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	dup2(fileno(file), STDOUT_FILENO);
	ret = ret || rt_raw_expand(path, "-", NULL, &seen.found, &err);
	fd = dup(STDOUT_FILENO);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	ok(!ret, "an event with another name goes to a pipe");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!ret && ok(!rt_reader_open(name, NULL, &stream, &err), "which can be read")) {
		while (rt_reader_next(stream, &rec, &err) > 0)
			;
		name[0] = 0;
		if (rt_reader_events(stream)->count)
			snprintf(name, sizeof(name), "%s",
				 rt_perf_event_name(rt_reader_events(stream)->list[0]));
		ok(!strcmp(name, "mine"), "it is called '%s'", name);
		rt_reader_close(stream);
	}
	close(fd);
	fclose(file);
}

/* The number of samples in front of a task's name of before the recording; ~0: there is none. */
static u64 samples_before(const char *file, const char *comm)
{
	const struct rt_perf_record_comm *task;
	struct rt_perf_record rec;
	struct rt_reader *r;
	u64 n = 0, found = ~0ULL;

	if (rt_reader_open(file, NULL, &r, &err))
		return found;
	while (rt_reader_next(r, &rec, &err) > 0) {
		task = (const void *)rec.hdr;
		n += rec.hdr->type == RT_PERF_RECORD_SAMPLE;
		if (rec.hdr->type == RT_PERF_RECORD_COMM && !strcmp(task->comm, comm))
			found = n;
	}
	rt_reader_close(r);
	return found;
}

/* The tasks are listed again when a recording goes on: what happened before has their names of before. */
static void paused(void)
{
	struct rt_recording r;
	struct seen seen;
	int fd, ret, step;
	char name[64];

	unlink(path);
	ret = begin(&r, true);
	for (step = 0; step < 90; step++) {
		happen(step);
		if (step % 10 == 0)
			ret |= sweep(&r, true);
	}
	ret |= sweep(&r, true) || rt_pieces_rest(&r, &err);
	ret |= rt_writer_comm(r.writer, NULL, 7, 7, "other", false);
	for (; step < 100; step++)
		happen(step);
	ret |= end(&r, true) || expand(path, &fd, &seen);
	ok(!ret, "a recording with a pause");
	is_int(seen.found.samples, 100, "has all events");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	is_int(samples_before(name, "other"), 90, "and the new names behind those of before it");
	close(fd);
}

/* A thread of which the file has nothing but its events and its end. */
static void ended(void)
{
	struct rt_side_task task = { .by = { .pid = 7, .tid = 9 }, .pid = 7, .tid = 9, .ppid = 7 };
	struct rt_sample_head head;
	struct rt_perf_record rec;
	struct rt_recording r;
	struct rt_reader *made;
	struct seen seen;
	u64 right = 0;
	char name[64];
	int fd = -1, ret, step;

	unlink(path);
	ret = begin(&r, true);
	for (step = 200; step < 250; step++)
		happen(step);
	ret |= sweep(&r, true);
	put(&side_rigs[1], RT_SIDE_EXIT, &task, sizeof(task));
	ret |= end(&r, true) || expand(path, &fd, &seen);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	ret |= rt_reader_open(name, NULL, &made, &err);
	while (!ret && rt_reader_next(made, &rec, &err) > 0)
		right += rec.hdr->type == RT_PERF_RECORD_SAMPLE && rt_sample_head(&rec, &head) &&
			 head.pid == 7 && head.tid == 9;
	rt_reader_close(made);
	close(fd);
	is_int(right, 50, "a thread is in its process if only its end is told");
}

/* Rounds that bring nothing are left out: a damaged file may consist of them. */
static void idle(void)
{
	struct rt_recording r;
	struct rt_raw_walk w;
	struct rt_raw_item item;
	struct seen seen;
	u64 rounds = 0;
	int fd, ret, i;

	unlink(path);
	ret = begin(&r, true);
	happen(1);
	ret |= sweep(&r, true);
	for (i = 0; i < 1000; i++)
		ret |= rt_writer_round(r.writer);
	ret |= end(&r, true) || expand(path, &fd, &seen) ||
	       rt_raw_walk_open(&w, fd, 0, "expanded", &err);
	ok(!ret && seen.found.samples == 1, "a recording of little but rounds");
	for (i = 0; !ret && (size_t)i < w.size; i += 8) {
		item.hdr = (const void *)(w.map + i);
		rounds += item.hdr->type == RT_PERF_RECORD_FINISHED_ROUND && item.hdr->size == 8 &&
			  !item.hdr->misc;
	}
	ok(rounds > 1 && rounds < 10, "%llu of them are in the expanded file",
	   (unsigned long long)rounds);
	rt_raw_walk_close(&w);
	close(fd);
}

/* Where the time of a record is that is no piece and has one; NULL: not in this one. */
static uint64_t *time_of(u8 *copy, const struct rt_raw_item *item)
{
	struct rt_perf_record_note *note = (void *)(copy + item->offset);
	uint64_t *time = (void *)(copy + item->offset + item->hdr->size - 3 * sizeof(u64));

	if (rt_note_is(item->hdr))
		return note->kind == RT_NOTE_BEGIN ? NULL : &note->time;
	if (item->hdr->type != RT_PERF_RECORD_FORK)
		return NULL;
	return *time ? time : NULL;
}

/* Each of these times is wrong once: only this record is in the wrong place, and this is told. */
static void times(bool storm, const char *what)
{
	static const u64 wrong[] = { 1, 5000000000000000000ULL, ~0ULL - 1 };
	u64 tries = 0, fewer = 0, disorder = 0, untold = 0, late = 0, strangers = 0;
	struct rt_raw_walk w;
	struct rt_raw_item item;
	struct seen seen;
	u8 *copy;
	int fd, i;

	begins_at = 1000000000000ULL;
	unlink(path);
	ok(!record(true, storm, true), "%s, with tasks and checkpoints", what);
	begins_at = 1000;
	load();
	copy = malloc(image_size);
	fd = open(path, O_RDONLY);
	rt_raw_walk_open(&w, fd, 0, path, &err);
	close(fd);
	memcpy(&w.at, image + offsetof(struct rt_file_header, data), sizeof(w.at));
	while (rt_raw_walk_next(&w, &item)) {
		for (i = 0; time_of(image, &item) && i < 3; i++, tries++) {
			memcpy(copy, image, image_size);
			*time_of(copy, &item) = wrong[i];
			put_hurt(copy, image_size);
			fewer += expand_and_look(hurt, &seen) || seen.plain != whole.plain ||
				 seen.lost != whole.lost || !seen.found.closed;
			strangers += seen.at_home != whole.at_home;
			disorder += seen.backwards;
			late += seen.newest > whole.newest;
			/* Losses may be told late, and nothing depends on the time of other notes. */
			untold += (i || !rt_note_is(item.hdr)) && !seen.found.damages &&
				  (!rt_note_is(item.hdr) ||
				   ((const struct rt_perf_record_note *)item.hdr)->kind ==
					   RT_NOTE_LOST);
		}
	}
	rt_raw_walk_close(&w);
	ok(tries > 50, "%llu of their times are wrong", (unsigned long long)tries);
	is_int(fewer, 0, "all records are there");
	is_int(disorder, 0, "in the order of time");
	is_int(strangers, 0, "with the processes of all threads");
	is_int(late, 0, "which does not end later");
	is_int(untold, 0, "and each is told of");
	free(copy);
	free(image);
}

/* The first SIZE bytes of the recording: how many build-ids come out, and what is said of them. */
static void build_ids_of(size_t size, u64 count, const char *want, const char *what)
{
	char name[64], text[512] = "";
	struct rt_reader *made;
	struct seen seen;
	int fd, ret;

	ok(!truncate(path, size), "%s", what);
	ret = expand(path, &fd, &seen);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (ok(!ret && !rt_reader_open(name, NULL, &made, &err), "it can be expanded")) {
		is_int(rt_reader_env(made)->build_id_count, count, "its build-ids");
		rt_reader_close(made);
	}
	ret = rt_raw_complaint(&seen.found, path, text, sizeof(text));
	ok(want ? ret && strstr(text, want) : !ret, "it says: %s", ret ? text : "nothing");
	close(fd);
}

/* Build-ids that became known while it was recorded, and less and less of the file. */
static void build_ids(void)
{
	struct rt_recording r;
	struct rt_file_header header;
	size_t size[3], i;
	struct stat st;
	int ret, fd;

	unlink(path);
	ret = begin(&r, true) || rt_writer_publish(r.writer, &err);
	for (i = 0; i < 3; i++) {
		if (i)
			add_build_id(&r, i == 1 ? "/bin/one" : "/bin/two");
		happen(i);
		ret |= sweep(&r, true) || stat(path, &st);
		size[i] = st.st_size;
	}
	ret |= end(&r, true) || stat(path, &st);
	fd = open(path, O_RDONLY);
	ret |= read(fd, &header, sizeof(header)) != sizeof(header);
	close(fd);
	ok(!ret, "a recording with build-ids");
	build_ids_of(st.st_size, 2, NULL, "the whole file");
	build_ids_of(header.data.offset + header.data.size, 2,
		     "some build-ids of programs and libraries may be missing",
		     "without what follows the records");
	build_ids_of(size[1], 1, "some build-ids of programs and libraries may be missing",
		     "up to the first checkpoint that had one");
	build_ids_of(size[0], 0, "the build-ids of programs and libraries are missing",
		     "up to the one before");
}

static int expansions;

static int count_expansion(const char *file, char *warning, size_t size, struct rt_err *e)
{
	expansions++;
	return rt_err_set(e, EIO, "expanded");
}

/* Open the header of the recording; 0 if there are no records, negative if that failed. */
static int look_at_header(u64 *ids, u64 *events, const char **warning)
{
	const struct rt_reader_options how = { .header = true };
	static char text[256];
	struct rt_perf_record rec;
	struct rt_reader *r;
	int ret = rt_reader_open(path, &how, &r, &err);

	if (ret)
		return ret;
	*ids = rt_reader_env(r)->build_id_count;
	*events = rt_reader_events(r)->count;
	*warning = rt_reader_warning(r, 0);
	if (*warning)
		*warning = strcpy(text, *warning);
	ret = rt_reader_next(r, &rec, &err);
	rt_reader_close(r);
	return ret;
}

/* Who needs only the header does not wait for the events, unless the header was cut. */
static void headers(void)
{
	const char *warning = NULL;
	u64 ids = 0, events = 0;
	struct rt_reader *r;
	struct stat st;

	unlink(path);
	mapped = "/bin/x";
	ok(!record(true, false, true) && !stat(path, &st), "the header of a raw recording");
	rt_reader_expand_with(count_expansion);
	is_int(look_at_header(&ids, &events, &warning), 0, "is read, and no records");
	ok(events == EVENTS && ids == 1 && !warning, "with its events and build-ids");
	is_int(expansions, 0, "and is not expanded");
	is_int(rt_reader_open(path, NULL, &r, &err), -EIO, "who needs the records");
	is_int(expansions, 1, "expands it");
	ok(!truncate(path, st.st_size - 1), "one that was cut");
	is_int(look_at_header(&ids, &events, &warning), -EIO, "has no whole header");
	is_int(expansions, 2, "and is expanded");
	ok(!record_killed(), "one of a recorder that was killed");
	is_int(look_at_header(&ids, &events, &warning), 0, "is not");
	ok(expansions == 2 && warning && strstr(warning, "not closed cleanly"),
	   "and tells of it: %s", warning ? warning : "nothing");
	rt_reader_expand_with(NULL);
	mapped = NULL;
}

static u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* A slow disk. */
int fdatasync(int fd)
{
	(void)fd;
	return usleep(20000);
}

/* Everything is on the disk twice a second, also if that takes a while each time. */
static void rhythm(void)
{
	struct rt_raw_walk w;
	struct rt_raw_item item;
	struct rt_recording r;
	u64 until = now() + 2300000000ULL, rounds = 0;
	int fd, ret;

	unlink(path);
	checkpoint_ns = RT_WRITER_CHECKPOINT;
	slow = true;
	ret = begin(&r, true) || rt_writer_publish(r.writer, &err);
	checkpoint_ns = 1;
	slow = false;
	while (!ret && now() < until) {
		happen(1);
		rig_points = 0;
		ret = rt_pieces_sweep(&r, UINT64_MAX) < 0 || rt_pieces_settle(&r, false, &err);
	}
	/* What is written now is no longer counted. */
	fd = open(path, O_RDONLY);
	ret |= rt_raw_walk_open(&w, fd, 0, path, &err);
	memcpy(&w.at, w.map + offsetof(struct rt_file_header, data), sizeof(w.at));
	while (rt_raw_walk_next(&w, &item))
		rounds += item.hdr->type == RT_PERF_RECORD_FINISHED_ROUND;
	rt_raw_walk_close(&w);
	close(fd);
	ok(!ret && !end(&r, true), "2.3 seconds of a busy recorder and a slow disk");
	ok(rounds >= 3, "%llu rounds are in the file", (unsigned long long)rounds);
}

/* The whole raw recording as FD of a pipe; it must fit into one. */
static int as_pipe(const char *file)
{
	int ends[2], in = open(file, O_RDONLY);
	char bytes[4096];
	ssize_t got;

	if (pipe(ends) || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0)
		abort();
	while ((got = read(in, bytes, sizeof(bytes))) > 0)
		if (write(ends[1], bytes, got) != got)
			abort();
	close(in);
	close(ends[1]);
	return ends[0];
}

static int disk_error;

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	if (!disk_error)
		return syscall(SYS_pwrite64, fd, bytes, size, at);
	errno = disk_error;
	return -1;
}

/* The file into which commands expand cannot be written: another directory may help. */
static void places(void)
{
	static const int codes[] = { ENOSPC, EDQUOT, EFBIG, EROFS, EACCES, EIO };
	char warning[512];
	unsigned int i;
	int fd;

	unlink(path);
	ok(!record(true, false, true), "a raw recording that commands expand");
	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		disk_error = codes[i];
		fd = rt_raw_open(path, NULL, warning, sizeof(warning), &err);
		disk_error = 0;
		is_int(fd, -codes[i], "its file cannot be written: %s", strerror(codes[i]));
		ok(!!strstr(err.text, "TMPDIR") == (codes[i] != EIO), "%s", err.text);
	}
	unlink(path);
	ok(rt_raw_open(path, NULL, warning, sizeof(warning), &err) == -ENOENT &&
		   !strstr(err.text, "TMPDIR"),
	   "not if the raw recording is the cause: %s", err.text);
	close(open(path, O_CREAT | O_WRONLY, 0600));
}

/* Through a pipe: it says what that is, and what to do. */
static void pipes(void)
{
	struct rt_reader *r;
	struct seen seen;
	int fd, made, saved = dup(STDIN_FILENO);
	char name[64];

	unlink(path);
	ok(!record(true, false, true), "a raw recording through a pipe");
	fd = as_pipe(path);
	dup2(fd, STDIN_FILENO);
	close(fd);
	ok(rt_reader_open(NULL, NULL, &r, &err) && strstr(err.text, "carries a raw recording") &&
		   strstr(err.text, "ringtail data FILE -o -"),
	   "is refused by those who read perf.data: %s", err.text);
	dup2(saved, STDIN_FILENO);
	close(saved);
	fd = as_pipe(path);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	ok(expand(name, &made, &seen) && strstr(err.text, "carries a raw recording") &&
		   strstr(err.text, "save it to a file first"),
	   "and by who expands it: %s", err.text);
	close(made);
	close(fd);
}

static int seeds(const char *directory)
{
	static const char *const names[] = { "plain", "storm", "killed", "ids" };
	int i, ret = 0;

	for (i = 0; !ret && i < 4; i++) {
		mapped = i == 3 ? "/bin/x" : NULL;
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		ret = record(true, i == 1, i != 2);
	}
	return ret != 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return seeds(argv[1]);
	close(mkstemp(path));
	hurt_fd = memfd_create("hurt", MFD_CLOEXEC);
	snprintf(hurt, sizeof(hurt), "/proc/self/fd/%d", hurt_fd);
	same(false, "read in time");
	load();
	cuts();
	flips();
	holes();
	free(image);
	same(true, "a storm");
	killed();
	late_losses();
	cpus();
	names();
	paused();
	ended();
	idle();
	times(true, "a recording with losses");
	times(false, "one without");
	build_ids();
	headers();
	pipes();
	places();
	rhythm();
	close(hurt_fd);
	unlink(path);
	return tap_done();
}
