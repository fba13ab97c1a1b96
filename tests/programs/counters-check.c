// SPDX-License-Identifier: GPL-2.0
/*
 * counters-check - the limits of counters, in TAP: how many a session may have, of which PMUs, what they are
 * charged, what all programs at one occurrence may cost, and what ENABLE of many takes, also for others.
 *
 * counters-check limits: without times.
 * counters-check times: meant for -icount, where a nanosecond is an instruction.
 */
#include <dirent.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include "limits.h"

#define PARAMETER "/sys/module/ringtail/parameters/counters_max"
#define DEVICES	  "/sys/bus/event_source/devices/"

enum { HARDWARE, SOFTWARE, TRACEPOINT, HW_CACHE, RAW, BREAKPOINT };
enum { CPU_CLOCK = 0, TASK_CLOCK = 1, PAGE_FAULTS = 2, SWITCHES = 3, MINOR_FAULTS = 5, DUMMY = 9 };
enum { MOST = 128, FEW = 16, CROWD = 600, PAGE = 65536 };

static struct rt_insn code[RT_PROGRAM_CODE_MAX + RT_PROGRAM_TEXT_MAX];

static struct rt_event_add counter(uint32_t type, uint64_t config)
{
	struct rt_event_add event = { .kind = RT_KIND_PMU };

	event.counter.type = type;
	event.counter.config = config;
	event.counter.period = 1;
	return event;
}

static long read_number(const char *path)
{
	FILE *f = fopen(path, "r");
	long n = -1;

	if (f && fscanf(f, "%ld", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

static void set_most(int most)
{
	FILE *f = fopen(PARAMETER, "w");

	if (!f || fprintf(f, "%d\n", most) < 0 || fclose(f))
		perror(PARAMETER);
}

static uint64_t used(void)
{
	struct rt_info info = { .size = sizeof(info) };

	if (ioctl(fd, RT_IOC_INFO, &info))
		die("INFO");
	return info.memory_used;
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* --- how many -------------------------------------------------------------------- */

static void how_many(void)
{
	struct rt_event_add event = counter(SOFTWARE, DUMMY);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t before;
	int i, added = 0;

	open_session();
	before = used();
	for (i = 0; i < MOST; i++) {
		event = counter(SOFTWARE, DUMMY);
		added += !add(&event);
	}
	check(added == MOST, "a session may have 128 counters");
	check(used() - before > (uint64_t)MOST * cpus * 1024,
	      "the memory of the kernel's counters is charged");
	event = counter(SOFTWARE, DUMMY);
	refuse(event, RT_REFUSED_COUNTERS, "and not one more");
	event.size = sizeof(event);
	check(ioctl(fd, RT_IOC_ADD, &event) && event.refusal.detail == MOST,
	      "the refusal tells the limit");
	close(fd);
	open_session();
	accept(counter(SOFTWARE, DUMMY), "another session has room");
	set_most(3);
	accept(counter(SOFTWARE, DUMMY), "with a lower limit, the second one");
	accept(counter(SOFTWARE, DUMMY), "and the third");
	refuse(counter(SOFTWARE, DUMMY), RT_REFUSED_COUNTERS, "but no fourth");
	set_most(MOST);
	close(fd);
	open_device();
	check(!used(), "all is given back");
	close(fd);
}

/* --- of which PMUs --------------------------------------------------------------- */

/* The name of the PMU that the kernel gave this number, or NULL. */
static const char *name_of(uint32_t type)
{
	static char name[256];
	DIR *dir = opendir(DEVICES);
	struct dirent *entry;
	char path[600];
	int found = 0;

	while (dir && !found && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), DEVICES "%s/type", entry->d_name);
		snprintf(name, sizeof(name), "%s", entry->d_name);
		found = read_number(path) == (long)type;
	}
	if (dir)
		closedir(dir);
	return found ? name : NULL;
}

static int is_forbidden(const char *name)
{
	static const char *const names[] = { "kprobe", "uprobe", "tracepoint", "breakpoint" };
	size_t i;

	for (i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return 1;
	return 0;
}

static long probes(void)
{
	FILE *f = fopen("/sys/kernel/debug/kprobes/list", "r");
	long lines = 0;
	int c;

	while (f && (c = getc(f)) != EOF)
		lines += c == '\n';
	if (f)
		fclose(f);
	return lines;
}

/* All that a kprobe or uprobe event of perf_events may be given, for every number of a PMU. */
static void which(void)
{
	static const char function[] = "do_exit", file[] = "/proc/self/exe";
	const uint64_t first[] = { 0, (uintptr_t)function, (uintptr_t)file };
	const uint64_t second[] = { 0, 64 };
	uint32_t type, config, i, k, wrong = 0, bad_reason = 0, tried = 0, known = 0;
	struct rt_event_add event;
	const char *name;
	long before;

	open_session();
	before = probes();
	for (type = 0; type < 40; type++) {
		name = name_of(type);
		known += is_forbidden(name);
		for (i = 0; i < 12; i++) {
			config = i & 1;
			k = i >> 1;
			event = counter(type, config);
			event.counter.config1 = first[k % 3];
			event.counter.config2 = second[k / 3];
			tried++;
			if (!add(&event) && (!name || is_forbidden(name)) && type != HARDWARE &&
			    type != HW_CACHE && type != SOFTWARE && type != RAW) {
				printf("# type %u (%s) is accepted\n", type, name ? name : "none");
				wrong++;
			}
			if (is_forbidden(name) && event.counter.config1 &&
			    event.refusal.reason != RT_REFUSED_COUNTER_TYPE) {
				printf("# type %u (%s): reason %u\n", type, name,
				       event.refusal.reason);
				bad_reason++;
			}
		}
	}
	printf("# %u trials, %u PMUs that make probes\n", tried, known);
	check(known >= 1, "the kernel has PMUs that make probes");
	check(!wrong, "none of them is accepted");
	check(!bad_reason, "and the reason says so");
	check(probes() == before, "no probe was made");
	refuse(counter(TRACEPOINT, 100), RT_REFUSED_COUNTER_TYPE, "a tracepoint is refused");
	refuse(counter(BREAKPOINT, 0), RT_REFUSED_COUNTER_TYPE, "a breakpoint is refused");
	close(fd);
}

/* --- what they cost together ------------------------------------------------------ */

/* A filter of N patterns over the task's name. */
static struct rt_event_add dear(uint64_t config, int n)
{
	struct rt_event_add event = counter(SOFTWARE, config);
	char *text = (char *)&code[n + 1];
	int i;

	memset(code, 0, sizeof(code));
	for (i = 0; i < n; i++)
		code[i] = (struct rt_insn){ .op = RT_OP_JUMP_TEXT,
					    .size = RT_TEXT_COMM | RT_TEXT_GLOB,
					    .imm = RT_TEXT(0, RT_PROGRAM_LITERAL_MAX, 0) };
	code[i] = (struct rt_insn){ .op = RT_OP_RETURN };
	for (i = 0; i < RT_PROGRAM_LITERAL_MAX; i++)
		text[i] = i % 2 ? 'a' : '*';
	text[RT_PROGRAM_LITERAL_MAX - 1] = 'b';
	event.filter.slots = (uintptr_t)code;
	event.filter.code = n + 1;
	event.filter.text = RT_PROGRAM_LITERAL_MAX / sizeof(*code);
	return event;
}

/* Add as many as are accepted; *LAST is the one that was not. */
static int crowd(uint64_t config, int patterns, struct rt_event_add *last)
{
	int added = 0;

	do
		*last = dear(config, patterns);
	while (!add(last) && ++added < MOST);
	return added;
}

static int dearest(void)
{
	struct rt_event_add event;
	int n;

	open_session();
	for (n = RT_PROGRAM_CODE_MAX - 1; event = dear(DUMMY, n), n && add(&event); n--)
		;
	close(fd);
	printf("# at most %d patterns in a filter\n", n);
	return n;
}

static void budget(int patterns)
{
	struct rt_event_add last;
	int first, added;

	open_session();
	added = crowd(PAGE_FAULTS, patterns, &last);
	printf("# %d page-faults\n", added);
	check(added && added < MOST && last.refusal.reason == RT_REFUSED_CROWDED,
	      "dear counters of page faults are limited");
	refuse(dear(MINOR_FAULTS, patterns), RT_REFUSED_CROWDED,
	       "together with those of minor faults");
	accept(dear(DUMMY, 1), "another occurrence has room");
	first = fd;
	open_session();
	refuse(dear(PAGE_FAULTS, patterns), RT_REFUSED_CROWDED, "also in another session");
	close(fd);
	fd = first;
	close(fd);

	open_session();
	accept(dear(CPU_CLOCK, 1), "a counter that interrupts may have a filter");
	added = crowd(CPU_CLOCK, patterns / 16 ? patterns / 16 : 1, &last);
	printf("# %d cpu-clock\n", added);
	check(last.refusal.reason == RT_REFUSED_CROWDED_IRQ &&
		      last.refusal.detail == RT_PLACE_COST_IRQ_MAX,
	      "those that interrupt may cost less");
	refuse(dear(TASK_CLOCK, patterns), RT_REFUSED_CROWDED_IRQ, "together with task-clock");
	refuse(dear(SWITCHES, patterns), RT_REFUSED_CROWDED_IRQ,
	       "and so may those of context switches");
	close(fd);
	open_session();
	accept(dear(CPU_CLOCK, 1), "there is room again when the session has ended");
	close(fd);
}

/* --- times ----------------------------------------------------------------------- */

static void fault(int patterns)
{
	struct rt_event_add last;
	long long begin, took = 0;
	volatile char *page;
	int i;

	prctl(PR_SET_NAME, "aaaaaaaaaaaaaaa");
	open_session();
	crowd(PAGE_FAULTS, patterns, &last);
	page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check(!toggle(RT_IOC_ENABLE), "as many dear counters as can be are enabled");
	/* The first one also fills the emulator's caches. */
	for (i = 0; i < 2; i++) {
		begin = now();
		page[i * PAGE] = 1;
		took = now() - begin;
	}
	check(!toggle(RT_IOC_DISABLE), "and disabled");
	printf("# one fault takes %lld of at most %u instructions\n", took, RT_PLACE_COST_MAX);
	check(took < RT_PLACE_COST_MAX, "a fault takes no longer than a place may");
	check(counts_of(1).entered >= 2, "and was counted");
	close(fd);
}

static long long enable(int count)
{
	struct rt_event_add event;
	long long begin, took;
	int i;

	open_session();
	for (i = 0; i < count; i++) {
		event = counter(SOFTWARE, PAGE_FAULTS);
		event.counter.period = 1000000;
		if (add(&event))
			die("ADD");
	}
	begin = now();
	if (toggle(RT_IOC_ENABLE))
		die("ENABLE");
	took = now() - begin;
	begin = now();
	if (toggle(RT_IOC_DISABLE))
		die("DISABLE");
	printf("# ENABLE of %d counters takes %lld, DISABLE %lld instructions\n", count, took,
	       now() - begin);
	close(fd);
	return took;
}

static volatile int armed, done;
static volatile long long waited;

static void *enable_one(void *unused)
{
	struct rt_switch onoff = { .size = sizeof(onoff) };
	struct rt_event_add event = counter(SOFTWARE, DUMMY);
	struct rt_rings rings = { .size = sizeof(rings), .subbuf_bytes = 65536, .subbufs = 4 };
	int own = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	long long begin;

	event.size = sizeof(event);
	if (own < 0 || ioctl(own, RT_IOC_RINGS, &rings) || ioctl(own, RT_IOC_ADD, &event))
		die("another session");
	while (!armed)
		usleep(1000);
	usleep(20000);
	begin = now();
	if (ioctl(own, RT_IOC_ENABLE, &onoff))
		die("ENABLE of another session");
	waited = now() - begin;
	done = armed;
	close(own);
	return unused;
}

/* Another session need not wait until all counters of this one are armed. */
static void others(void)
{
	struct rt_event_add event;
	long long begin, took;
	pthread_t thread;
	int i;

	if (pthread_create(&thread, NULL, enable_one, NULL))
		die("pthread_create");
	/* So many that ENABLE takes long. */
	set_most(CROWD);
	open_session();
	for (i = 0; i < CROWD; i++) {
		event = counter(SOFTWARE, PAGE_FAULTS);
		event.counter.period = 1000000;
		if (add(&event))
			die("ADD");
	}
	begin = now();
	armed = 1;
	if (toggle(RT_IOC_ENABLE))
		die("ENABLE");
	armed = 2;
	took = now() - begin;
	pthread_join(thread, NULL);
	printf("# ENABLE of %d takes %lld, that of another session beside it %lld\n", CROWD, took,
	       waited);
	check(done == 1 && waited < took / 4, "another session is enabled meanwhile");
	close(fd);
	set_most(MOST);
}

int main(int argc, char **argv)
{
	long long few, many;
	int patterns;

	if (argc > 1 && !strcmp(argv[1], "times")) {
		patterns = dearest();
		fault(patterns);
		few = enable(FEW);
		many = enable(MOST);
		check(many < 1000000000LL, "ENABLE of 128 takes less than a second");
		check(many < few * 4 * MOST / FEW,
		      "and not much longer for each than ENABLE of 16");
		others();
	} else {
		how_many();
		which();
		patterns = dearest();
		budget(patterns);
	}
	printf("1..%d\n", tests);
	return failed != 0;
}
