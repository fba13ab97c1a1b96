// SPDX-License-Identifier: GPL-2.0
/*
 * Guest instructions that one event costs the CPU where it happens: ringtail, ftrace and perf in
 * one boot, one after the other, without a reader.  Meant for -icount, where a nanosecond of guest
 * time is an instruction, and one CPU.
 *
 * rt_bench_events [CASE]: all, or one.
 *
 * A line is `CASE WHO INSTRUCTIONS BYTES EVENTS LOST`.  INSTRUCTIONS is per event, above the same
 * work with nothing armed; BYTES is the space of one event in the ring.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/session.h"
#include "rt_bench.h"

#define TRACEFS "/sys/kernel/tracing/"
/* Whether function entries go through ftrace. */
#define FTRACE "/sys/module/ringtail/parameters/ftrace"

#ifdef __x86_64__
enum { FIRST = 14, SECOND = 13 }; /* di, si in struct pt_regs */
#define FETCH "a=%di b=%si"
#else
enum { FIRST = 0, SECOND = 1 };
#define FETCH "a=%x0 b=%x1"
#endif

/* --- making the events ----------------------------------------------------------- */

static void system_calls(int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static int ping[2], pong[2];

/* One byte forth and one byte back: two task switches. */
static void switches(int n)
{
	char c = 0;

	for (n /= 2; n; n--)
		if (write(ping[1], &c, 1) != 1 || read(pong[0], &c, 1) != 1)
			die("pipe");
}

static pid_t partner(void)
{
	pid_t pid;
	char c;

	if (pipe(ping) || pipe(pong))
		die("pipe");
	pid = fork();
	if (pid)
		return pid;
	close(ping[1]);
	while (read(ping[0], &c, 1) == 1 && write(pong[1], &c, 1) == 1)
		;
	_exit(0);
}

static void play(const char *what, int n)
{
	char line[64];

	snprintf(line, sizeof(line), "%s %d", what, n);
	must_put("/proc/rt_play", line, 0);
}

static void numbers(int n)
{
	play("number", n);
}

static void stacks(int n)
{
	play("stack", n);
}

__attribute__((noinline, noclone, used)) static long user_number(long a, long b)
{
	__asm__ volatile("" : "+r"(a) : "r"(b) : "memory");
	return a;
}

static void user_calls(int n)
{
	while (n--)
		user_number(n, n);
}

/* Where user_number() is in the file of this program. */
static unsigned long user_offset(void)
{
	unsigned long start, end, offset, at = (unsigned long)(uintptr_t)user_number, found = 0;
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 && at >= start &&
		    at < end)
			found = at - start + offset;
	if (!f || !found)
		die("/proc/self/maps");
	fclose(f);
	return found;
}

/* --- the cases ------------------------------------------------------------------- */

struct bench_case {
	const char *name;
	void (*make)(int n);
	uint32_t kind, carry, stack_max;
	const char *event;   /* its name in the module */
	const char *floor;   /* its name in rt_bench_floor */
	const char *probe;   /* ftrace's definition, or NULL: a tracepoint */
	const char *trace;   /* its directory in tracefs */
	const char *command; /* the event for record; of a user probe its values; NULL: none */
};

static const struct bench_case cases[] = {
	{ "sys_enter", system_calls, RT_KIND_TRACEPOINT, 0, 0, "raw_syscalls:sys_enter",
	  "sys_enter", NULL, "raw_syscalls/sys_enter", "raw_syscalls:sys_enter" },
	{ "sched_switch", switches, RT_KIND_TRACEPOINT, 0, 0, "sched:sched_switch", "sched_switch",
	  NULL, "sched/sched_switch", "sched:sched_switch" },
	/* The same through perf_events: what a tracepoint without a native probe costs. */
	{ "generic", system_calls, RT_KIND_TRACEPOINT_PERF, 0, 0, "raw_syscalls:sys_enter",
	  "sys_enter", NULL, "raw_syscalls/sys_enter" },
	{ "kprobe", numbers, RT_KIND_KPROBE, 0, 0, "rt_play_number", "kprobe",
	  "p:bench/number rt_play_number " FETCH, "bench/number", "kprobe:rt_play_number " FETCH },
	{ "kretprobe", numbers, RT_KIND_KRETPROBE, 0, 0, "rt_play_number", "kretprobe",
	  "r:bench/back rt_play_number r=$retval", "bench/back",
	  "kretprobe:rt_play_number r=$retval" },
	{ "uprobe", user_calls, RT_KIND_UPROBE, 0, 0, "user_number", "uprobe",
	  "p:bench/user %s " FETCH, "bench/user", FETCH },
	{ "uretprobe", user_calls, RT_KIND_URETPROBE, 0, 0, "user_number", "uretprobe",
	  "r:bench/user_back %s r=$retval", "bench/user_back", "r=$retval" },
	{ "inner", stacks, RT_KIND_KPROBE, 0, 0, "rt_play_inner", NULL,
	  "p:bench/inner rt_play_inner " FETCH, "bench/inner" },
	{ "inner+stack", stacks, RT_KIND_KPROBE, RT_CARRY_STACK, 10, "rt_play_inner", NULL, NULL,
	  "bench/inner" },
};

/* --- ringtail -------------------------------------------------------------------- */

static void fetch_values(struct rt_event_add *add, struct rt_insn *insn)
{
	struct rt_insn *at = insn;

	if (add->kind == RT_KIND_TRACEPOINT || add->kind == RT_KIND_TRACEPOINT_PERF)
		return;
	*at++ = (struct rt_insn){ .op = RT_OP_CONTEXT, .arg = RT_CONTEXT_IP };
	*at++ = (struct rt_insn){ .op = RT_OP_STORE, .size = 8, .offset = 8 };
	*at++ = (struct rt_insn){ .op = RT_OP_REGISTER, .arg = FIRST };
	*at++ = (struct rt_insn){ .op = RT_OP_STORE, .size = 8, .offset = 16 };
	if (add->kind == RT_KIND_KPROBE || add->kind == RT_KIND_UPROBE) {
		*at++ = (struct rt_insn){ .op = RT_OP_REGISTER, .arg = SECOND };
		*at++ = (struct rt_insn){ .op = RT_OP_STORE, .size = 8, .offset = 24 };
	}
	*at++ = (struct rt_insn){ .op = RT_OP_RETURN };
	add->fetch.slots = (uintptr_t)insn;
	add->fetch.code = at - insn;
}

static bool is_user(const struct bench_case *c)
{
	return c->kind == RT_KIND_UPROBE || c->kind == RT_KIND_URETPROBE;
}

static unsigned int tracepoint_id(const char *trace);

static void give_argument(struct rt_event_add *add, const struct bench_case *c)
{
	if (is_user(c)) {
		add->uprobe.file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		add->uprobe.offset = user_offset();
	} else if (c->kind == RT_KIND_TRACEPOINT_PERF) {
		add->tracepoint.number = tracepoint_id(c->trace);
		add->tracepoint.bytes = 56; /* id and six arguments of a system call */
	}
}

static void open_session(struct rt_agent_session *s, const struct bench_case *c)
{
	struct rt_rings shape = { 0 };
	struct rt_insn insn[8];
	struct rt_event_add add = {
		.kind = c->kind,
		.carry = c->carry,
		.stack_max = c->stack_max,
		.name = (uintptr_t)c->event,
	};
	struct rt_err err;

	fetch_values(&add, insn);
	give_argument(&add, c);
	if (rt_agent_session_open(s, &shape, &err) || rt_agent_session_add(s, &add, &err) ||
	    rt_agent_session_enable(s, &err)) {
		fprintf(stderr, "%s: %s\n", c->name, err.text);
		exit(1);
	}
}

static void bench_ringtail(const struct bench_case *c, const char *who)
{
	struct rt_counts counts;
	struct rt_agent_session s;
	double t, bytes, events;
	struct rt_err err;

	base = measure(c->make);
	open_session(&s, c);
	t = measure(c->make);
	rt_agent_session_disable(&s, &err);
	read_session(&s, &bytes, &events);
	rt_agent_session_counts(&s, 1, RT_COUNTS_ALL, &counts, &err);
	rt_agent_session_close(&s);
	tell(c->name, who, t, bytes, events, lost(&counts));
}

/* --- as record sets it up ---------------------------------------------------------- */

#define COMMAND_FILE "/tmp/rt_bench_events.data"

static pid_t start_recorder(const char *event)
{
	struct sched_param usual = { 0 };
	int tries;
	pid_t pid;

	unlink(COMMAND_FILE);
	pid = fork();
	if (!pid) {
		/* Not before the measured task. */
		sched_setscheduler(0, SCHED_OTHER, &usual);
		execlp("ringtail", "ringtail", "record", "-q", "-a", "-m", "16M", "-e", event, "-o",
		       COMMAND_FILE, (char *)NULL);
		_exit(127);
	}
	/* The file has its name when everything is armed. */
	for (tries = 0; access(COMMAND_FILE, F_OK) && tries < 1200; tries++)
		usleep(50000);
	if (tries == 1200)
		die("ringtail record");
	usleep(500000);
	return pid;
}

/* The same event by `ringtail record -a`, whose threads get the CPU only when nothing is measured. */
static void bench_command(const struct bench_case *c)
{
	char event[400], path[256] = "";
	int status;
	double t;
	pid_t pid;

	snprintf(event, sizeof(event), "%s", c->command);
	if (is_user(c)) {
		if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
			die("/proc/self/exe");
		snprintf(event, sizeof(event), "%s:%s:0x%lx %s",
			 c->kind == RT_KIND_UPROBE ? "uprobe" : "uretprobe", path, user_offset(),
			 c->command);
	}
	base = measure(c->make);
	pid = start_recorder(event);
	measure(c->make); /* warm up */
	t = measure(c->make);
	kill(pid, SIGINT);
	if (waitpid(pid, &status, 0) != pid || status) {
		fprintf(stderr, "%s: ringtail record failed\n", c->name);
		exit(1);
	}
	tell(c->name, "command", t, 0, 0, 0);
}

/* 100,000 events in one system call, no reader, rings of the default size. */
static void bench_burst(void)
{
	struct bench_case c = cases[3]; /* kprobe */
	struct rt_counts counts;
	struct rt_agent_session s;
	struct rt_err err;

	open_session(&s, &c);
	numbers(100000);
	rt_agent_session_disable(&s, &err);
	rt_agent_session_counts(&s, 1, RT_COUNTS_ALL, &counts, &err);
	rt_agent_session_close(&s);
	printf("burst ringtail 0 0 %llu %.0f\n", (unsigned long long)counts.written, lost(&counts));
}

/* --- the floor and the peers ----------------------------------------------------- */

static void bench_floor(const struct bench_case *c, const char *what)
{
	char line[64];
	double t;

	base = measure(c->make);
	snprintf(line, sizeof(line), "%s 0x%lx", what, is_user(c) ? user_offset() : 0);
	if (put("/proc/rt_bench_floor", line, 0)) {
		fprintf(stderr, "no floor of %s: %s\n", what, strerror(errno));
		return;
	}
	t = measure(c->make);
	must_put("/proc/rt_bench_floor", "none", 0);
	tell(c->name, !strcmp(what, "ftrace") ? "floor-ftrace" : "floor", t, 0, 0, 0);
}

/* entries, overrun and bytes of the one CPU's buffer. */
static void ftrace_stats(double *entries, double *over, double *bytes)
{
	FILE *f = fopen(TRACEFS "per_cpu/cpu0/stats", "r");
	char line[128];

	if (!f)
		die("stats");
	while (fgets(line, sizeof(line), f)) {
		sscanf(line, "entries: %lf", entries);
		sscanf(line, "overrun: %lf", over);
		sscanf(line, "bytes: %lf", bytes);
	}
	fclose(f);
}

static void bench_ftrace(const struct bench_case *c)
{
	double t, entries = 0, over = 0, bytes = 0;
	char path[256];

	base = measure(c->make);
	must_put(TRACEFS "buffer_size_kb", "8192", 0);
	must_put(TRACEFS "trace", "", O_TRUNC);
	must_put(TRACEFS "tracing_on", "1", 0);
	snprintf(path, sizeof(path), TRACEFS "events/%s/enable", c->trace);
	must_put(path, "1", 0);
	t = measure(c->make);
	must_put(path, "0", 0);
	ftrace_stats(&entries, &over, &bytes);
	tell(c->name, "ftrace", t, entries ? bytes / entries : 0, entries, over);
}

static unsigned int tracepoint_id(const char *trace)
{
	char path[256];
	unsigned int id;
	FILE *f;

	snprintf(path, sizeof(path), TRACEFS "events/%s/id", trace);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%u", &id) != 1)
		die(path);
	fclose(f);
	return id;
}

/* As `perf record -a` does, except for the size of the buffer. */
static void bench_perf(const struct bench_case *c)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = tracepoint_id(c->trace),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW,
		.disabled = 1,
		.sample_id_all = 1,
		.exclude_callchain_user = 1,
		.sample_max_stack = c->stack_max,
	};
	struct perf_ring ring;
	double t;

	base = measure(c->make);
	if (c->carry)
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	perf_ring_open(&ring, &attr);
	t = measure(c->make);
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	tell(c->name, "perf", t, (double)ring.page->data_head / (ROUNDS * EVENTS), ROUNDS * EVENTS,
	     0);
	perf_ring_close(&ring);
}

/* ftrace's own probe; perf uses it, too. */
static void define(const struct bench_case *c)
{
	char place[320], text[512], path[256] = "";
	const char *rest;

	if (!is_user(c)) {
		must_put(TRACEFS "kprobe_events", c->probe, O_APPEND);
		return;
	}
	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		die("/proc/self/exe");
	snprintf(place, sizeof(place), "%s:0x%lx", path, user_offset());
	/* The rest has % of its own. */
	rest = strstr(c->probe, "%s");
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(rest - c->probe), c->probe, place, rest + 2);
	must_put(TRACEFS "uprobe_events", text, O_APPEND);
}

int main(int argc, char **argv)
{
	const char *only = argc > 1 ? argv[1] : NULL;
	pid_t other;
	double before[sizeof(cases) / sizeof(cases[0])];
	size_t i;

	in_turn();
	other = partner();
	put(TRACEFS "kprobe_events", "", O_TRUNC);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct bench_case *c = &cases[i];

		if (only && strcmp(only, c->name))
			continue;
		if (c->probe)
			define(c);
		measure(c->make); /* warm up */
		before[i] = measure(c->make);
		if (c->floor)
			bench_floor(c, c->floor);
		if (!strcmp(c->name, "kprobe"))
			bench_floor(c, "ftrace");
		bench_ringtail(c, "ringtail");
		if (!strcmp(c->name, "kprobe")) {
			must_put(FTRACE, "N", 0);
			bench_ringtail(c, "ringtail-kprobe");
			must_put(FTRACE, "Y", 0);
		}
		if (c->command)
			bench_command(c);
		if (c->trace && !c->carry)
			bench_ftrace(c);
		if (c->trace)
			bench_perf(c);
	}
	if (only)
		return 0;
	bench_burst();
	/* With nothing armed any more, the cost must be as before. */
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		base = before[i];
		tell(cases[i].name, "unarmed", measure(cases[i].make), 0, 0, 0);
	}
	close(ping[1]);
	waitpid(other, NULL, 0);
	return 0;
}
