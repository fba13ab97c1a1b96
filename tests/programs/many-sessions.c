// SPDX-License-Identifier: GPL-2.0
/*
 * many-sessions N
 *
 * N sessions at once, all with stacks.  The first records getppid(), each of the others one of the
 * functions that handlers call: those that walk stacks and read memory.  With all of them armed,
 * call getppid() three times and print the counts, a line for each session:
 *
 *	NAME entered E written W filtered F lost L recursion R
 *
 * then a line with the sums.  Fails unless entered = written + filtered + lost in every line.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ringtail.h>

#define CALLS	     3
#define SESSIONS_MAX 64
#define STRING_BYTES 96 /* the module reads it in several pieces */

#ifdef __aarch64__
#define STACK_POINTER 31
#else
#define STACK_POINTER 19
#endif

/* Use them in this order, skip those that the kernel lacks, and start again after the last. */
static const char *const functions[] = {
	"unwind_next_frame",
	"copy_from_user_nofault",
	"copy_from_kernel_nofault",
	"__probe_kernel_read", /* the same, before 5.8 */
	"unwind_get_return_address",
	"kernel_text_address",
	"stack_trace_consume_entry",
	"__kernel_text_address",
	"copy_from_kernel_nofault_allowed",
};

#define FUNCTIONS (sizeof(functions) / sizeof(*functions))

/* Fetch the string at the stack pointer, so that the module calls its memory readers. */
static const struct rt_insn kernel_string[] = {
	{ .op = RT_OP_REGISTER, .arg = STACK_POINTER },
	{ .op = RT_OP_STRING, .offset = RT_FIELD_BASE, .arg = 1, .imm = STRING_BYTES },
	{ .op = RT_OP_RETURN },
};

/* A system call has no kernel string: the beginning of the kernel's text is one. */
static struct rt_insn both_strings[] = {
	{ .op = RT_OP_REGISTER, .arg = STACK_POINTER },
	{ .op = RT_OP_STRING_USER, .offset = RT_FIELD_BASE, .arg = 1, .imm = STRING_BYTES },
	{ .op = RT_OP_IMMEDIATE },
	{ .op = RT_OP_STRING, .offset = RT_FIELD_BASE + 4, .arg = 2, .imm = STRING_BYTES },
	{ .op = RT_OP_RETURN },
};

struct session {
	int fd;
	const char *name;
	struct rt_counts before, after;
};

static struct session sessions[SESSIONS_MAX];

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void open_session(struct session *s)
{
	struct rt_rings rings = { .size = sizeof(rings), .subbuf_bytes = 65536, .subbufs = 4 };
	struct rt_target self = { .size = sizeof(self),
				  .what = RT_TARGET_TASK,
				  .value = syscall(SYS_gettid) };

	s->fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	if (s->fd < 0 || ioctl(s->fd, RT_IOC_RINGS, &rings) || ioctl(s->fd, RT_IOC_TARGET, &self))
		die(RT_DEVICE_PATH);
}

static uint64_t kernel_text(void)
{
	FILE *symbols = fopen("/proc/kallsyms", "r");
	unsigned long long address;
	char name[256];

	if (!symbols)
		die("/proc/kallsyms");
	while (fscanf(symbols, "%llx %*c %255s%*[^\n]", &address, name) == 2)
		if (!strcmp(name, "_stext")) {
			fclose(symbols);
			return address;
		}
	die("_stext");
	return 0;
}

static int add(struct session *s, struct rt_event_add *event, const struct rt_insn *fetch,
	       unsigned int code)
{
	event->size = sizeof(*event);
	event->carry = RT_CARRY_STACK;
	event->fetch.slots = (uintptr_t)fetch;
	event->fetch.code = code;
	return ioctl(s->fd, RT_IOC_ADD, event);
}

static void add_call(struct session *s)
{
	struct rt_event_add event = { .kind = RT_KIND_SYSCALL_ENTER,
				      .syscall.number = SYS_getppid };

	s->name = "getppid";
	both_strings[2].imm = kernel_text();
	if (add(s, &event, both_strings, sizeof(both_strings) / sizeof(*both_strings)))
		die("ADD of getppid");
}

/* Add the next function that the kernel has and allows probes on. */
static void add_function(struct session *s, size_t *next)
{
	size_t tries;

	for (tries = 0; tries < FUNCTIONS; tries++) {
		struct rt_event_add event = { .kind = RT_KIND_KPROBE };

		s->name = functions[(*next)++ % FUNCTIONS];
		event.name = (uintptr_t)s->name;
		if (!add(s, &event, kernel_string, sizeof(kernel_string) / sizeof(*kernel_string)))
			return;
	}
	die("ADD of a function");
}

static void enable(struct session *s)
{
	struct rt_switch on = { .size = sizeof(on) };

	if (ioctl(s->fd, RT_IOC_ENABLE, &on))
		die("ENABLE");
}

static void count(struct session *s, struct rt_counts *counts)
{
	counts->size = sizeof(*counts);
	counts->id = 1;
	counts->cpu = RT_COUNTS_ALL;
	if (ioctl(s->fd, RT_IOC_COUNTS, counts))
		die("COUNTS");
}

static uint64_t lost(const struct rt_counts *c)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++)
		sum += c->lost[i];
	return sum;
}

static void print(const char *name, uint64_t entered, uint64_t written, uint64_t filtered,
		  uint64_t losses, uint64_t recursion)
{
	printf("%s entered %llu written %llu filtered %llu lost %llu recursion %llu\n", name,
	       (unsigned long long)entered, (unsigned long long)written,
	       (unsigned long long)filtered, (unsigned long long)losses,
	       (unsigned long long)recursion);
}

int main(int argc, char **argv)
{
	int n = argc == 2 ? atoi(argv[1]) : 0, i, good = 1;
	uint64_t entered = 0, written = 0, recursion = 0;
	size_t next = 0;

	if (n < 1 || n > SESSIONS_MAX)
		return 2;
	for (i = 0; i < n; i++) {
		open_session(&sessions[i]);
		if (i)
			add_function(&sessions[i], &next);
		else
			add_call(&sessions[i]);
	}
	for (i = 0; i < n; i++)
		enable(&sessions[i]);
	for (i = 0; i < n; i++)
		count(&sessions[i], &sessions[i].before);
	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	for (i = 0; i < n; i++)
		count(&sessions[i], &sessions[i].after);
	for (i = 0; i < n; i++) {
		const struct rt_counts *a = &sessions[i].before, *b = &sessions[i].after;

		good &= b->entered == b->written + b->filtered + lost(b);
		print(sessions[i].name, b->entered - a->entered, b->written - a->written,
		      b->filtered - a->filtered, lost(b) - lost(a),
		      b->lost[RT_LOST_RECURSION] - a->lost[RT_LOST_RECURSION]);
		entered += b->entered - a->entered;
		written += b->written - a->written;
		recursion += b->lost[RT_LOST_RECURSION] - a->lost[RT_LOST_RECURSION];
	}
	print("all", entered, written, 0, 0, recursion);
	return !good;
}
