// SPDX-License-Identifier: GPL-2.0
/*
 * fail-nth: what a session does when memory runs out, step by step, in TAP.
 *
 * For every step of a session's life, and n = 1, 2, 3 …, the n-th allocation inside that step fails
 * (/proc/thread-self/fail-nth of a kernel with fault injection), until the step has no n-th
 * allocation.  Whatever the step returns, the same session must then do the step again without
 * failures and, in one of WHOLE runs, all steps that follow.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ringtail.h>

#define TRIES_MAX 5000 /* allocations of one step */
#define WHOLE	  16   /* one run in this many continues to the end */
#define SUBBUF	  65536

static int fd, nth, tests, failed;

static const struct rt_insn fetch[] = {
	{ .op = RT_OP_CONTEXT, .arg = RT_CONTEXT_IP },
	{ .op = RT_OP_STORE, .size = 8, .offset = RT_FIELD_BASE },
	{ .op = RT_OP_RETURN },
};
static const struct rt_insn filter[] = { { .op = RT_OP_RETURN, .imm = 1 } };

static int do_open(void)
{
	fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -1 : 0;
}

static int do_rings(void)
{
	struct rt_rings rings = { .size = sizeof(rings), .subbuf_bytes = SUBBUF, .subbufs = 4 };

	return ioctl(fd, RT_IOC_RINGS, &rings);
}

static int add(uint32_t kind, const char *name, int programs)
{
	struct rt_event_add event = { .size = sizeof(event), .kind = kind };

	event.name = (uintptr_t)name;
	event.carry = RT_CARRY_STACK;
	if (programs) {
		event.fetch.slots = (uintptr_t)fetch;
		event.fetch.code = sizeof(fetch) / sizeof(*fetch);
		event.filter.slots = (uintptr_t)filter;
		event.filter.code = 1;
	}
	return ioctl(fd, RT_IOC_ADD, &event);
}

static int do_kprobe(void)
{
	return add(RT_KIND_KPROBE, "do_sys_openat2", 1);
}

static int do_second(void)
{
	return add(RT_KIND_KPROBE, "do_sys_openat2", 0);
}

static int do_kretprobe(void)
{
	return add(RT_KIND_KRETPROBE, "rt_play:rt_play_number", 1);
}

static int do_tracepoint(void)
{
	return add(RT_KIND_TRACEPOINT, "sched:sched_switch", 0);
}

static int do_target(void)
{
	struct rt_target target = { .size = sizeof(target), .what = RT_TARGET_PROCESS };

	target.value = getpid();
	return ioctl(fd, RT_IOC_TARGET, &target);
}

static int onoff(unsigned long number)
{
	struct rt_switch arg = { .size = sizeof(arg) };

	return ioctl(fd, number, &arg);
}

static int do_enable(void)
{
	return onoff(RT_IOC_ENABLE);
}

static int do_map(void)
{
	size_t bytes = sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, RT_MMAP_OFFSET(0, RT_MMAP_STATUS));

	return at == MAP_FAILED ? -1 : munmap(at, bytes);
}

static int do_flush(void)
{
	return ioctl(fd, RT_IOC_FLUSH, 0);
}

static int do_copy(void)
{
	static char room[SUBBUF];
	struct rt_copy copy = { .size = sizeof(copy), .to = (uintptr_t)room, .bytes = SUBBUF };

	/* A sub-buffer of that number need not exist. */
	return ioctl(fd, RT_IOC_COPY, &copy) && errno != ENOENT ? -1 : 0;
}

static int do_counts(void)
{
	struct rt_counts counts = { .size = sizeof(counts), .id = 1, .cpu = RT_COUNTS_ALL };

	return ioctl(fd, RT_IOC_COUNTS, &counts);
}

static int do_disable(void)
{
	return onoff(RT_IOC_DISABLE);
}

static const struct step {
	const char *name;
	int (*run)(void);
} steps[] = {
	{ "open", do_open },
	{ "rings", do_rings },
	{ "kprobe", do_kprobe },
	{ "second kprobe", do_second },
	{ "kretprobe", do_kretprobe },
	{ "tracepoint", do_tracepoint },
	{ "target", do_target },
	{ "enable", do_enable },
	{ "map", do_map },
	{ "flush", do_flush },
	{ "copy", do_copy },
	{ "counts", do_counts },
	{ "disable", do_disable },
	{ "enable again", do_enable },
	{ "disable again", do_disable },
};

#define STEPS (int)(sizeof(steps) / sizeof(*steps))

static void check(int good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
	fflush(stdout);
	failed += !good;
}

/* Make the N-th allocation from now on fail; 0: none.  Returns the rest of the previous count. */
static int arm(int n)
{
	char text[16] = "";
	int left;

	if (pread(nth, text, sizeof(text) - 1, 0) < 0)
		return -1;
	left = atoi(text);
	snprintf(text, sizeof(text), "%d", n);
	if (pwrite(nth, text, strlen(text), 0) < 0)
		return -1;
	return left;
}

/* Rings that could not be made: the anchor lists none of those that were freed again. */
static int rings_listed(void)
{
	static char room[65536];
	struct rt_anchor *anchor = (void *)room;
	struct rt_look look = { .size = sizeof(look),
				.bytes = sizeof(*anchor),
				.to = (uintptr_t)room };
	uint32_t i;

	if (ioctl(fd, RT_IOC_LOOK, &look))
		return 0; /* there is no anchor */
	look.bytes = anchor->bytes < sizeof(room) ? anchor->bytes : sizeof(room);
	if (ioctl(fd, RT_IOC_LOOK, &look))
		return 1;
	for (i = 0; i < anchor->parts; i++)
		if (anchor->part[i].phys && (anchor->part[i].kind == RT_PART_STATUS ||
					     anchor->part[i].kind == RT_PART_SIDE_STATUS))
			return 1;
	return 0;
}

/* One session with a failure in step VICTIM.  Returns 1 if one came, 0 if none came, -1: error. */
static int live(int victim, int n, unsigned long *errors)
{
	int i, ret, why = 0, came = 0;

	for (i = 0; i < STEPS && (i <= victim || n % WHOLE == 1); i++) {
		if (i == victim) {
			arm(n);
			ret = steps[i].run();
			why = errno;
			came = arm(0) == 0;
			*errors += !!ret;
			if (ret && !came) {
				printf("# %s: %s without a failure\n", steps[i].name,
				       strerror(why));
				return -1;
			}
			if (!ret)
				continue;
			if (steps[i].run == do_rings && rings_listed()) {
				printf("# allocation %d of rings: the anchor lists rings that were freed\n",
				       n);
				return -1;
			}
			if (why != ENOMEM && why != ENOSPC)
				printf("# %s: allocation %d failing gave %s\n", steps[i].name, n,
				       strerror(why));
		}
		if (steps[i].run()) {
			printf("# %s: %s, after allocation %d of %s failed\n", steps[i].name,
			       strerror(errno), n, steps[victim].name);
			return -1;
		}
	}
	/* Closing cannot be refused, so it must not need memory: fail the first few allocations. */
	arm(1 + n % 8);
	close(fd);
	arm(0);
	return came;
}

static void suffer(int victim)
{
	unsigned long errors = 0;
	char what[128];
	int n, ret = 1;

	for (n = 1; n < TRIES_MAX && ret > 0; n++)
		ret = live(victim, n, &errors);
	snprintf(what, sizeof(what), "%s: %d failed allocations, %lu errors, all borne",
		 steps[victim].name, n - 2, errors);
	check(ret == 0, what);
}

int main(void)
{
	int i;

	nth = open("/proc/thread-self/fail-nth", O_RDWR);
	if (nth < 0) {
		perror("/proc/thread-self/fail-nth");
		return 1;
	}
	for (i = 0; i < STEPS; i++)
		suffer(i);
	printf("1..%d\n", tests);
	return failed ? 1 : 0;
}
