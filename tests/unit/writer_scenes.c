// SPDX-License-Identifier: GPL-2.0
/*
 * Recordings of known content.
 *
 *	writer_scenes			write each scene and check what came back from the writer
 *	writer_scenes SCENE FILE [LEVEL]	only write it, compressed by LEVEL: tests/host/writer-*.sh
 *					read it with perf
 */
#include "format_build.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "host/tracefs.h"
#include "host/description.h"
#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"
#include "perfdata/write/synth.h"
#include "perfdata/write/writer.h"

#define T0    1000000000ULL /* the first event, in ns */
#define KADDR 0xffff800081000000ULL
#define CPUS  4

static struct rt_err err;
static uint64_t checkpoint_ns = 1; /* each round */
static int level;		   /* of compression */
static int pipe_fd = -1;	   /* where a scene goes in pipe format, whatever its path */

static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, err.text);
	exit(1);
}

static struct rt_writer *open_writer(const char *path)
{
	static const char *const argv[] = { "ringtail", "record", "-e", "probe:x y", "--", "true" };
	struct rt_writer_options opt = { .argc = 6, .argv = argv, .clockid = CLOCK_MONOTONIC };
	static struct rt_host_description host;
	struct rt_writer *w;

	rt_host_description_free(&host);
	rt_host_describe(&host);
	host.cpus_avail = CPUS;
	opt.host = &host;
	opt.checkpoint_ns = checkpoint_ns;
	opt.level = level;
	if (pipe_fd < 0 ? rt_writer_open(path, &opt, &w, &err) :
			  rt_writer_open_pipe(pipe_fd, &opt, &w, &err))
		die("open");
	return w;
}

static unsigned add(struct rt_writer *w, const struct rt_writer_event *event)
{
	int n = rt_writer_add(w, event, &err);

	if (n < 0)
		die(event->name);
	return n;
}

static void begin(struct rt_writer *w)
{
	if (rt_writer_begin(w, &err))
		die("begin");
}

static void check(int ret)
{
	if (ret) {
		fprintf(stderr, "a record was refused: %s\n", strerror(-ret));
		exit(1);
	}
}

/* A task "alpha" 4711 with a thread "beta" 4712, known from the beginning. */
static void put_tasks(struct rt_writer *w)
{
	check(rt_writer_fork(w, NULL, 4711, 1, 4711, 1));
	check(rt_writer_comm(w, NULL, 4711, 4711, "alpha", false));
	check(rt_writer_fork(w, NULL, 4711, 4711, 4712, 4711));
	check(rt_writer_comm(w, NULL, 4711, 4712, "beta", false));
	check(rt_writer_kernel_map(w, NULL, KADDR, 0x1000000, KADDR, "[kernel.kallsyms]_text"));
}

/* --- probes with formats of our own ------------------------------------------------ */

struct send_record { /* behind the common fields */
	uint64_t ip;
	uint32_t size;
	uint16_t path_offset, path_size;
	int32_t ret;
	char path[16];
} __attribute__((packed));

static unsigned add_probe(struct rt_writer *w, const char *name)
{
	static const struct format_field fields[] = {
		{ "unsigned long", "__probe_ip", 8, 8, 0, false },
		{ "u32", "size", 16, 4, 0, false },
		{ "string", "path", 20, 4, 0, true },
		{ "s32", "ret", 24, 4, 0, true },
	};
	struct rt_writer_event event = {
		.name = name,
		.attr = { .type = RT_TYPE_TRACEPOINT, .sample_type = RT_SAMPLE_CALLCHAIN },
	};
	unsigned n;
	char *text;

	text = format_make(
		strchr(name, ':') + 1, 0, fields, 4,
		"\"(%lx) size=0x%x path=\\\"%s\\\" ret=%d\", REC->__probe_ip, REC->size, "
		"__get_str(path), REC->ret");
	if (!text)
		die("format");
	event.format = text;
	n = add(w, &event);
	free(text);
	return n;
}

static void put_probe(struct rt_writer *w, unsigned event, unsigned i)
{
	const uint64_t chain[3] = { KADDR + i, KADDR + 0x1000, KADDR + 0x2000 };
	const uint64_t user[2] = { 0x400000, 0x400100 };
	struct send_record rec = { KADDR + i, 0x28 + i, 28, 0, -(int)i, "" };
	struct rt_writer_sample s = {
		.event = event,
		.misc = RT_MISC_KERNEL,
		.cpu = i % CPUS,
		.pid = 4711,
		.tid = 4711 + i % 2,
		.time = T0 + i * 1000,
		.ip = KADDR + i,
		.period = 1,
		.kernel_ips = chain,
		.kernel_count = 3,
		.user_ips = user,
		.user_count = 2,
		.raw = &rec,
		.common = true,
		.common_flags = 1,
		.common_preempt_count = 2,
	};

	rec.path_size = snprintf(rec.path, sizeof(rec.path), "/tmp/%u", i) + 1;
	s.raw_size = offsetof(struct send_record, path) + rec.path_size;
	check(rt_writer_sample(w, &s));
}

static struct rt_writer *scene_probe(const char *path)
{
	struct rt_writer *w = open_writer(path);
	unsigned i, send = add_probe(w, "probe:tcp_sendmsg"), other = add_probe(w, "watch:jiffies");

	begin(w);
	put_tasks(w);
	for (i = 0; i < 10; i++) {
		put_probe(w, i % 3 ? send : other, i);
		if (i % 4 == 3)
			rt_writer_round(w);
	}
	return w;
}

/* --- the kernel's own tracepoint ------------------------------------------------------- */

struct switch_record { /* behind the common fields, on 64-bit kernels */
	char prev_comm[16];
	int32_t prev_pid, prev_prio;
	int64_t prev_state;
	char next_comm[16];
	int32_t next_pid, next_prio;
};

static struct rt_writer *scene_sched(const char *path)
{
	struct rt_writer_event event = { .name = "sched:sched_switch",
					 .attr = { .type = RT_TYPE_TRACEPOINT } };
	struct switch_record rec = { "alpha", 4711, 120, 1, "beta", 4712, 98 };
	struct rt_writer *w = open_writer(path);
	struct rt_writer_sample s = {
		.misc = RT_MISC_KERNEL, .pid = 4711, .tid = 4711, .period = 1
	};
	unsigned i;

	s.event = add(w, &event);
	begin(w);
	put_tasks(w);
	s.raw = &rec;
	s.raw_size = sizeof(rec);
	s.common = true;
	for (i = 0; i < 6; i++) {
		s.time = T0 + i * 1500;
		s.ip = KADDR;
		s.cpu = i % 2;
		check(rt_writer_sample(w, &s));
	}
	return w;
}

/* --- this very program: software events, user symbols, registers and stack ------------------ */

#define STACK_BYTES 8192
#if defined(__aarch64__)
#define REGS_MASK  ((1ULL << 33) - 1) /* x0 … x30, sp, pc */
#define REGS_COUNT 33
#elif defined(__x86_64__)
#define REGS_MASK  0xff0fffULL /* all but the segments */
#define REGS_COUNT 20
#endif

static void take_regs(const ucontext_t *uc, uint64_t *regs)
{
#if defined(__aarch64__)
	memcpy(regs, uc->uc_mcontext.regs, 31 * 8);
	regs[31] = uc->uc_mcontext.sp;
	regs[32] = uc->uc_mcontext.pc;
#elif defined(__x86_64__)
	/* perf's order: ax bx cx dx si di bp sp ip flags cs ss r8 … r15 */
	static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP,
				     REG_RSP, REG_RIP, REG_EFL, -1,	 -1,	  REG_R8,  REG_R9,
				     REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
	unsigned i;

	for (i = 0; i < REGS_COUNT; i++)
		regs[i] = order[i] < 0 ? 0 : (uint64_t)uc->uc_mcontext.gregs[order[i]];
#endif
}

static uint64_t scene_regs[REGS_COUNT];
static uint8_t scene_stack[STACK_BYTES];

__attribute__((noinline, no_sanitize_address)) void scene_leaf(void);
__attribute__((noinline)) void scene_middle(void);

/* Where the stack of this thread ends: nothing may be read beyond. */
static const uint8_t *stack_end(void)
{
	pthread_attr_t attr;
	void *base;
	size_t size;

	if (pthread_getattr_np(pthread_self(), &attr) || pthread_attr_getstack(&attr, &base, &size))
		die("the stack's bounds");
	pthread_attr_destroy(&attr);
	return (const uint8_t *)base + size;
}

/* Store the registers and the stack as a sample in this function would have them. */
void scene_leaf(void)
{
	const uint8_t *sp, *end = stack_end();
	ucontext_t uc;
	size_t i;

	getcontext(&uc);
	take_regs(&uc, scene_regs);
#if defined(__aarch64__)
	sp = (const uint8_t *)uc.uc_mcontext.sp;
#else
	sp = (const uint8_t *)uc.uc_mcontext.gregs[REG_RSP];
#endif
	for (i = 0; i < sizeof(scene_stack) && sp + i < end; i++)
		scene_stack[i] = ((volatile const uint8_t *)sp)[i];
}

void scene_middle(void)
{
	scene_leaf();
	__asm__ volatile("" ::: "memory"); /* no tail call */
}

static struct rt_writer *scene_self(const char *path)
{
	struct rt_writer_event clock = {
		.name = "cpu-clock",
		.attr = { .type = RT_TYPE_SOFTWARE, .sample_period = 1000, .flags = RT_ATTR_FREQ },
	};
	struct rt_writer_event dwarf = {
		.name = "task-clock:u",
		.attr = { .type = RT_TYPE_SOFTWARE,
			  .config = 1,
			  .sample_period = 1000000,
			  .sample_regs_user = REGS_MASK,
			  .sample_stack_user = STACK_BYTES,
			  .flags = RT_ATTR_EXCLUDE_KERNEL | RT_ATTR_EXCLUDE_CC_USER },
	};
	const uint64_t chain[2] = { (uint64_t)scene_leaf + 4, (uint64_t)scene_middle + 4 };
	struct rt_writer *w = open_writer(path);
	struct rt_writer_sample s = { .misc = RT_MISC_USER, .pid = getpid(), .tid = getpid() };
	unsigned i, plain, deep;

	clock.attr.sample_type = RT_SAMPLE_CALLCHAIN;
	dwarf.attr.sample_type = RT_SAMPLE_CALLCHAIN | RT_SAMPLE_REGS_USER | RT_SAMPLE_STACK_USER;
	plain = add(w, &clock);
	deep = add(w, &dwarf);
	begin(w);
	if (rt_synth_kernel(w, &err) || rt_synth_tasks(w, 0, &err) ||
	    rt_synth_process(w, getpid(), &err))
		die("synth");

	s.user_ips = chain;
	s.user_count = 2;
	for (i = 0; i < 20; i++) {
		s.event = plain;
		s.time = T0 + i * 1000000;
		s.ip = chain[i % 4 == 0]; /* five in the middle */
		s.period = 1000000;
		s.cpu = 1;
		s.user_ips = chain + (i % 4 == 0);
		s.user_count = 2 - (i % 4 == 0);
		check(rt_writer_sample(w, &s));
	}
	scene_middle();
	s.event = deep;
	s.time += 1000;
	s.ip = scene_regs[REGS_COUNT == 33 ? 32 : 8];
	s.user_count = 0;
	s.user_regs.regs = scene_regs;
	s.user_regs.abi = RT_REGS_ABI_64;
	s.stack = scene_stack;
	s.stack_size = sizeof(scene_stack);
	check(rt_writer_sample(w, &s));
	return w;
}

/* --- a watch: six writes by one function of the kernel, two by another, two by this program --------- */

struct watch_record { /* behind the common fields */
	uint64_t ip, old, new;
};

static struct rt_writer *scene_watch(const char *path)
{
	static const struct format_field fields[] = {
		{ "unsigned long", "__probe_ip", 8, 8, 0, false },
		{ "u64", "old", 16, 8, 0, false },
		{ "u64", "new", 24, 8, 0, false },
	};
	struct rt_writer_event event = { .name = "watch:jiffies",
					 .attr = { .type = RT_TYPE_TRACEPOINT } };
	const uint64_t kernel[2] = { KADDR + 0x10, KADDR + 0x1010 };
	struct rt_writer *w = open_writer(path);
	char *text =
		format_make("jiffies", 0, fields, 3,
			    "\"(%lx) old=0x%llx new=0x%llx\", REC->__probe_ip, REC->old, REC->new");
	struct watch_record rec;
	struct rt_writer_sample s = {
		.period = 1, .raw = &rec, .raw_size = sizeof(rec), .common = true
	};
	unsigned i;

	if (!text)
		die("format");
	event.format = text;
	s.event = add(w, &event);
	free(text);
	begin(w);
	put_tasks(w);
	if (rt_synth_process(w, getpid(), &err))
		die("synth");
	for (i = 0; i < 10; i++) {
		s.misc = i < 8 ? RT_MISC_KERNEL : RT_MISC_USER;
		s.pid = s.tid = i < 8 ? 4711 : getpid();
		s.ip = i < 8 ? kernel[i % 4 == 3] : (uint64_t)scene_leaf + 4;
		s.time = T0 + i * 1000000;
		rec = (struct watch_record){ s.ip, i, i + 1 };
		check(rt_writer_sample(w, &s));
	}
	return w;
}

/* --- losses, order, volume ----------------------------------------------------------------- */

static struct rt_writer *scene_lost(const char *path)
{
	struct rt_writer *w = open_writer(path);
	struct rt_writer_stamp at = { T0 + 500, 4711, 4711, 2 };
	unsigned a = add_probe(w, "probe:first"), b = add_probe(w, "probe:second");
	static char big[70000];
	struct rt_writer_sample s = { .event = b, .time = T0 + 5000, .raw = big, .raw_size = 70000 };

	begin(w);
	put_tasks(w);
	put_probe(w, a, 0);
	check(rt_writer_lost(w, &at, a, 7));
	check(rt_writer_lost(w, &at, b, 0));
	at.time = T0 + 2500;
	at.cpu = 3;
	check(rt_writer_lost(w, &at, b, 30));
	put_probe(w, b, 4);
	if (rt_writer_sample(w, &s) != -EMSGSIZE)
		die("a sample too big was taken");
	return w;
}

/* Each round one CPU after the other, so that times go back within a round. */
static struct rt_writer *put_rounds(const char *path, unsigned rounds, unsigned pause_us)
{
	struct rt_writer *w = open_writer(path);
	unsigned round, cpu, i, event = add_probe(w, "probe:many");

	begin(w);
	put_tasks(w);
	for (round = 0; round < rounds; round++) {
		for (cpu = 0; cpu < CPUS; cpu++)
			for (i = 0; i < 25; i++)
				put_probe(w, event, round * 100 + i * CPUS + cpu);
		check(rt_writer_round(w));
		usleep(pause_us);
	}
	return w;
}

static struct rt_writer *scene_many(const char *path)
{
	return put_rounds(path, 1000, 0);
}

/* Records about the process RT_PID as it is before the first event. */
static struct rt_writer *scene_process(const char *path)
{
	struct rt_writer_event event = { .name = "cpu-clock",
					 .attr = { .type = RT_TYPE_SOFTWARE, .sample_period = 1 } };
	const char *pid = getenv("RT_PID");
	struct rt_writer *w = open_writer(path);

	add(w, &event);
	begin(w);
	if (!pid || rt_synth_process(w, atoi(pid), &err))
		die("RT_PID");
	return w;
}

/* Write until killed, with five checkpoints per second. */
static struct rt_writer *scene_endless(const char *path)
{
	checkpoint_ns = 200000000;
	return put_rounds(path, UINT32_MAX / 100, 2000);
}

/* Ten rounds; killed with records in the buffer and after the last checkpoint. */
static struct rt_writer *scene_killed(const char *path)
{
	struct rt_writer *w = put_rounds(path, 10, 0);

	put_probe(w, 0, 1000);
	kill(getpid(), SIGKILL);
	return w;
}

/* The same, where kernel and maps become known only while recording. */
static struct rt_writer *scene_killed_self(const char *path)
{
	struct rt_writer *w = scene_self(path);

	check(rt_writer_round(w));
	kill(getpid(), SIGKILL);
	return w;
}

/* The file may not grow beyond 200 kB: 1,000 rounds need 12 MB. */
static struct rt_writer *scene_full(const char *path)
{
	struct rlimit limit = { 200000, RLIM_INFINITY };
	struct rt_writer *w = open_writer(path);
	unsigned i, event = add_probe(w, "probe:many");
	int ret = 0;

	signal(SIGXFSZ, SIG_IGN);
	begin(w);
	put_tasks(w);
	setrlimit(RLIMIT_FSIZE, &limit);
	for (i = 0; !ret && i < 100000; i++) {
		put_probe(w, event, i);
		if (i % 100 == 99)
			ret = rt_writer_round(w);
	}
	if (ret != -EFBIG)
		die("the disk never filled");
	return w;
}

static const struct scene {
	const char *name;
	struct rt_writer *(*make)(const char *path);
	unsigned samples;
	bool by_hand; /* only for the host tests */
} scenes[] = {
	{ "probe", scene_probe, 10 },
	{ "watch", scene_watch, 10 },
	{ "sched", scene_sched, 6 },
	{ "self", scene_self, 21 },
	{ "lost", scene_lost, 2 },
	{ "many", scene_many, 100000 },
	{ "killed", scene_killed, 0, true },
	{ "killed-self", scene_killed_self, 0, true },
	{ "process", scene_process, 0, true },
	{ "endless", scene_endless, 0, true },
	{ "full", scene_full, 0, true },
};

#define SCENES (sizeof(scenes) / sizeof(*scenes))

static int write_scene(const char *name, const char *path)
{
	struct rt_writer *w;
	size_t i;

	for (i = 0; i < SCENES; i++) {
		if (strcmp(scenes[i].name, name))
			continue;
		signal(SIGPIPE, SIG_IGN);
		w = scenes[i].make(path);
		if (!rt_writer_close(w, &err))
			return 0;
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	fprintf(stderr, "no scene '%s'\n", name);
	return 2;
}

/* Is this sample the one that put_probe() made at its time? */
static bool is_probe(const struct rt_perf_record *rec, const struct rt_sample *s)
{
	const unsigned i = (s->time - T0) / 1000;
	const uint64_t chain[7] = {
		RT_PERF_CONTEXT_KERNEL, KADDR + i, KADDR + 0x1000, KADDR + 0x2000,
		RT_PERF_CONTEXT_USER,	0x400000,  0x400100
	};
	struct send_record got;
	uint16_t type;
	int32_t pid;

	if (s->raw.size < 8 + offsetof(struct send_record, path))
		return false;
	memcpy(&type, s->raw.data, 2);
	memcpy(&pid, (const uint8_t *)s->raw.data + 4, 4);
	memcpy(&got, (const uint8_t *)s->raw.data + 8, offsetof(struct send_record, path));
	return type == rec->event->attr.config && pid == s->tid && s->tid == 4711 + (int)i % 2 &&
	       s->cpu == i % CPUS && s->ip == KADDR + i && got.ip == s->ip &&
	       got.size == 0x28 + i && got.ret == -(int)i && s->callchain.nr == 7 &&
	       !memcmp(s->callchain.ips, chain, sizeof(chain));
}

/* Our own reader must find all of it. */
static void read_back(const struct scene *scene, const char *path, const char *how)
{
	unsigned samples = 0, wrong = 0, disordered = 0;
	bool probes = !strcmp(scene->name, "probe") || !strcmp(scene->name, "many");
	const struct rt_reader_stats *st;
	struct rt_reader *r;
	struct rt_perf_record rec;
	struct rt_sample s;
	uint64_t last = 0;
	int ret;

	if (!ok(!rt_reader_open(path, NULL, &r, &err), "%s %s: opens", scene->name, how))
		return;
	while ((ret = rt_reader_next(r, &rec, &err)) > 0) {
		if (rec.hdr->type != RT_PERF_RECORD_SAMPLE)
			continue;
		samples++;
		disordered += rec.time < last;
		last = rec.time;
		wrong += rt_sample_parse(&rec, &s, &err) != 0 || (probes && !is_probe(&rec, &s));
	}
	st = rt_reader_stats(r);
	is_int(ret, 0, "%s %s: reads to the end", scene->name, how);
	is_int(samples, scene->samples, "%s %s: every sample comes back", scene->name, how);
	is_int(wrong, 0, "%s %s: with what went in", scene->name, how);
	is_int(disordered + st->out_of_order, 0, "%s %s: in the order of time", scene->name, how);
	is_int(st->unknown_ids + st->unknown_types, 0, "%s %s: nothing is unknown", scene->name,
	       how);
	is_int(st->lost, strcmp(scene->name, "lost") ? 0 : 38, "%s %s: losses", scene->name, how);
	is_int(st->lost_samples, st->lost, "%s %s: and their sums", scene->name, how);
	ok(!rt_reader_warning(r, 0), "%s %s: no warning", scene->name, how);
	rt_reader_close(r);
}

static void test_scene(const struct scene *scene, const char *path)
{
	const struct rt_writer_stats *st;
	struct rt_writer *w;
	struct stat file;
	uint64_t lost, bytes;

	w = scene->make(path);
	st = rt_writer_stats(w);
	is_int(st->samples, scene->samples, "%s: every sample is counted", scene->name);
	is_int(st->out_of_order, 0, "%s: none is older than perf allows", scene->name);
	lost = strcmp(scene->name, "lost") ? 0 : 38;
	bytes = st->bytes;
	is_int(st->lost, lost, "%s: losses are counted", scene->name);
	ok(!rt_writer_close(w, &err), "%s: closes", scene->name);
	read_back(scene, path, "file");
	ok(!stat(path, &file) && (uint64_t)file.st_size > bytes, "%s: the file is there",
	   scene->name);
}

static void test_pipe(const struct scene *scene, const char *path)
{
	pipe_fd = open(path, O_WRONLY | O_TRUNC);
	ok(!rt_writer_close(scene->make(path), &err), "%s: through a pipe", scene->name);
	close(pipe_fd);
	pipe_fd = -1;
	read_back(scene, path, "pipe");
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/writer_scenes.XXXXXX";
	size_t i;

	level = argc == 4 ? atoi(argv[3]) : 0;
	if (argc >= 3)
		return write_scene(argv[1], argv[2]);
	close(mkstemp(path));
	for (i = 0; i < SCENES; i++) {
		if (scenes[i].by_hand)
			continue;
		test_scene(&scenes[i], path);
		test_pipe(&scenes[i], path);
	}
	unlink(path);
	return tap_done();
}
