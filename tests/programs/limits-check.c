// SPDX-License-Identifier: GPL-2.0
/*
 * limits-check: every limit of rings, events and their parts at its maximum, and one beyond, in TAP.
 * limits-check enable: arm as many events as a session can have, again and again, until killed.
 */
#include "limits.h"

/* The function of getppid(); it has the last name before 4.17. */
static const char *getppid_function(void)
{
	static const char *const names[] = { "__x64_sys_getppid", "__arm64_sys_getppid",
					     "sys_getppid" };
	static char line[256], name[128];
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned int i;

	while (f && fgets(line, sizeof(line), f))
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (sscanf(line, "%*x %*c %127s", name) == 1 && !strcmp(name, names[i])) {
				fclose(f);
				return names[i];
			}
	die("/proc/kallsyms");
	return NULL;
}

/* An event that can have many probes, because no task exits meanwhile. */
#define SELDOM "sched:sched_process_exit"

/* Whether each of the events was entered ENTERED times, and every hit is accounted for. */
static int each_entered(uint32_t events, uint64_t entered)
{
	uint32_t id;
	int i;

	for (id = 1; id <= events; id++) {
		struct rt_counts c = counts_of(id);
		uint64_t sum = c.written + c.filtered;

		for (i = 0; i < RT_LOST_CAUSES; i++)
			sum += c.lost[i];
		if (c.entered == entered && sum == entered)
			continue;
		printf("# event %u: entered %llu, accounted for %llu\n", id,
		       (unsigned long long)c.entered, (unsigned long long)sum);
		return 0;
	}
	return 1;
}

static struct rt_info ask(void)
{
	struct rt_info info = { .size = sizeof(info) };

	if (ioctl(fd, RT_IOC_INFO, &info))
		die("INFO");
	return info;
}

/* --- rings ----------------------------------------------------------------------- */

static void rings(void)
{
	uint32_t page = sysconf(_SC_PAGESIZE);
	struct rt_refusal refusal;

	open_device();
	check(set_up(page, RT_SUBBUFS_MAX * 2, &refusal) &&
		      refusal.reason == RT_REFUSED_RING_SIZE && refusal.detail == RT_SUBBUFS_MAX,
	      "more sub-buffers than a ring can have");
	check(set_up(RT_SUBBUF_BYTES_MAX * 2, 2, &refusal) &&
		      refusal.reason == RT_REFUSED_RING_SIZE &&
		      refusal.detail == RT_SUBBUF_BYTES_MAX,
	      "larger sub-buffers than there can be");
	check(set_up(RT_SUBBUF_BYTES_MAX, RT_SUBBUFS_MAX, &refusal) &&
		      refusal.reason == RT_REFUSED_MEMORY,
	      "the largest rings are more than sessions may have");
	check(!set_up(page, RT_SUBBUFS_MAX, &refusal), "as many sub-buffers as can be");
	close(fd);
	open_device();
	check(!set_up(RT_SUBBUF_BYTES_MAX, RT_SUBBUFS_MIN, &refusal), "as large as can be");
	close(fd);
}

/* --- the parts of an event ------------------------------------------------------- */

static void parts(void)
{
	const struct rt_event_add call = { .kind = RT_KIND_SYSCALL_ENTER,
					   .syscall.number = SYS_getppid };
	static char name[RT_EVENT_NAME_MAX + 1], format[RT_FORMAT_MAX + 1];
	struct rt_event_add event;

	open_session();
	memset(name, 'n', RT_EVENT_NAME_MAX - 1);
	event = (struct rt_event_add){ .kind = RT_KIND_KPROBE, .name = (uintptr_t)name };
	refuse(event, RT_REFUSED_NO_SYMBOL, "the longest name, which no function has");
	name[RT_EVENT_NAME_MAX - 1] = 'n';
	refuse(event, RT_REFUSED_NAME, "a longer one");

	event = call;
	memset(format, 'f', sizeof(format));
	event.format = (uintptr_t)format;
	event.format_bytes = RT_FORMAT_MAX;
	accept(event, "the longest format");
	event.format_bytes++;
	refuse(event, RT_REFUSED_TOO_MANY, "a longer one");

	event = call;
	event.carry = RT_CARRY_STACK | RT_CARRY_USER_STACK;
	event.stack_max = RT_STACK_MAX;
	accept(event, "the deepest stack");
	event.stack_max++;
	refuse(event, RT_REFUSED_TOO_MANY, "a deeper one");

	event = call;
	event.carry = RT_CARRY_USER_BYTES;
	event.user_bytes = RT_USER_BYTES_MAX;
	accept(event, "the most memory of the user side");
	event.user_bytes += 8;
	refuse(event, RT_REFUSED_TOO_MANY, "more of it");

	event = call;
	event.syscall.number = RT_SYSCALLS_MAX - 1;
	accept(event, "the last number of a system call");
	event.syscall.number++;
	refuse(event, RT_REFUSED_TOO_MANY, "one that none can have");

	event = (struct rt_event_add){ .kind = RT_KIND_KRETPROBE,
				       .name = (uintptr_t)getppid_function(),
				       .probe.instances = RT_INSTANCES_MAX };
	accept(event, "the most instances of a kretprobe");
	event.probe.instances++;
	refuse(event, RT_REFUSED_TOO_MANY, "more of them");

	check(!toggle(RT_IOC_ENABLE), "all that is enabled");
	syscall(SYS_getppid);
	check(!toggle(RT_IOC_DISABLE), "and disabled");
	check(counts_of(1).entered == 1 && counts_of(2).entered == 1 && counts_of(3).entered == 1 &&
		      counts_of(4).entered == 0 && counts_of(5).entered == 1,
	      "each was hit as often as it had to be");
	close(fd);
}

/* --- many events ----------------------------------------------------------------- */

static void add_many(struct rt_event_add event, uint32_t n)
{
	struct rt_event_add one;
	uint32_t i;

	for (i = 0; i < n; i++) {
		one = event;
		if (add(&one)) {
			printf("# event %u: %s, reason %u\n", i + 1, strerror(errno),
			       one.refusal.reason);
			exit(1);
		}
	}
}

static void many_calls(void)
{
	struct rt_event_add event = { .kind = RT_KIND_SYSCALL_ENTER,
				      .syscall.number = SYS_getppid };

	open_session();
	add_many(event, RT_EVENTS_MAX);
	refuse(event, RT_REFUSED_TOO_MANY, "more events than a session can have");
	check(!toggle(RT_IOC_ENABLE), "as many as it can, of one system call, are enabled");
	syscall(SYS_getppid);
	check(!toggle(RT_IOC_DISABLE), "and disabled");
	check(each_entered(RT_EVENTS_MAX, 1), "each was hit once");
	close(fd);
}

static void many_at(struct rt_event_add event, uint64_t hits, const char *what)
{
	int first;

	open_session();
	add_many(event, RT_PLACE_EVENTS_MAX);
	refuse(event, RT_REFUSED_CROWDED, what);
	first = fd;
	open_session();
	refuse(event, RT_REFUSED_CROWDED, "also of another session");
	close(fd);
	fd = first;
	check(!toggle(RT_IOC_ENABLE), "as many as can be there are enabled");
	syscall(SYS_getppid);
	check(!toggle(RT_IOC_DISABLE), "and disabled");
	check(each_entered(RT_PLACE_EVENTS_MAX, hits), "each was hit as often as it had to be");
	close(fd);
	open_session();
	check(!add(&event), "there is room again when the session has ended");
	close(fd);
}

/* Events of two sources that one hit reaches together. */
static void many_of_two(struct rt_event_add event, struct rt_event_add other, const char *what)
{
	open_session();
	add_many(event, RT_PLACE_EVENTS_MAX - 1);
	accept(other, "one more event of another source");
	refuse(other, RT_REFUSED_CROWDED, what);
	refuse(event, RT_REFUSED_CROWDED, "of either source");
	close(fd);
}

static uint32_t number_of(const char *path)
{
	FILE *f = fopen(path, "r");
	uint32_t number = 0;

	if (!f || fscanf(f, "%u", &number) != 1)
		die(path);
	fclose(f);
	return number;
}

static void many_instances(void)
{
	struct rt_event_add event = { .kind = RT_KIND_KRETPROBE,
				      .name = (uintptr_t)getppid_function(),
				      .probe.instances = RT_INSTANCES_MAX };
	uint64_t before, all;

	open_session();
	before = ask().memory_used;
	add_many(event, RT_INSTANCES_SUM_MAX / RT_INSTANCES_MAX);
	all = ask().memory_used;
	check(ask().instances == RT_INSTANCES_SUM_MAX, "all kretprobes have so many instances");
	check(all - before >= RT_INSTANCES_SUM_MAX * 32ULL, "which are charged to the sessions");
	event.probe.instances = 1;
	refuse(event, RT_REFUSED_INSTANCES, "and may not have more");
	close(fd);
	open_device();
	check(!ask().instances && !ask().memory_used,
	      "nothing is charged when the session is over");
	close(fd);
}

/* --------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
	const struct rt_event_add kprobe = { .kind = RT_KIND_KPROBE,
					     .name = (uintptr_t)getppid_function() };
	const struct rt_event_add tracepoint = { .kind = RT_KIND_TRACEPOINT,
						 .name = (uintptr_t)SELDOM };
	struct rt_event_add event = { .kind = RT_KIND_SYSCALL_ENTER,
				      .syscall.number = SYS_getppid };
	struct rt_event_add kretprobe = { .kind = RT_KIND_KRETPROBE,
					  .name = (uintptr_t)getppid_function() };
	struct rt_event_add perf = { .kind = RT_KIND_TRACEPOINT_PERF };

	if (argc > 1 && !strcmp(argv[1], "enable")) {
		open_session();
		add_many(event, RT_EVENTS_MAX);
		while (!toggle(RT_IOC_ENABLE) && !toggle(RT_IOC_DISABLE))
			;
		return 1;
	}
	rings();
	parts();
	many_calls();
	many_at(kprobe, 1, "more kprobes at one place than can be there");
	many_at(tracepoint, 0, "more events at one tracepoint");
	kretprobe.probe.instances = 1;
	many_of_two(kprobe, kretprobe, "more kprobes and kretprobes at one place");
	perf.tracepoint.number =
		number_of("/sys/kernel/tracing/events/sched/sched_process_exit/id");
	many_of_two(tracepoint, perf, "more events at one tracepoint, some from perf_events");
	many_instances();
	printf("1..%d\n", tests);
	return failed != 0;
}
