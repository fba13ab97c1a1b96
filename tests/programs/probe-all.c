// SPDX-License-Identifier: GPL-2.0
/*
 * probe-all [-g] [-o] [-r] [-t TRACEPOINT]… COMMAND… <NAMES
 *
 * Put a kprobe (-r: and a kretprobe) on every function named on standard input, all in one
 * session with the tracepoints; with -g, record stacks.  Run COMMAND with all of it armed.
 * Meanwhile a reader is woken and consumes; with -o the rings overwrite, and a thread keeps
 * flushing instead.  Then print the counts of the hits.  Functions that cannot be probed are
 * counted, which is not an error.  Fails unless entered = written + filtered + lost for every
 * event, in total and on every CPU.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ringtail.h>

#define CPUS_MAX	64
#define TRACEPOINTS_MAX 8
#define STRING_MAX	64 /* bytes fetched from where the first argument points */

static int fd;
static uint32_t carry, added, refused;
static long page, cpus;
static volatile int over;
/* The rings of the CPUs, then those of the side-band. */
static volatile struct rt_ring_control *control[2 * CPUS_MAX];
static const volatile struct rt_ring_status *status[2 * CPUS_MAX];
static unsigned long woken, flushed;

/* Fetches that read memory, so that the module also calls its memory readers. */
static const struct rt_insn fetch[] = {
	{ .op = RT_OP_CONTEXT, .arg = RT_CONTEXT_CALLER },
	{ .op = RT_OP_STORE, .size = 8, .offset = RT_FIELD_BASE },
#ifdef __aarch64__
	{ .op = RT_OP_REGISTER, .arg = 0 },
#else
	{ .op = RT_OP_REGISTER, .arg = 14 },
#endif
	{ .op = RT_OP_STRING, .offset = RT_FIELD_BASE + 8, .arg = 1, .imm = STRING_MAX },
	{ .op = RT_OP_RETURN },
};

static int add(uint32_t kind, const char *name)
{
	struct rt_event_add event = { .size = sizeof(event), .kind = kind, .carry = carry };

	event.name = (uintptr_t)name;
	if (kind != RT_KIND_TRACEPOINT) {
		event.fetch.slots = (uintptr_t)fetch;
		event.fetch.code = sizeof(fetch) / sizeof(*fetch);
	}
	if (ioctl(fd, RT_IOC_ADD, &event)) {
		refused++;
		return -1;
	}
	added++;
	return 0;
}

static void *map(uint64_t offset, int prot)
{
	void *at = mmap(NULL, page, prot, MAP_SHARED, fd, offset);

	return at == MAP_FAILED ? NULL : at;
}

static void map_ring(int i, uint64_t cpu, uint64_t side)
{
	control[i] = map(RT_MMAP_OFFSET(cpu, side + RT_MMAP_CONTROL), PROT_READ | PROT_WRITE);
	status[i] = map(RT_MMAP_OFFSET(cpu, side + RT_MMAP_STATUS), PROT_READ);
}

/* Report all complete sub-buffers as read. */
static void *reader(void *unused)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int i;

	(void)unused;
	while (!over) {
		if (poll(&p, 1, 100) > 0)
			woken++;
		for (i = 0; i < 2 * CPUS_MAX; i++)
			if (control[i] && status[i])
				control[i]->consumed = status[i]->head;
	}
	return NULL;
}

/* Flush the rings again and again. */
static void *flusher(void *unused)
{
	(void)unused;
	while (!over && !ioctl(fd, RT_IOC_FLUSH)) {
		flushed++;
		usleep(10000);
	}
	return NULL;
}

static int run(char **command)
{
	pid_t child = fork();
	int how;

	if (!child) {
		execvp(*command, command);
		_exit(127);
	}
	return child < 0 || waitpid(child, &how, 0) != child ? -1 : how;
}

static uint64_t lost(const struct rt_counts *c)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++)
		sum += c->lost[i];
	return sum;
}

/* Add up one event, of one CPU or all; returns whether entered = written + filtered + lost. */
static int count(uint32_t id, uint32_t cpu, struct rt_counts *sum)
{
	struct rt_counts c = { .size = sizeof(c), .id = id, .cpu = cpu };
	int i;

	if (ioctl(fd, RT_IOC_COUNTS, &c)) {
		perror("COUNTS");
		return 0;
	}
	sum->entered += c.entered;
	sum->written += c.written;
	sum->filtered += c.filtered;
	for (i = 0; i < RT_LOST_CAUSES; i++)
		sum->lost[i] += c.lost[i];
	for (i = 0; i < RT_MISSED_REASONS; i++)
		sum->missed[i] += c.missed[i];
	if (c.entered == c.written + c.filtered + lost(&c))
		return 1;
	printf("# event %u on %d: entered %llu, written %llu, filtered %llu, lost %llu\n", id,
	       (int)cpu, (unsigned long long)c.entered, (unsigned long long)c.written,
	       (unsigned long long)c.filtered, (unsigned long long)lost(&c));
	return 0;
}

static int account(void)
{
	struct rt_counts all = { 0 }, single = { 0 };
	int good = 1;
	uint32_t id;
	long cpu;

	for (id = 1; id <= added; id++) {
		good &= count(id, RT_COUNTS_ALL, &all);
		for (cpu = 0; cpu < cpus; cpu++)
			good &= count(id, cpu, &single);
	}
	if (all.entered != single.entered || all.written != single.written ||
	    lost(&all) != lost(&single)) {
		printf("# the sum is not that of the CPUs\n");
		good = 0;
	}
	printf("entered %llu written %llu filtered %llu lost %llu recursion %llu missed %llu woken %lu flushed %lu\n",
	       (unsigned long long)all.entered, (unsigned long long)all.written,
	       (unsigned long long)all.filtered, (unsigned long long)lost(&all),
	       (unsigned long long)all.lost[RT_LOST_RECURSION],
	       (unsigned long long)all.missed[RT_MISSED_PROBE], woken, flushed);
	return good;
}

static void read_names(int returns)
{
	char name[RT_EVENT_NAME_MAX];

	while (fgets(name, sizeof(name), stdin)) {
		name[strcspn(name, "\n")] = 0;
		if (!add(RT_KIND_KPROBE, name) && returns)
			add(RT_KIND_KRETPROBE, name);
	}
}

int main(int argc, char **argv)
{
	/* Small sub-buffers, each of which wakes the reader. */
	struct rt_rings rings = {
		.size = sizeof(rings), .subbuf_bytes = 8192, .subbufs = 128, .watermark = 1
	};
	struct rt_switch onoff = { .size = sizeof(onoff) };
	const char *tracepoint[TRACEPOINTS_MAX];
	int opt, returns = 0, tracepoints = 0, how, i;
	pthread_t thread;
	long cpu;

	fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	page = sysconf(_SC_PAGESIZE);
	cpus = sysconf(_SC_NPROCESSORS_CONF);
	while ((opt = getopt(argc, argv, "+gort:")) > 0) {
		if (opt == 'g')
			carry |= RT_CARRY_STACK;
		else if (opt == 'o')
			rings.mode = RT_MODE_OVERWRITE;
		else if (opt == 'r')
			returns = 1;
		else if (opt != 't' || tracepoints == TRACEPOINTS_MAX)
			return 1;
		else
			tracepoint[tracepoints++] = optarg;
	}
	if (fd < 0 || cpus > CPUS_MAX || ioctl(fd, RT_IOC_RINGS, &rings)) {
		perror(RT_DEVICE_PATH);
		return 1;
	}
	for (i = 0; i < tracepoints; i++)
		if (add(RT_KIND_TRACEPOINT, tracepoint[i]))
			return 1;
	read_names(returns);
	for (cpu = 0; cpu < cpus; cpu++) {
		map_ring(cpu, cpu, 0);
		map_ring(CPUS_MAX + cpu, cpu, RT_MMAP_SIDE);
	}
	printf("armed %u refused %u\n", added, refused);
	fflush(stdout);
	pthread_create(&thread, NULL, rings.mode == RT_MODE_OVERWRITE ? flusher : reader, NULL);
	if (ioctl(fd, RT_IOC_ENABLE, &onoff)) {
		printf("# ENABLE: %s, reason %u, event %llu\n", strerror(errno),
		       onoff.refusal.reason, (unsigned long long)onoff.refusal.detail);
		return 1;
	}
	how = run(argv + optind);
	if (ioctl(fd, RT_IOC_DISABLE, &onoff)) {
		perror("DISABLE");
		return 1;
	}
	over = 1;
	pthread_join(thread, NULL);
	if (how)
		printf("# the command ended with %#x\n", how);
	return !account() || how;
}
