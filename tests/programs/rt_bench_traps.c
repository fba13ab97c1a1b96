// SPDX-License-Identifier: GPL-2.0
/*
 * Guest instructions that an event costs which is a trap or an interrupt of the CPU: a write to
 * watched memory, and a sample of the clock.  ringtail, perf and the floor in one boot, as in
 * rt_bench_events; the lines have the same form.
 */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdint.h>

#include "agent/session.h"
#include "events/spec.h"
#include "rt_bench.h"

static uint64_t word; /* address of rt_watch_play's word */

static void writes(int n)
{
	char line[64];

	snprintf(line, sizeof(line), "plain %d", n);
	must_put("/proc/rt_watch_play", line, 0);
}

/* A short period, with which sampling still takes at most a tenth of the time. */
#define PERIOD 100000
#define FRAMES 10

/* At least ten frames deep in the kernel. */
static void spin(int n)
{
	char line[64];

	snprintf(line, sizeof(line), "spin %d", n);
	must_put("/proc/rt_play", line, 0);
}

static uint64_t find_word(void)
{
	FILE *f = fopen("/proc/rt_watch_play", "r");
	unsigned long at;

	if (!f || fscanf(f, "word %lx", &at) != 1)
		die("/proc/rt_watch_play");
	fclose(f);
	return at;
}

/* --- ringtail -------------------------------------------------------------------- */

static void must(int ret, const struct rt_err *err)
{
	if (!ret)
		return;
	fprintf(stderr, "%s\n", err->text);
	exit(1);
}

static void begin_session(struct rt_agent_session *s, struct rt_event_add *add)
{
	struct rt_rings shape = { 0 };
	struct rt_err err;

	must(rt_agent_session_open(s, &shape, &err), &err);
	must(rt_agent_session_add(s, add, &err), &err);
	must(rt_agent_session_enable(s, &err), &err);
}

static void end_session(struct rt_agent_session *s, double *bytes, double *events, double *dropped)
{
	struct rt_counts counts;
	struct rt_err err;

	rt_agent_session_disable(s, &err);
	read_session(s, bytes, events);
	must(rt_agent_session_counts(s, 1, RT_COUNTS_ALL, &counts, &err), &err);
	*dropped = lost(&counts);
	rt_agent_session_close(s);
}

/* All fields, as `record -e mem:…` asks for them. */
static void watch_ringtail(void)
{
	struct rt_event_add add = { .kind = RT_KIND_WATCHPOINT };
	double t, bytes, events, dropped;
	struct rt_event_list list = { 0 };
	struct rt_event_env env;
	struct rt_agent_session s;
	struct rt_err err;
	char text[64];

	base = measure(writes);
	rt_event_env_local(&env);
	snprintf(text, sizeof(text), "mem:0x%llx/8:w", (unsigned long long)word);
	must(rt_event_parse(&list, text, &env, &err), &err);
	add.watch.address = list.specs[0].address;
	add.watch.length = list.specs[0].length;
	add.watch.access = list.specs[0].access;
	add.fetch.slots = (uintptr_t)list.specs[0].fetch.slots;
	add.fetch.code = list.specs[0].fetch.code;
	add.fetch.text = list.specs[0].fetch.text;
	begin_session(&s, &add);
	t = measure(writes);
	end_session(&s, &bytes, &events, &dropped);
	rt_event_list_free(&list);
	tell("watch", "ringtail", t, bytes, events, dropped);
}

/* --- the floor and perf ---------------------------------------------------------- */

static bool begin_floor(const char *format, unsigned long long number)
{
	char line[64];

	snprintf(line, sizeof(line), format, number);
	if (!put("/proc/rt_bench_traps", line, 0))
		return true;
	fprintf(stderr, "no floor of %s: %s\n", line, strerror(errno));
	return false;
}

/* Also ends it. */
static double floor_hits(void)
{
	FILE *f = fopen("/proc/rt_bench_traps", "r");
	double hits;

	if (!f || fscanf(f, "%lf", &hits) != 1)
		die("/proc/rt_bench_traps");
	fclose(f);
	must_put("/proc/rt_bench_traps", "none", 0);
	return hits;
}

static void watch_floor(void)
{
	double t;

	base = measure(writes);
	if (!begin_floor("watch 0x%llx", word))
		return;
	t = measure(writes);
	tell("watch", "floor", t, 0, floor_hits(), 0);
}

/* As `perf record -e mem:ADDRESS/8:w -a`. */
static void watch_perf(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_addr = word,
		.bp_len = 8,
		.bp_type = HW_BREAKPOINT_W,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU,
		.disabled = 1,
		.sample_id_all = 1,
	};
	struct perf_ring ring;
	double t;

	base = measure(writes);
	perf_ring_open(&ring, &attr);
	t = measure(writes);
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	tell("watch", "perf", t, (double)ring.page->data_head / (ROUNDS * EVENTS), ROUNDS * EVENTS,
	     0);
	perf_ring_close(&ring);
}

/* --- the clock ------------------------------------------------------------------- */

/*
 * The number of samples depends on the total time: the cost of one sample is the added time divided
 * by the number of samples.
 */
static double spin_once(void)
{
	long long begin = now();

	spin(3 * EVENTS);
	return now() - begin;
}

static void sample_ringtail(const char *name, uint32_t carry, uint32_t frames)
{
	struct rt_counter counter = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.period = PERIOD,
	};
	struct rt_event_add add = {
		.kind = RT_KIND_PMU,
		.name = (uintptr_t) "cpu-clock",
		.counter = counter,
		.carry = carry,
		.stack_max = frames,
	};
	double t, bytes, events, dropped;
	struct rt_agent_session s;

	spin_once();
	base = spin_once();
	begin_session(&s, &add);
	t = spin_once();
	end_session(&s, &bytes, &events, &dropped);
	tell_cost(name, "ringtail", (t - base) / events, bytes, events, dropped);
}

static void sample_floor(const char *name, const char *what)
{
	double t, hits;

	base = spin_once();
	if (!begin_floor(what, PERIOD))
		return;
	t = spin_once();
	hits = floor_hits();
	tell_cost(name, "floor", (t - base) / hits, 0, hits, 0);
}

static void sample_perf(const char *name, uint32_t carry, uint32_t frames)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
		.disabled = 1,
		.sample_id_all = 1,
		.exclude_callchain_user = !(carry & RT_CARRY_USER_STACK),
		.sample_max_stack = frames,
	};
	struct perf_event_header *header;
	struct perf_ring ring;
	double t, events = 0;
	uint64_t at;

	base = spin_once();
	if (carry)
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	perf_ring_open(&ring, &attr);
	t = spin_once();
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	/* The ring has not wrapped. */
	for (at = 0; at < ring.page->data_head; at += header->size) {
		header = (void *)((char *)ring.page + sysconf(_SC_PAGESIZE) + at);
		if (!header->size)
			break;
		events += header->type == PERF_RECORD_SAMPLE;
	}
	tell_cost(name, "perf", (t - base) / events, (double)ring.page->data_head / events, events,
		  0);
	perf_ring_close(&ring);
}

int main(void)
{
	in_turn();
	word = find_word();
	measure(writes);
	watch_floor();
	watch_ringtail();
	watch_perf();
	must_put("/proc/sys/kernel/perf_cpu_time_max_percent", "0", 0);
	sample_floor("sample", "sample %llu");
	sample_ringtail("sample", 0, 0);
	sample_perf("sample", 0, 0);
	sample_floor("sample+stack", "stack %llu");
	sample_ringtail("sample+stack", RT_CARRY_STACK, FRAMES);
	sample_perf("sample+stack", RT_CARRY_STACK, FRAMES);
	/* As -g does: both stacks completely. */
	sample_ringtail("sample+both", RT_CARRY_STACK | RT_CARRY_USER_STACK, 0);
	sample_perf("sample+both", RT_CARRY_STACK | RT_CARRY_USER_STACK, 0);
	return 0;
}
