// SPDX-License-Identifier: GPL-2.0
/*
 * abi-calls: the rule by which arguments grow, call by call, in TAP.
 *
 * Each call is made with every length from the shortest to the module's own, as an older program
 * would, with longer ones, as a newer program would, and with lengths that the module must refuse.
 * Every call has its own session, so that all should get the same answer.  The struct ends at an
 * unreadable page: one byte read or written too far is a fault.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ringtail.h>

#define ROOM 16384

static int tests, failed;
static char *wall; /* the first byte that must not be touched */

static void check(int good, const char *name, const char *what)
{
	printf("%sok %d - %s: %s\n", good ? "" : "not ", ++tests, name, what);
	failed += !good;
}

union argument {
	struct rt_info info;
	struct rt_rings rings;
	struct rt_take take;
	struct rt_copy copy;
	struct rt_event_add add;
	struct rt_switch toggle;
	struct rt_target target;
	struct rt_counts counts;
	struct rt_look look;
	struct rt_pin pin;
	struct rt_pinned pinned;
	struct rt_found found;
	struct rt_kept kept;
	char bytes[RT_ARGUMENT_MAX + 8];
};

/* --- preparing a call -------------------------------------------------------------- */

static int with_rings(int fd, unsigned int mode)
{
	struct rt_rings rings = { .size = sizeof(rings),
				  .mode = mode,
				  .subbufs = 2,
				  .subbuf_bytes = sysconf(_SC_PAGESIZE) };

	return ioctl(fd, RT_IOC_RINGS, &rings);
}

static int with_event(int fd)
{
	struct rt_event_add add = { .size = sizeof(add),
				    .kind = RT_KIND_SYSCALL_ENTER,
				    .syscall.number = __NR_getppid };

	return with_rings(fd, RT_MODE_DISCARD) || ioctl(fd, RT_IOC_ADD, &add);
}

static int nothing(int fd)
{
	return 0;
}

static int discard(int fd)
{
	return with_rings(fd, RT_MODE_DISCARD);
}

static int overwrite(int fd)
{
	return with_rings(fd, RT_MODE_OVERWRITE);
}

static int call_itself(int fd, unsigned long number, void *argument)
{
	return ioctl(fd, number, argument);
}

#define NO_REFUSAL (~0U)

static const struct call {
	const char *name;
	unsigned long number;
	int (*before)(int fd);
	int (*make)(int fd, unsigned long number, void *argument);
	unsigned int size, least, refusal;
	int want; /* 0, or the errno of a call that has nothing to return */
	int size_is_answered;
	union argument argument;
} calls[] = {
	{ "INFO",
	  RT_IOC_INFO,
	  nothing,
	  call_itself,
	  sizeof(struct rt_info),
	  RT_INFO_SIZE_MIN,
	  NO_REFUSAL,
	  0,
	  1,
	  { .info = { 0 } } },
	{ "RINGS",
	  RT_IOC_RINGS,
	  nothing,
	  call_itself,
	  sizeof(struct rt_rings),
	  RT_RINGS_SIZE_MIN,
	  offsetof(struct rt_rings, refusal),
	  0,
	  0,
	  { .rings = { .mode = RT_MODE_OVERWRITE } } },
	{ "TAKE",
	  RT_IOC_TAKE,
	  overwrite,
	  call_itself,
	  sizeof(struct rt_take),
	  RT_TAKE_SIZE_MIN,
	  offsetof(struct rt_take, refusal),
	  EAGAIN,
	  0,
	  { .take = { .cpu = 0 } } },
	{ "COPY",
	  RT_IOC_COPY,
	  discard,
	  call_itself,
	  sizeof(struct rt_copy),
	  RT_COPY_SIZE_MIN,
	  offsetof(struct rt_copy, refusal),
	  0,
	  0,
	  { .copy = { .cpu = 0 } } },
	{ "ADD",
	  RT_IOC_ADD,
	  discard,
	  call_itself,
	  sizeof(struct rt_event_add),
	  RT_EVENT_ADD_SIZE_MIN,
	  offsetof(struct rt_event_add, refusal),
	  0,
	  0,
	  { .add = { .kind = RT_KIND_SYSCALL_ENTER, .syscall.number = __NR_getppid } } },
	{ "ADD of a counter",
	  RT_IOC_ADD,
	  discard,
	  call_itself,
	  sizeof(struct rt_event_add),
	  RT_EVENT_ADD_SIZE_MIN,
	  offsetof(struct rt_event_add, refusal),
	  0,
	  0,
	  { .add = { .kind = RT_KIND_PMU,
		     .counter = { .type = PERF_TYPE_SOFTWARE,
				  .config = PERF_COUNT_SW_CPU_CLOCK,
				  .period = 1000000 } } } },
	{ "ENABLE",
	  RT_IOC_ENABLE,
	  with_event,
	  call_itself,
	  sizeof(struct rt_switch),
	  RT_SWITCH_SIZE_MIN,
	  offsetof(struct rt_switch, refusal),
	  0,
	  0,
	  { .toggle = { 0 } } },
	{ "DISABLE",
	  RT_IOC_DISABLE,
	  with_event,
	  call_itself,
	  sizeof(struct rt_switch),
	  RT_SWITCH_SIZE_MIN,
	  offsetof(struct rt_switch, refusal),
	  0,
	  0,
	  { .toggle = { 0 } } },
	{ "TARGET",
	  RT_IOC_TARGET,
	  discard,
	  call_itself,
	  sizeof(struct rt_target),
	  RT_TARGET_SIZE_MIN,
	  offsetof(struct rt_target, refusal),
	  0,
	  0,
	  { .target = { .what = RT_TARGET_CPU, .value = 0 } } },
	{ "COUNTS",
	  RT_IOC_COUNTS,
	  with_event,
	  call_itself,
	  sizeof(struct rt_counts),
	  RT_COUNTS_SIZE_MIN,
	  offsetof(struct rt_counts, refusal),
	  0,
	  0,
	  { .counts = { .id = 1, .cpu = RT_COUNTS_ALL } } },
	{ "LOOK",
	  RT_IOC_LOOK,
	  discard,
	  call_itself,
	  sizeof(struct rt_look),
	  RT_LOOK_SIZE_MIN,
	  offsetof(struct rt_look, refusal),
	  0,
	  0,
	  { .look = { .bytes = 0 } } },
	{ "UNPIN",
	  RT_IOC_UNPIN,
	  nothing,
	  call_itself,
	  sizeof(struct rt_pin),
	  RT_PIN_SIZE_MIN,
	  offsetof(struct rt_pin, refusal),
	  ENOENT,
	  0,
	  { .pin = { .name = "none" } } },
	{ "ADOPT",
	  RT_IOC_ADOPT,
	  nothing,
	  call_itself,
	  sizeof(struct rt_pin),
	  RT_PIN_SIZE_MIN,
	  offsetof(struct rt_pin, refusal),
	  ENOENT,
	  0,
	  { .pin = { .name = "none" } } },
	{ "PINNED",
	  RT_IOC_PINNED,
	  nothing,
	  call_itself,
	  sizeof(struct rt_pinned),
	  RT_PINNED_SIZE_MIN,
	  offsetof(struct rt_pinned, refusal),
	  ENOENT,
	  0,
	  { .pinned = { .index = 0 } } },
	{ "KEPT",
	  RT_IOC_KEPT,
	  nothing,
	  call_itself,
	  sizeof(struct rt_kept),
	  RT_KEPT_SIZE_MIN,
	  offsetof(struct rt_kept, refusal),
	  ENODEV,
	  0,
	  { .kept = { .half = 0 } } },
	{ "FOUND",
	  RT_IOC_FOUND,
	  with_event,
	  call_itself,
	  sizeof(struct rt_found),
	  RT_FOUND_SIZE_MIN,
	  offsetof(struct rt_found, refusal),
	  ENOENT,
	  0,
	  { .found = { 0 } } },
};

/* --- one call ---------------------------------------------------------------------- */

/*
 * Return the errno of the call with SIZE bytes that end at the wall.  Passes ARGUMENT, with zeros
 * beyond the module's own size, and stores the result there.
 */
static int try(const struct call *c, unsigned int size, union argument *argument)
{
	char *at = wall - (size < 4 ? 4 : size);
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC), status = 0;

	memset(argument->bytes, 0, 4);
	memcpy(argument->bytes, &size, 4);
	memcpy(at, argument->bytes, wall - at);
	at[-1] = 0x5a;
	if (fd < 0 || c->before(fd))
		status = -1;
	else if (c->make(fd, c->number, at))
		status = errno;
	if (at[-1] != 0x5a)
		status = -2;
	close(fd);
	memcpy(argument->bytes, at, wall - at);
	return status;
}

/* How many of the first SIZE bytes differ, without clock values, which differ from call to call. */
static unsigned int differ(const struct call *c, const union argument *a, const union argument *b,
			   unsigned int size)
{
	unsigned int i, n = 0;

	for (i = c->size_is_answered ? 0 : 4; i < size; i++)
		if (c->number != RT_IOC_INFO ||
		    i / 8 != offsetof(struct rt_info, clock_to_dmesg) / 8)
			n += a->bytes[i] != b->bytes[i];
	return n;
}

static void check_call(const struct call *c)
{
	union argument whole = c->argument, argument;
	unsigned int size, bad = 0, others = 0, i;

	check(try(c, c->size, &whole) == c->want, c->name, "the module's own struct is taken");
	for (size = c->least; size < c->size; size++) {
		argument = c->argument;
		bad += try(c, size, &argument) != c->want;
		others += differ(c, &argument, &whole, size);
	}
	check(!bad, c->name, "every shorter struct is taken, down to the shortest");
	check(!others, c->name, "and answered as far as it goes");
	argument = c->argument;
	check(try(c, c->least - 1, &argument) == EINVAL, c->name, "one byte less is EINVAL");
	argument = c->argument;
	check(try(c, 0, &argument) == EINVAL, c->name, "no size at all is EINVAL");

	argument = c->argument;
	check(try(c, c->size + 24, &argument) == c->want, c->name,
	      "a longer struct with a zero tail is taken");
	check(!differ(c, &argument, &whole, c->size + 24), c->name,
	      "and answered alike, with a zero tail");
	argument = c->argument;
	check(try(c, RT_ARGUMENT_MAX, &argument) == c->want, c->name, "so is the longest");
	argument = c->argument;
	check(try(c, RT_ARGUMENT_MAX + 1, &argument) == E2BIG, c->name, "longer yet is E2BIG");
	for (i = 0, bad = 0; i < 24; i++) {
		union argument same;

		argument = c->argument;
		argument.bytes[c->size + i] = 1;
		bad += try(c, c->size + 24, &argument) != E2BIG;
		same = c->argument;
		same.bytes[c->size + i] = 1;
		bad += !!memcmp(argument.bytes + 4, same.bytes + 4, c->size + 20);
	}
	check(!bad, c->name,
	      "any byte of the tail that is not zero is E2BIG, and nothing is touched");
}

/* A call that fails fills its refusal as far as the caller's struct goes, and nothing else. */
static void check_refusal(void)
{
	static const struct call refused = { "a refused RINGS",
					     RT_IOC_RINGS,
					     nothing,
					     call_itself,
					     sizeof(struct rt_rings),
					     RT_RINGS_SIZE_MIN,
					     offsetof(struct rt_rings, refusal),
					     EINVAL,
					     0,
					     { .rings = { .mode = 77, .watermark = 1 } } };
	const unsigned int from = refused.refusal;
	unsigned int size, bad = 0;
	union argument whole = refused.argument, argument;

	check(try(&refused, refused.size, &whole) == EINVAL &&
		      whole.rings.refusal.reason == RT_REFUSED_FLAGS,
	      refused.name, "the reason is told");
	whole.rings.size = 0;
	argument = refused.argument;
	check(!memcmp(&whole, &argument, from), refused.name, "the rest is left alone");
	for (size = refused.least; size < refused.size + 8; size++) {
		argument = refused.argument;
		bad += try(&refused, size, &argument) != EINVAL;
		bad += !!memcmp(argument.bytes + 4, whole.bytes + 4, size - 4);
	}
	check(!bad, refused.name, "shorter structs are told as much as they have room for");
}

int main(void)
{
	char *room = mmap(NULL, ROOM * 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;
	int fd;

	if (room == MAP_FAILED || mprotect(room, ROOM, PROT_READ | PROT_WRITE))
		return 1;
	wall = room + ROOM;
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		check_call(&calls[i]);
	check_refusal();
	fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	check(!with_rings(fd, RT_MODE_DISCARD) && !ioctl(fd, RT_IOC_FLUSH, 0), "FLUSH",
	      "takes no argument");
	check(ioctl(fd, RT_IOC_FLUSH, wall - 64) && errno == EINVAL, "FLUSH", "and refuses one");
	close(fd);
	printf("1..%d\n", tests);
	return !!failed;
}
