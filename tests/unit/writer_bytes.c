// SPDX-License-Identifier: GPL-2.0
/*
 * writer_bytes.c - the bytes that the writer writes follow every rule of docs/file-format.md.
 */
#include "format_build.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "host/tracefs.h"
#include "host/description.h"
#include "perfdata/write/synth.h"
#include "perfdata/write/writer.h"

static char path[64] = "/tmp/writer_bytes.XXXXXX";
static struct rt_err err;
static uint8_t *file;
static size_t file_size;

static struct rt_writer *open_to(const char *where, int clockid)
{
	struct rt_writer_options opt = { .clockid = clockid };
	struct rt_writer *w = NULL;

	if (rt_writer_open(where, &opt, &w, &err))
		printf("# %s\n", err.text);
	return w;
}

static void load(void)
{
	free(file);
	file = NULL;
	rt_file_read(path, 64 << 20, (char **)&file, &file_size);
}

static const struct rt_file_header *header(void)
{
	return (const struct rt_file_header *)file;
}

/* The n-th record of a type, counted from 0; NULL when there is none, or the chain is broken. */
static const struct rt_perf_record_header *record(uint32_t type, unsigned n)
{
	const struct rt_perf_record_header *hdr;
	uint64_t pos = header()->data.offset, end = pos + header()->data.size;

	for (; pos < end; pos += hdr->size) {
		hdr = (const struct rt_perf_record_header *)(file + pos);
		if (hdr->size < sizeof(*hdr) || hdr->size % 8 || pos + hdr->size > end)
			return NULL;
		if (hdr->type == type && !n--)
			return hdr;
	}
	return NULL;
}

static struct rt_writer_event software(const char *name, uint64_t sample_type)
{
	struct rt_writer_event event = {
		.name = name,
		.attr = { .type = RT_TYPE_SOFTWARE, .sample_period = 1, .sample_type = sample_type },
	};

	return event;
}

static char *probe_text(unsigned id)
{
	static const struct format_field fields[] = { { "u64", "v", 8, 8, 0, false } };

	return format_make("p", id, fields, 1, "\"v=%llu\", REC->v");
}

/* --- the header ---------------------------------------------------------------------- */

static void test_attr_size(const char *what, struct rt_writer_event event, int clockid,
			   unsigned want)
{
	struct rt_writer *w = open_to(path, clockid);
	const struct rt_attr *attr;

	ok(rt_writer_add(w, &event, &err) == 0 && !rt_writer_begin(w, &err) &&
		   !rt_writer_close(w, &err),
	   "%s is written", what);
	load();
	attr = (const struct rt_attr *)(file + header()->attrs.offset);
	is_int(attr->size, want, "%s: the attr takes %u bytes", what, want);
	is_int(header()->attr_size, want + 16, "%s: and the header says so", what);
}

static void test_header(void)
{
	struct rt_writer_event event = software("cpu-clock", 0);
	const struct rt_attr *attr;

	test_attr_size("a plain event", event, RT_WRITER_NO_CLOCKID, 64);
	is_int(header()->magic, RT_MAGIC2, "the magic");
	is_int(header()->size, 104, "the header has 104 bytes");
	is_int(header()->data.offset % 8, 0, "records begin at a multiple of 8");
	is_int(header()->features[0] & 1, 0, "feature 0 stays clear");
	attr = (const struct rt_attr *)(file + header()->attrs.offset);
	is_int(attr->sample_type, RT_WRITER_SAMPLE,
	       "every sample has IDENTIFIER IP TID TIME CPU PERIOD");
	ok(attr->flags & RT_ATTR_SAMPLE_ID_ALL, "every record has an id");
	ok(attr->flags & RT_ATTR_COMM && attr->flags & RT_ATTR_MMAP2 && attr->flags & RT_ATTR_TASK,
	   "the first event carries the tasks and maps");

	event.attr.config2 = 1;
	test_attr_size("config2", event, RT_WRITER_NO_CLOCKID, 72);
	event.attr.branch_sample_type = 1;
	test_attr_size("branch_sample_type", event, RT_WRITER_NO_CLOCKID, 80);
	test_attr_size("a clock", software("cpu-clock", 0), CLOCK_MONOTONIC, 96);
	event.attr.sample_max_stack = 5;
	test_attr_size("sample_max_stack", event, RT_WRITER_NO_CLOCKID, 112);
	event.attr.aux_sample_size = 1;
	test_attr_size("aux_sample_size", event, RT_WRITER_NO_CLOCKID, 120);
}

/* The features lie behind the records, in the order of their bits, within the file. */
static void test_features(void)
{
	const struct rt_file_section *at;
	uint64_t end, prev;
	unsigned bit, late = 0, sorted = 1;
	struct rt_writer *w = open_to(path, CLOCK_MONOTONIC);
	struct rt_writer_event event = software("cpu-clock", 0);
	struct rt_writer_sample s = { .time = 5, .misc = RT_MISC_KERNEL };

	rt_writer_add(w, &event, &err);
	rt_writer_begin(w, &err);
	rt_writer_sample(w, &s);
	rt_writer_close(w, &err);
	load();
	end = header()->data.offset + header()->data.size;
	at = (const struct rt_file_section *)(file + end);
	prev = end;
	for (bit = 0; bit < RT_FEATURE_BITS; bit++) {
		if (!(header()->features[bit / 64] >> (bit % 64) & 1))
			continue;
		late += at->offset >= end && at->offset + at->size <= file_size;
		sorted &= at->offset >= prev;
		prev = at->offset;
		at++;
	}
	is_int(late, at - (const struct rt_file_section *)(file + end),
	       "all sections lie behind the records");
	ok(sorted, "in the order of their bits");
	for (bit = RT_FEATURE_HOSTNAME; bit <= RT_FEATURE_TOTAL_MEM; bit++)
		ok(header()->features[0] >> bit & 1, "feature %u is there", bit);
	for (bit = 0; bit < 4; bit++) {
		static const unsigned more[] = { RT_FEATURE_EVENT_DESC, RT_FEATURE_SAMPLE_TIME,
						 RT_FEATURE_CLOCKID, RT_FEATURE_CLOCK_DATA };

		ok(header()->features[0] >> more[bit] & 1, "feature %u is there", more[bit]);
	}
}

/* --- records ----------------------------------------------------------------------------- */

static void test_sample_layout(void)
{
	struct rt_writer_event event = software("all", RT_WRITER_SAMPLE_MORE);
	const uint64_t kernel[1] = { 0x11 }, user[2] = { 0x21, 0x22 }, regs[2] = { 0x31, 0x32 };
	struct rt_writer_sample s = {
		.misc = RT_MISC_USER,
		.cpu = 3,
		.pid = 7,
		.tid = 8,
		.time = 0x1000,
		.ip = 0x11,
		.period = 99,
		.addr = 0xadd,
		.kernel_ips = kernel,
		.kernel_count = 1,
		.user_ips = user,
		.user_count = 2,
		.raw = "abcde",
		.raw_size = 5,
		.stack = "0123456789",
		.stack_size = 10,
	};
	const uint64_t want[] = {
		0x5f,		/* IDENTIFIER */
		0x11,		/* IP */
		7 | 8ULL << 32, /* TID */
		0x1000,		/* TIME */
		0xadd,		/* ADDR */
		3,		/* CPU */
		99,		/* PERIOD */
		5,		/* CALLCHAIN */
		RT_PERF_CONTEXT_KERNEL,
		0x11,
		RT_PERF_CONTEXT_USER,
		0x21,
		0x22,
		12 | 0x64636261ULL << 32, /* RAW: size, "abcd" */
		0x65,			  /* "e" and padding */
		RT_REGS_ABI_64,
		0x31,
		0x32, /* REGS_USER */
		16,
		0x3736353433323130ULL,
		0x3938,
		10,		  /* STACK_USER: room, bytes, true size */
		RT_REGS_ABI_NONE, /* REGS_INTR */
	};
	static const uint64_t id = 0x5f;
	const struct rt_perf_record_header *hdr;
	struct rt_writer *w = open_to(path, RT_WRITER_NO_CLOCKID);

	event.ids = &id;
	event.ids_count = 1;
	event.attr.sample_regs_user = 0x101;
	event.attr.sample_regs_intr = 1;
	event.attr.sample_stack_user = 16;
	s.user_regs.regs = regs;
	s.user_regs.abi = RT_REGS_ABI_64;
	ok(rt_writer_add(w, &event, &err) == 0 && !rt_writer_begin(w, &err),
	   "an event with everything");
	ok(!rt_writer_sample(w, &s) && !rt_writer_close(w, &err), "and its sample");
	load();
	hdr = record(RT_PERF_RECORD_SAMPLE, 0);
	ok(hdr && hdr->misc == RT_MISC_USER && hdr->size == 8 + sizeof(want) &&
		   !memcmp(hdr + 1, want, sizeof(want)),
	   "every field in the kernel's order, padded, with context markers");
}

static void test_trailer(void)
{
	struct rt_writer_event event = software("cpu-clock", 0);
	struct rt_writer_stamp at = { 0x777, 5, 6, 2 };
	const uint64_t want[] = { 5 | 6ULL << 32, 0x777, 2, 1 };
	const struct rt_perf_record_header *hdr;
	const struct rt_perf_record_comm *comm;
	const struct rt_perf_record_task *fork;
	const struct rt_perf_record_ksymbol *ksym;
	const struct rt_perf_record_mmap *map;
	const struct rt_perf_record_header own = { RT_PERF_RECORD_FINISHED_ROUND, 0, sizeof(own) };
	struct rt_writer *w = open_to(path, RT_WRITER_NO_CLOCKID);

	rt_writer_add(w, &event, &err);
	rt_writer_begin(w, &err);
	rt_writer_comm(w, &at, 5, 6, "a name longer than 15", true);
	rt_writer_fork(w, &at, 10, 5, 11, 6);
	rt_writer_fork(w, NULL, 10, 5, 12, 6);
	rt_writer_exit(w, &at, 10, 5, 11, 6);
	rt_writer_ksymbol(w, &at, 0x4000, 64, 1, true, "bpf_prog");
	rt_writer_kernel_map(w, &at, 0x5000, 0x100, 0, "[mod]");
	rt_writer_record(w, &own, 0);
	rt_writer_lost(w, &at, 0, 3);
	rt_writer_close(w, &err);
	load();
	comm = (const struct rt_perf_record_comm *)record(RT_PERF_RECORD_COMM, 0);
	ok(comm && comm->hdr.misc == RT_MISC_COMM_EXEC && comm->pid == 5 && comm->tid == 6, "COMM");
	is_str(comm ? comm->comm : NULL, "a name longer t", "a comm is cut as the kernel cuts it");
	ok(comm && !memcmp((const uint8_t *)comm + comm->hdr.size - 32, want, 32),
	   "the trailer is TID TIME CPU IDENTIFIER");
	fork = (const struct rt_perf_record_task *)record(RT_PERF_RECORD_FORK, 0);
	ok(fork && fork->pid == 10 && fork->ppid == 5 && fork->tid == 11 && fork->ptid == 6 &&
		   fork->time == 0x777 && !fork->hdr.misc,
	   "FORK");
	fork = (const struct rt_perf_record_task *)record(RT_PERF_RECORD_EXIT, 0);
	ok(fork && fork->tid == 11 && fork->time == 0x777, "EXIT");
	ksym = (const struct rt_perf_record_ksymbol *)record(RT_PERF_RECORD_KSYMBOL, 0);
	ok(ksym && ksym->addr == 0x4000 && ksym->len == 64 && ksym->ksym_type == 1 &&
		   ksym->flags == 1 && !strcmp(ksym->name, "bpf_prog"),
	   "KSYMBOL");
	map = (const struct rt_perf_record_mmap *)record(RT_PERF_RECORD_MMAP, 0);
	ok(map && map->hdr.misc == RT_MISC_KERNEL && map->pid == UINT32_MAX &&
		   map->start == 0x5000 && map->len == 0x100 && !strcmp(map->filename, "[mod]"),
	   "MMAP of a module");
	ok(record(RT_PERF_RECORD_FINISHED_ROUND, 0), "a record made elsewhere");
	hdr = record(RT_PERF_RECORD_FORK, 1);
	ok(hdr && hdr->misc == RT_MISC_FORK_EXEC,
	   "a task from before takes no maps from its parent");
	hdr = record(RT_PERF_RECORD_LOST, 0);
	ok(hdr && ((const struct rt_perf_record_lost *)hdr)->lost == 3 &&
		   ((const struct rt_perf_record_lost *)hdr)->id == 1,
	   "LOST names the event");
	hdr = record(RT_PERF_RECORD_LOST_SAMPLES, 0);
	ok(hdr && ((const struct rt_perf_record_lost_samples *)hdr)->lost == 3,
	   "and the sum is repeated");
}

/*
 * Samples that are nothing but fields, of every length up to some kilobytes: as rt_writer_sample()
 * writes them.  With `terse` and one event no record has an id.
 */
static void test_fields(bool terse)
{
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID, .terse = terse };
	struct rt_writer_event event = { .name = "probe:p",
					 .attr = { .type = RT_TYPE_TRACEPOINT } };
	struct rt_writer_context context = { 0, RT_MISC_USER, 3, 4, { 5, 6 } };
	struct rt_writer_sample same = { .misc = RT_MISC_USER,
					 .cpu = 2,
					 .pid = 5,
					 .tid = 6,
					 .ip = 7,
					 .period = 1,
					 .common = true,
					 .common_flags = 3,
					 .common_preempt_count = 4 };
	struct rt_writer_stamp at = { 0x777, 5, 6, 2 };
	const struct rt_perf_record_header *a, *b;
	unsigned int i, size, good = 0, all = 0;
	char *text = probe_text(0);
	struct rt_writer *w;
	uint8_t raw[4096];
	int ret;

	for (i = 0; i < sizeof(raw); i++)
		raw[i] = i * 7 + i / 256;
	event.format = text;
	ret = rt_writer_open(path, &opt, &w, &err) || rt_writer_add(w, &event, &err) ||
	      rt_writer_begin(w, &err) || rt_writer_comm(w, &at, 5, 6, "name", false);
	for (size = 0; size <= sizeof(raw); size += 4) {
		same.time = 1000 + size;
		same.raw = raw;
		same.raw_size = size;
		ret |= rt_writer_fields(w, context, 2, 1000 + size, 7, raw, size) ||
		       rt_writer_sample(w, &same);
	}
	is_int(rt_writer_fields(w, context, 2, 1, 7, raw, 3), -EINVAL, "half a word is refused");
	ok(!ret && !rt_writer_close(w, &err), "samples of %zu sizes", sizeof(raw) / 4 + 1);
	free(text);
	load();
	is_int(((const struct rt_attr *)(file + header()->attrs.offset))->sample_type &
		       RT_SAMPLE_IDENTIFIER,
	       terse ? 0 : RT_SAMPLE_IDENTIFIER, "whether samples have ids");
	a = record(RT_PERF_RECORD_COMM, 0);
	is_int(a ? a->size : 0, 16 + 8 + 24 + (terse ? 0 : 8), "whether other records have ids");
	for (size = 0; size <= sizeof(raw); size += 4, all++) {
		a = record(RT_PERF_RECORD_SAMPLE, 2 * all);
		b = record(RT_PERF_RECORD_SAMPLE, 2 * all + 1);
		good += a && b && a->size == b->size && !memcmp(a, b, a->size) &&
			a->size == ((8 + (terse ? 0 : 8) + 40 + 4 + 8 + size + 7) & ~7u);
	}
	is_int(good, all, "both ways of writing make the same samples");
}

/* Two events need ids to be told apart. */
static void test_terse_two(void)
{
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID, .terse = true };
	struct rt_writer_event event = software("cpu-clock", 0);
	struct rt_writer *w;

	ok(!rt_writer_open(path, &opt, &w, &err) && rt_writer_add(w, &event, &err) == 0 &&
		   rt_writer_add(w, &event, &err) == 1 && !rt_writer_begin(w, &err) &&
		   !rt_writer_close(w, &err),
	   "a terse recording of two events");
	load();
	ok(((const struct rt_attr *)(file + header()->attrs.offset))->sample_type &
		   RT_SAMPLE_IDENTIFIER,
	   "its samples have ids");
}

/* --- events -------------------------------------------------------------------------------- */

static void test_tracepoint_ids(void)
{
	char *text = probe_text(0), *taken = probe_text(65535);
	struct rt_writer_event own = { .name = "probe:p", .attr = { .type = RT_TYPE_TRACEPOINT } };
	struct rt_writer_event kernel = own;
	struct rt_writer *w = open_to(path, RT_WRITER_NO_CLOCKID);
	int first, second, third;

	own.format = text;
	kernel.name = "kernel:p";
	kernel.attr.config = 65535;
	kernel.format = taken;
	first = rt_writer_add(w, &own, &err);
	second = rt_writer_add(w, &kernel, &err);
	third = rt_writer_add(w, &own, &err);
	ok(!rt_writer_begin(w, &err), "own and kernel tracepoints together");
	is_int(rt_writer_tracepoint(w, second), 65535, "the kernel's keeps its id");
	is_int(rt_writer_tracepoint(w, first), 65534, "ours go around it");
	is_int(rt_writer_tracepoint(w, third), 65533, "and differ");
	ok(rt_writer_id(w, first) != rt_writer_id(w, third), "ids of samples differ too");
	rt_writer_close(w, &err);
	load();
	ok(memmem(file, file_size, "ID: 65533\n", 10), "the text has the id that was chosen");
	free(text);
	free(taken);
}

static void test_refusals(void)
{
	struct rt_writer *w = open_to(path, RT_WRITER_NO_CLOCKID);
	struct rt_writer_event e = software("x", RT_SAMPLE_BRANCH_STACK);
	struct rt_writer_sample s = { .event = 0 };

	is_int(rt_writer_begin(w, &err), -EINVAL, "no event at all is refused");
	is_int(rt_writer_add(w, &e, &err), -EINVAL, "a sample bit we do not write is refused");
	e = software("x", RT_SAMPLE_REGS_USER);
	is_int(rt_writer_add(w, &e, &err), -EINVAL, "registers without a mask are refused");
	e = software("x", RT_SAMPLE_STACK_USER);
	e.attr.sample_stack_user = 65535;
	is_int(rt_writer_add(w, &e, &err), -EINVAL, "a stack that fits no record is refused");
	e = software("x", 0);
	e.attr.config3 = 1;
	is_int(rt_writer_add(w, &e, &err), -EINVAL,
	       "an attr that perf 5.10 does not take is refused");
	e = software("x", 0);
	e.attr.type = RT_TYPE_TRACEPOINT;
	is_int(rt_writer_add(w, &e, &err), -EINVAL, "a tracepoint needs a system");
	e.name = "no_such_system:event";
	is_int(rt_writer_add(w, &e, &err), -ENOENT, "and a format");
	e = software("x", 0);
	is_int(rt_writer_add(w, &e, &err), 0, "after all that an event is taken");
	is_int(rt_writer_sample(w, &s), -EINVAL, "a record before begin is refused");
	rt_writer_abort(w);
}

/* A recording of another machine contains nothing about this one. */
static void test_foreign(void)
{
	struct rt_host_description host = {
		.hostname = "elsewhere", .arch = "mips", .cpus_avail = 1, .cpus_online = 1
	};
	struct rt_writer_options opt = { .clockid = CLOCK_MONOTONIC,
					 .host = &host,
					 .foreign = true };
	struct rt_writer_map map = {
		.pid = getpid(), .filename = "/bin/sh", .len = 4096, .prot = 5
	};
	struct rt_writer_event e = { .name = "probe:p", .attr = { .type = RT_TYPE_TRACEPOINT } };
	char *text = probe_text(0);
	struct rt_writer *w;
	uint64_t bits;

	e.format = text;
	ok(!rt_writer_open(path, &opt, &w, &err) && !rt_writer_add(w, &e, &err) &&
		   !rt_writer_begin(w, &err) && !rt_writer_map(w, NULL, &map) &&
		   !rt_writer_close(w, &err),
	   "a foreign recording");
	free(text);
	load();
	bits = header()->features[0];
	ok(memmem(file, file_size, "elsewhere", 9), "the other machine's name");
	ok(!(bits >> RT_FEATURE_BUILD_ID & 1), "no build-id of a file that is here");
	ok(!(bits >> RT_FEATURE_CLOCK_DATA & 1), "no time of a clock that is here");
	ok(!(bits >> RT_FEATURE_TOTAL_MEM & 1), "what is not known is left out");
}

/* --- places that cannot be written to -------------------------------------------------------- */

static void test_places(void)
{
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID };
	struct rt_writer_event e = software("x", 0);
	struct rt_writer_sample s = { .time = 1 };
	struct rt_writer *w;
	struct stat st;
	int fds[2], i, ret = 0;

	is_int(rt_writer_open("/nonexistent/x", &opt, &w, &err), -ENOENT, "no such directory");
	ok(strstr(err.text, "/nonexistent/x"), "named in the error");

	unlink(path);
	w = open_to(path, RT_WRITER_NO_CLOCKID);
	rt_writer_abort(w);
	ok(stat(path, &st), "giving up before begin leaves nothing behind");

	w = open_to("/dev/full", RT_WRITER_NO_CLOCKID);
	rt_writer_add(w, &e, &err);
	is_int(rt_writer_begin(w, &err), -ENOSPC, "a full device");
	is_int(rt_writer_close(w, &err), -ENOSPC, "is told again at the end");

	signal(SIGPIPE, SIG_IGN);
	ok(!pipe(fds) && !rt_writer_open_pipe(fds[1], &opt, &w, &err), "a pipe");
	rt_writer_add(w, &e, &err);
	ok(!rt_writer_begin(w, &err), "begins");
	close(fds[0]);
	for (i = 0; !ret && i < 100000; i++)
		ret = rt_writer_sample(w, &s);
	is_int(ret, -EPIPE, "its reader goes away");
	is_int(rt_writer_sample(w, &s), -EPIPE, "and stays away");
	is_int(rt_writer_close(w, &err), -EPIPE, "closing says so");
	ok(strstr(err.text, "has ended"), "in a sentence: %s", err.text);
	close(fds[1]);
}

/* Two recordings with one name begin at the same time; OLD: where the first is kept. */
static void test_same_name(const char *old)
{
	struct rt_writer_event e = software("x", 0);
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID, .held = true };
	struct rt_writer *w[2];
	struct stat st;
	ino_t first;
	int i;

	unlink(path);
	for (i = 0; i < 2; i++) {
		rt_writer_open(path, &opt, &w[i], &err);
		rt_writer_add(w[i], &e, &err);
		ok(!rt_writer_begin(w[i], &err) && stat(path, &st), "recording %d has no name", i);
	}
	ok(!rt_writer_publish(w[0], &err) && !stat(path, &st), "the first gets it");
	first = st.st_ino;
	ok(!rt_writer_publish(w[1], &err) && !stat(path, &st) && st.st_ino != first,
	   "then the second");
	ok(!stat(old, &st) && st.st_ino == first, "which keeps the first");
	rt_writer_close(w[0], &err);
	rt_writer_close(w[1], &err);
}

/* A new recording has the name of an existing one. */
static void test_set_aside(void)
{
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID };
	struct rt_writer_event e = software("x", 0);
	char old[sizeof(path) + 8], target[sizeof(path) + 4];
	struct rt_writer *w;
	struct stat st;
	ino_t first;

	snprintf(old, sizeof(old), "%s.old", path);
	snprintf(target, sizeof(target), "%s.ln", path);
	ok(!stat(path, &st), "there is a recording");
	first = st.st_ino;
	w = open_to(path, RT_WRITER_NO_CLOCKID);
	rt_writer_abort(w);
	ok(!stat(path, &st) && st.st_ino == first && st.st_size, "it stays if no other one begins");
	w = open_to(path, RT_WRITER_NO_CLOCKID);
	rt_writer_add(w, &e, &err);
	ok(!rt_writer_begin(w, &err) && !rt_writer_close(w, &err), "another one");
	ok(!stat(old, &st) && st.st_ino == first, "the first is kept as .old");
	ok(!stat(path, &st) && st.st_ino != first && st.st_size, "the other has its name");

	opt.held = true;
	ok(!stat(path, &st), "a third one");
	first = st.st_ino;
	rt_writer_open(path, &opt, &w, &err);
	rt_writer_add(w, &e, &err);
	ok(!rt_writer_begin(w, &err) && !stat(path, &st) && st.st_ino == first,
	   "that is held is not seen when it begins");
	rt_writer_abort(w);
	ok(!stat(path, &st) && st.st_ino == first, "nor if it is given up");
	rt_writer_open(path, &opt, &w, &err);
	rt_writer_add(w, &e, &err);
	ok(!rt_writer_begin(w, &err) && !rt_writer_publish(w, &err) && !stat(path, &st) &&
		   st.st_ino != first,
	   "but when it is published");
	rt_writer_close(w, &err);
	ok(!stat(old, &st) && st.st_ino == first, "and the other is kept then");
	test_same_name(old);
	ok(!stat(old, &st), "kept");
	first = st.st_ino;

	ok(!symlink(old, target), "a link to it");
	w = open_to(target, RT_WRITER_NO_CLOCKID);
	rt_writer_add(w, &e, &err);
	ok(!rt_writer_begin(w, &err) && !rt_writer_close(w, &err), "recorded to");
	ok(!lstat(target, &st) && S_ISLNK(st.st_mode), "is still one");
	ok(!stat(old, &st) && st.st_ino != first && st.st_size, "to what was recorded");
	strcat(old, ".old");
	ok(!stat(old, &st) && st.st_ino == first, "and the first is kept beside it");
	unlink(old);
	unlink(target);
}

/* Times may go back only as far as perf's rounds allow. */
static void test_order(void)
{
	struct rt_writer *w = open_to(path, RT_WRITER_NO_CLOCKID);
	struct rt_writer_event e = software("x", 0);
	struct rt_writer_sample s = { .time = 100 };

	rt_writer_add(w, &e, &err);
	rt_writer_begin(w, &err);
	rt_writer_sample(w, &s);
	rt_writer_round(w);
	s.time = 50;
	rt_writer_sample(w, &s);
	is_int(rt_writer_stats(w)->out_of_order, 0, "a round may be older than the one before");
	rt_writer_round(w);
	s.time = 99;
	rt_writer_sample(w, &s);
	is_int(rt_writer_stats(w)->out_of_order, 1, "but not older than the one before that");
	rt_writer_close(w, &err);
}

/* --- more than fits --------------------------------------------------------------------- */

/* The entries of a BUILD_ID section; -1 when it does not end with one. */
static int build_ids(const struct rt_file_section *at)
{
	const struct rt_perf_record_build_id *entry;
	uint64_t pos;
	int n = 0;

	for (pos = at->offset; pos < at->offset + at->size; pos += entry->hdr.size, n++) {
		entry = (const struct rt_perf_record_build_id *)(file + pos);
		if (entry->hdr.size < sizeof(*entry) || entry->size != 20)
			return -1;
	}
	return pos == at->offset + at->size ? n : -1;
}

static void test_many_files(bool killed)
{
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID, .checkpoint_ns = 1 };
	struct rt_buildid id = { .len = 20 };
	struct rt_writer_event e = software("x", 0);
	struct rt_writer_sample s = { .time = 1 };
	struct rt_writer *w;
	char name[32];
	int i, n;

	rt_writer_open(path, &opt, &w, &err);
	rt_writer_add(w, &e, &err);
	rt_writer_begin(w, &err);
	for (i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "/lib/%d", i);
		rt_writer_build_id(w, name, false, &id);
		rt_writer_sample(w, &s);
	}
	rt_writer_round(w);
	if (killed)
		rt_writer_abort(w);
	else
		rt_writer_close(w, &err);
	load();
	/* BUILD_ID is the first feature: no tracepoint is there. */
	n = build_ids((void *)(file + header()->data.offset + header()->data.size));
	if (killed)
		ok(n > 500 && n < 2000, "a checkpoint has as many build-ids as fit (%d)", n);
	else
		is_int(n, 2000, "a closed file has all build-ids");
	ok(!!record(RT_PERF_RECORD_FINISHED_ROUND, 0), "and its records hang together");
}

static void test_many_events(void)
{
	char *text = probe_text(0), name[32];
	struct rt_writer_event e = { .name = name, .attr = { .type = RT_TYPE_TRACEPOINT } };
	struct rt_writer *w = open_to(path, RT_WRITER_NO_CLOCKID);
	static uint8_t seen[65536];
	int i, twice = 0;

	e.format = text;
	for (i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "probe:p%d", i);
		rt_writer_add(w, &e, &err);
	}
	ok(!rt_writer_begin(w, &err), "ten thousand probes");
	for (i = 0; i < 10000; i++)
		twice += seen[rt_writer_tracepoint(w, i)]++;
	is_int(twice, 0, "each with an id of its own");
	ok(!rt_writer_close(w, &err), "in one file");
	free(text);
}

/* Events that are added while it records: the front moves, and an earlier header stays valid. */
static void test_grow(void)
{
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID, .room = 65536 };
	char *text = probe_text(0), name[32];
	struct rt_writer_event e = software("first", 0), late = { .name = name };
	struct rt_writer_sample s = { .misc = RT_MISC_KERNEL, .raw = "12345678", .raw_size = 8 };
	struct rt_writer *w = NULL;
	uint64_t attrs[2];
	int i, added = 0, ret;

	ok(!rt_writer_open(path, &opt, &w, &err) && !rt_writer_add(w, &e, &err) &&
		   !rt_writer_begin(w, &err),
	   "a file with room for more events");
	load();
	attrs[0] = header()->attrs.offset;
	late.attr.type = RT_TYPE_TRACEPOINT;
	late.format = text;
	for (i = 1; i < 3; i++) {
		snprintf(name, sizeof(name), "later:p%d", i);
		is_int(rt_writer_add(w, &late, &err), i, "an event is added while it records");
		s.event = i;
		s.time = 1000 + i;
		s.common = true;
		ok(!rt_writer_sample(w, &s), "and written");
	}
	for (added = 2; added < 1000; added++) {
		snprintf(name, sizeof(name), "later:p%d", added + 1);
		ret = rt_writer_add(w, &late, &err);
		if (ret < 0)
			break;
	}
	ok(added > 10 && added < 1000 && ret == -E2BIG, "until the room is used up: %s", err.text);
	ok(!rt_writer_close(w, &err), "the file is complete");
	load();
	attrs[1] = header()->attrs.offset;
	ok(attrs[1] > attrs[0] && attrs[1] < header()->data.offset, "its attrs are elsewhere");
	is_int(header()->attrs.size / header()->attr_size, added + 1, "all events are in it");
	ok(record(RT_PERF_RECORD_SAMPLE, 1) != NULL, "and both samples");
	free(text);
}

/* What each thread had: behind all samples, for the first thread of all events. */
static void test_counts(void)
{
	static const struct {
		int32_t pid, tid;
		unsigned event;
		uint64_t period;
	} had[] = {
		{ 9, 12, 1, 5 }, { 3, 4, 1, 100 }, { 9, 9, 0, 1 }, { 3, 4, 1, 7 }, { 9, 12, 0, 2 }
	};
	static const struct {
		uint32_t pid, tid;
		uint64_t value, id;
	} want[] = { { 3, 4, 0, 1 }, { 3, 4, 0, 2 },  { 3, 4, 107, 2 },
		     { 9, 9, 1, 1 }, { 9, 12, 2, 1 }, { 9, 12, 5, 2 } };
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID, .count_threads = true };
	struct rt_writer_event one = software("one", 0), two = software("two", 0);
	struct rt_writer_sample s = { .misc = RT_MISC_KERNEL };
	const struct rt_perf_record_read *read;
	struct rt_writer *w = NULL;
	unsigned i, bad = 0;

	ok(!rt_writer_open(path, &opt, &w, &err) && !rt_writer_add(w, &one, &err) &&
		   rt_writer_add(w, &two, &err) == 1 && !rt_writer_begin(w, &err),
	   "a file that counts for each thread");
	ok(!rt_writer_plain(w, 0), "whose samples are none that is only copied");
	for (i = 0; i < sizeof(had) / sizeof(*had); i++) {
		s.event = had[i].event;
		s.pid = had[i].pid;
		s.tid = had[i].tid;
		s.period = had[i].period;
		s.time = 1000 + i;
		bad += rt_writer_sample(w, &s) != 0;
	}
	is_int(bad, 0, "samples of three threads");
	ok(!rt_writer_close(w, &err), "the file is complete");
	load();
	for (i = 0; (read = (const void *)record(RT_PERF_RECORD_READ, i)); i++)
		bad += i >= sizeof(want) / sizeof(*want) || read->pid != want[i].pid ||
		       read->tid != want[i].tid || read->values[0] != want[i].value ||
		       read->values[1] != 4 || read->values[2] != 4 ||
		       read->values[3] != want[i].id;
	is_int(i, sizeof(want) / sizeof(*want), "a record for each thread and event");
	is_int(bad, 0, "with its count");
}

/* --- host and running tasks ---------------------------------------------------------------- */

/* A thread of this program that tells its id and lives until its pipe is closed. */
static void *stay(void *ends)
{
	pid_t tid = gettid();
	char none;

	if (write(((int *)ends)[1], &tid, sizeof(tid)) == sizeof(tid))
		while (read(((int *)ends)[2], &none, 1) > 0)
			;
	return NULL;
}

static void test_synth(void)
{
	struct rt_writer *w = open_to(path, RT_WRITER_NO_CLOCKID);
	struct rt_writer_event e = software("x", 0);
	const struct rt_perf_record_mmap2 *map;
	const struct rt_perf_record_comm *comm;
	unsigned i, maps = 0, self = 0, found = 0, threads = 0;
	pthread_t thread;
	pid_t tid = -1;
	int ends[4];
	char exe[512] = "";

	ok(!pipe(ends) && !pipe(ends + 2) && !pthread_create(&thread, NULL, stay, ends) &&
		   read(ends[0], &tid, sizeof(tid)) == sizeof(tid),
	   "a thread beside this one");
	rt_writer_add(w, &e, &err);
	rt_writer_begin(w, &err);
	ok(!rt_synth_tasks(w, 0, &err), "all tasks");
	close(ends[3]);
	pthread_join(thread, NULL);
	close(ends[0]);
	close(ends[1]);
	close(ends[2]);
	is_int(rt_synth_process(w, 0x7ffffff0, &err), -ESRCH, "a process that is not there");
	rt_writer_close(w, &err);
	load();
	i = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	for (i = 0; (map = (const void *)record(RT_PERF_RECORD_MMAP2, i)); i++) {
		maps += !(map->prot & 4);
		self += map->pid == (uint32_t)getpid() && !strcmp(map->filename, exe) &&
			map->start <= (uint64_t)test_synth &&
			(uint64_t)test_synth < map->start + map->len;
	}
	/* The thread that frees a replaced file may still run: count by the thread's id. */
	for (i = 0; (comm = (const void *)record(RT_PERF_RECORD_COMM, i)); i++) {
		if (comm->pid != (uint32_t)getpid() || strcmp(comm->comm, "writer_bytes"))
			continue;
		found += comm->tid == comm->pid;
		threads += comm->tid == (uint32_t)tid;
	}
	is_int(self, 1, "this program's code is mapped once");
	is_int(maps, 0, "only executable maps are told");
	is_int(found, 1, "its name is told once");
	is_int(threads, 1, "and once for its thread");
}

static void test_formats(void)
{
	char *text = probe_text(42), *other = rt_format_with_id(text, 7);

	is_int(rt_format_id(text), 42, "the id of a format");
	is_int(rt_format_id(other), 7, "and changed");
	is_int(strlen(text), strlen(other) + 1, "nothing else changed");
	is_int(rt_format_id("name: x\nformat:\n"), -EINVAL, "a format without one");
	ok(!rt_format_with_id("name: x\n", 1), "cannot be given one");
	free(text);
	free(other);
}

int main(void)
{
	close(mkstemp(path));
	test_header();
	test_features();
	test_sample_layout();
	test_trailer();
	test_fields(false);
	test_fields(true);
	test_terse_two();
	test_tracepoint_ids();
	test_refusals();
	test_foreign();
	test_places();
	test_order();
	test_set_aside();
	test_many_files(false);
	test_many_files(true);
	test_many_events();
	test_grow();
	test_counts();
	test_synth();
	test_formats();
	unlink(path);
	strcat(path, ".old");
	unlink(path);
	free(file);
	return tap_done();
}
