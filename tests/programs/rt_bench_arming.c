// SPDX-License-Identifier: GPL-2.0
/*
 * What arming and disarming many kprobes takes: ringtail, tracefs and a bare module (floor,
 * rt_bench_kprobes) in one boot, one after the other.
 *
 * rt_bench_arming ringtail|tracefs|floor|hit OFFSET COUNT <FUNCTIONS
 *
 * A line of FUNCTIONS is `ADDRESS NAME`; the probes are OFFSET bytes behind the beginning of the
 * first COUNT.  The result is a line `WHO COUNT ADDED ARMED DISARMED REMOVED`, in milliseconds from
 * the beginning of each step to its end; COUNT is how many were armed.
 *
 * hit: what a hit of rt_play_number costs with it alone armed and with the others armed, too, in
 * nanoseconds: `hit ALONE AMONG COUNT`.  Meant for -icount, see rt_bench.h.
 */
#include <errno.h>
#include <inttypes.h>

#include "rt_bench.h"

#define TRACEFS "/sys/kernel/tracing/"

struct function {
	uint64_t address;
	char name[256];
};

static struct function *functions;
static size_t count;
static unsigned int offset;

static void read_functions(size_t max)
{
	functions = calloc(max, sizeof(*functions));
	if (!functions)
		die("memory");
	while (count < max && scanf("%" SCNx64 " %255s%*[^\n]", &functions[count].address,
				    functions[count].name) == 2)
		count++;
}

static double step(long long *since)
{
	long long t = now();
	double ms = (t - *since) / 1e6;

	*since = t;
	return ms;
}

/* --- ringtail -------------------------------------------------------------------- */

static const struct rt_insn fetch[] = {
	{ .op = RT_OP_CONTEXT, .arg = RT_CONTEXT_IP },
	{ .op = RT_OP_STORE, .size = 8, .offset = RT_FIELD_BASE },
	{ .op = RT_OP_RETURN },
};

static void open_session(struct rt_agent_session *s)
{
	struct rt_rings rings = { 0 };
	struct rt_err err;

	if (rt_agent_session_open(s, &rings, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
}

static int add(struct rt_agent_session *s, const char *name, uint64_t address)
{
	struct rt_event_add event = { .kind = RT_KIND_KPROBE, .name = (uintptr_t)name };
	struct rt_err err;

	event.probe.address = address;
	event.fetch.slots = (uintptr_t)fetch;
	event.fetch.code = sizeof(fetch) / sizeof(*fetch);
	return rt_agent_session_add(s, &event, &err);
}

/* Functions that cannot be probed are left out. */
static size_t add_all(struct rt_agent_session *s)
{
	size_t i, added = 0;

	for (i = 0; i < count; i++)
		added += !add(s, NULL, functions[i].address + offset);
	return added;
}

static void enable(struct rt_agent_session *s)
{
	struct rt_err err;

	if (rt_agent_session_enable(s, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
}

static void bench_ringtail(void)
{
	struct rt_agent_session s;
	long long since;
	struct rt_err err;
	double ms[4];
	size_t added;

	open_session(&s);
	since = now();
	added = add_all(&s);
	ms[0] = step(&since);
	/* Nobody reads, so the gate stays shut. */
	if (rt_agent_session_arm(&s, false, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	ms[1] = step(&since);
	rt_agent_session_disable(&s, &err);
	ms[2] = step(&since);
	rt_agent_session_close(&s);
	ms[3] = step(&since);
	printf("ringtail %zu %.0f %.0f %.0f %.0f\n", added, ms[0], ms[1], ms[2], ms[3]);
}

static void numbers(int n)
{
	char line[64];

	snprintf(line, sizeof(line), "number %d", n);
	must_put("/proc/rt_play", line, 0);
}

static double cost_of_hit(bool others, size_t *armed)
{
	struct rt_agent_session s;
	struct rt_err err;
	double t;

	base = measure(numbers);
	open_session(&s);
	if (add(&s, "rt_play_number", 0))
		die("rt_play_number");
	*armed = 1 + (others ? add_all(&s) : 0);
	enable(&s);
	t = measure(numbers);
	rt_agent_session_disable(&s, &err);
	rt_agent_session_close(&s);
	return (t - base) / EVENTS;
}

static void bench_hit(void)
{
	size_t armed;
	double alone = cost_of_hit(false, &armed), among = cost_of_hit(true, &armed);

	printf("hit %.1f %.1f %zu\n", alone, among, armed);
}

/* --- tracefs --------------------------------------------------------------------- */

static size_t define_all(void)
{
	int fd = open(TRACEFS "kprobe_events", O_WRONLY | O_APPEND);
	size_t i, added = 0;
	char line[512];

	if (fd < 0)
		die("kprobe_events");
	for (i = 0; i < count; i++) {
		snprintf(line, sizeof(line), "p:bench/e%zu %s+%u\n", i, functions[i].name, offset);
		added += write(fd, line, strlen(line)) > 0;
	}
	close(fd);
	return added;
}

static void bench_tracefs(void)
{
	long long since;
	double ms[4];
	size_t added;

	must_put(TRACEFS "tracing_on", "0", 0);
	since = now();
	added = define_all();
	ms[0] = step(&since);
	must_put(TRACEFS "events/bench/enable", "1", 0);
	ms[1] = step(&since);
	must_put(TRACEFS "events/bench/enable", "0", 0);
	ms[2] = step(&since);
	must_put(TRACEFS "kprobe_events", "", O_TRUNC);
	ms[3] = step(&since);
	printf("tracefs %zu %.0f %.0f %.0f %.0f\n", added, ms[0], ms[1], ms[2], ms[3]);
}

/* --- a bare module ---------------------------------------------------------------- */

#define FLOOR "/proc/rt_bench_kprobes"

static int registered(void)
{
	FILE *file = fopen(FLOOR, "r");
	int n = 0;

	if (!file || fscanf(file, "%d", &n) != 1)
		die(FLOOR);
	fclose(file);
	return n;
}

/* It arms when it registers, and disarms when it unregisters. */
static void bench_floor(void)
{
	long long since;
	double ms[2];
	char line[64];
	size_t i;
	int n;

	for (i = 0; i < count; i++) {
		snprintf(line, sizeof(line), "add 0x%" PRIx64, functions[i].address + offset);
		must_put(FLOOR, line, 0);
	}
	since = now();
	must_put(FLOOR, "register", 0);
	ms[0] = step(&since);
	n = registered();
	since = now();
	must_put(FLOOR, "unregister", 0);
	ms[1] = step(&since);
	printf("floor %d %.0f 0 0 %.0f\n", n, ms[0], ms[1]);
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: rt_bench_arming ringtail|tracefs|floor|hit OFFSET COUNT\n");
		return 2;
	}
	offset = atoi(argv[2]);
	read_functions(atoi(argv[3]));
	if (!strcmp(argv[1], "ringtail"))
		bench_ringtail();
	else if (!strcmp(argv[1], "floor"))
		bench_floor();
	else if (!strcmp(argv[1], "hit"))
		bench_hit();
	else
		bench_tracefs();
	return 0;
}
