// SPDX-License-Identifier: GPL-2.0
/*
 * ioctl-fuzz [SEED]: several threads misuse several sessions of /dev/ringtail: every call with
 * arguments from valid to absurd, mappings at odd offsets, forks, closes at any time, CPUs that go
 * offline and online.  The kernel must survive it; and whenever a session is idle, entered =
 * written + filtered + lost must hold for its events.
 *
 * Runs for $RT_SECONDS (default 60) and prints the seed and how much was done.  The same seed gives
 * each thread the same sequence of calls; how they interleave depends on the machine.  With
 * $RT_MAKE_IT_FAIL the kernel's fault injection is on during each call, and off in the rest of the
 * program.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ringtail.h>

#define THREADS	 4
#define SESSIONS 3
#define MAPPINGS 8

enum what {
	OPEN,
	CLOSE,
	INFO,
	TRY,
	RINGS,
	ADD,
	ENABLE,
	DISABLE,
	TARGET,
	COUNTS,
	FLUSH,
	TAKE,
	COPY,
	PIN,
	RAW,
	MAP,
	UNMAP,
	POLL,
	FORK,
	CHECK,
	WHATS
};

static const struct {
	const char *name;
	int weight;
} whats[WHATS] = {
	[OPEN] = { "open", 4 },	    [CLOSE] = { "close", 2 },	  [INFO] = { "info", 1 },
	[TRY] = { "try", 1 },	    [RINGS] = { "rings", 6 },	  [ADD] = { "add", 30 },
	[ENABLE] = { "enable", 8 }, [DISABLE] = { "disable", 4 }, [TARGET] = { "target", 4 },
	[COUNTS] = { "counts", 6 }, [FLUSH] = { "flush", 3 },	  [TAKE] = { "take", 6 },
	[COPY] = { "copy", 6 },	    [RAW] = { "raw", 6 },	  [MAP] = { "map", 12 },
	[UNMAP] = { "unmap", 6 },   [POLL] = { "poll", 4 },	  [FORK] = { "fork", 1 },
	[CHECK] = { "check", 3 },   [PIN] = { "pin", 6 },
};

struct session {
	int fd; /* -1: none */
	/* Users of the session hold it for reading; a check of the idle session, for writing. */
	pthread_rwlock_t still;
};

struct mapping {
	void *at;
	size_t bytes;
	int writable;
};

struct thread {
	pthread_t thread;
	uint64_t random;
	struct mapping mappings[MAPPINGS];
	unsigned long tried[WHATS], worked[WHATS];
};

static struct session sessions[SESSIONS];
static struct thread threads[THREADS];
static volatile int over;
static unsigned long wrong;
static bool failures;
static long page;
static char *wall; /* the first byte of an inaccessible page */
static void *read_only;

/*
 * Where the module copies data to, in the middle of a sea of inaccessible memory at an address like no
 * other: a wrong bit in a pointer to it must not make the module overwrite this program.
 */
#define SEA_AT	  ((void *)0x123000000000)
#define SEA_BYTES (64ul << 20)
static char *island;

#include "ioctl-fuzz-arguments.h"

/* --- calls ----------------------------------------------------------------------- */

/*
 * Pass SIZE bytes of ARGUMENT: unchanged, or with a wrong byte, with a wrong size, against the
 * wall, or at an invalid address.
 */
static int call(struct thread *t, int fd, unsigned long number, void *argument, uint32_t size)
{
	char room[RT_ARGUMENT_MAX + 64], *at = room;
	uint32_t claimed = size;

	memset(room, 0, sizeof(room));
	memcpy(room, argument, size);
	if (rarely(t))
		room[below(t, size)] ^= 1 << below(t, 8);
	if (rarely(t))
		claimed = odd_number(t);
	else if (rarely(t))
		claimed = size + below(t, 64);
	memcpy(room, &claimed, sizeof(claimed));
	if (rarely(t)) {
		void *const bad[] = { NULL, wall, wall - below(t, 64), read_only,
				      (void *)odd_number(t) };

		at = bad[below(t, 5)];
	}
	return ioctl(fd, number, at);
}

/* Ask which sub-buffers exist, then copy one of them, or one that does not exist. */
static int try_copy(struct thread *t, int fd, struct rt_copy *copy)
{
	uint64_t span;

	copy->size = sizeof(*copy);
	copy->cpu = below(t, 2);
	copy->ring = rarely(t) ? odd_number(t) : below(t, 2);
	if (ioctl(fd, RT_IOC_COPY, copy))
		return -1;
	span = copy->newest - copy->oldest + 1;
	copy->seq = rarely(t) || !span ? odd_number(t) : copy->oldest + below(t, span);
	copy->to = (uintptr_t)island;
	copy->bytes = rarely(t) ? odd_number(t) : (uint64_t)page << below(t, 3);
	if (rarely(t))
		copy->to = odd_number(t);
	return call(t, fd, RT_IOC_COPY, copy, sizeof(*copy));
}

static const char *const pin_names[] = { "fuzz-a", "fuzz-b", "-", "a b" };

/* Pin, adopt and unpin sessions of all threads; read what an image would have of one. */
static int try_pin(struct thread *t, int fd)
{
	static const unsigned long numbers[] = { RT_IOC_PIN, RT_IOC_UNPIN, RT_IOC_ADOPT };
	struct rt_look look = { .bytes = rarely(t) ? odd_number(t) : sizeof(struct rt_anchor) };
	struct rt_pinned pinned = { .index = rarely(t) ? odd_number(t) : below(t, 2) };
	struct rt_pin pin = { 0 };
	unsigned long number = numbers[below(t, 3)];
	int ret;

	switch (below(t, 5)) {
	case 0:
		return call(t, fd, RT_IOC_PINNED, &pinned, sizeof(pinned));
	case 1:
		look.phys = rarely(t) ? odd_number(t) : 0;
		look.bytes = look.bytes > RT_SUBBUF_BYTES_MAX ? RT_SUBBUF_BYTES_MAX : look.bytes;
		look.to = (uintptr_t)island;
		return call(t, fd, RT_IOC_LOOK, &look, sizeof(look));
	}
	strcpy(pin.name, pin_names[below(t, sizeof(pin_names) / sizeof(*pin_names))]);
	if (rarely(t))
		pin.name[below(t, sizeof(pin.name))] = rnd(t);
	ret = call(t, fd, number, &pin, sizeof(pin));
	if (number == RT_IOC_ADOPT && ret >= 0)
		close(ret);
	return ret;
}

/* What a random byte has made of a name is unpinned by the name that the module tells. */
static void unpin_all(void)
{
	struct rt_pinned pinned = { .size = sizeof(pinned) };
	struct rt_pin pin = { .size = sizeof(pin) };
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	while (fd >= 0 && !ioctl(fd, RT_IOC_PINNED, &pinned)) {
		memcpy(pin.name, pinned.name, sizeof(pin.name));
		if (ioctl(fd, RT_IOC_UNPIN, &pin)) {
			perror("ioctl-fuzz: UNPIN");
			wrong++;
			break;
		}
	}
	close(fd);
}

static int try_raw(struct thread *t, int fd)
{
	struct rt_event_add add;
	size_t i;

	for (i = 0; i < sizeof(add); i++)
		((unsigned char *)&add)[i] = rnd(t) >> 20;
	if (below(t, 2))
		return ioctl(fd, (unsigned long)rnd(t), rnd(t));
	return call(t, fd, _IO(RT_IOC_MAGIC, 0x10 + below(t, 0x20)), &add,
		    16 + below(t, sizeof(add) - 16));
}

/* --- mappings -------------------------------------------------------------------- */

static void touch(struct thread *t, struct mapping *m)
{
	volatile uint64_t *at = m->at;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < m->bytes / 8; i += page / 16)
		sum += at[i];
	/* A reader that reports a wrong position. */
	if (m->writable)
		at[below(t, 4)] = below(t, 2) ? sum : odd_number(t);
}

static void let_go(struct mapping *m)
{
	if (m->at)
		munmap(m->at, m->bytes);
	m->at = NULL;
}

static int try_map(struct thread *t, int fd)
{
	static const int protections[] = { PROT_READ, PROT_READ | PROT_WRITE, PROT_NONE,
					   PROT_READ | PROT_EXEC };
	struct mapping *m = &t->mappings[below(t, MAPPINGS)];
	uint64_t part = below(t, 3) + (below(t, 3) ? 0 : RT_MMAP_SIDE);
	uint64_t offset = RT_MMAP_OFFSET(below(t, 2), part);
	int prot = protections[part & 3 ? 0 : 1], flags = MAP_SHARED;

	if (rarely(t))
		offset = odd_number(t) & ~(page - 1);
	if (rarely(t))
		offset += page * below(t, 8);
	if (rarely(t))
		prot = protections[below(t, 4)];
	if (rarely(t))
		flags = MAP_PRIVATE;
	let_go(m);
	m->bytes = part & 3 ? page << below(t, 8) : page;
	m->at = mmap(NULL, m->bytes, prot, flags, fd, offset & INT64_MAX);
	if (m->at == MAP_FAILED) {
		m->at = NULL;
		return -1;
	}
	m->writable = !!(prot & PROT_WRITE);
	if (rarely(t) && !mprotect(m->at, m->bytes, PROT_READ | PROT_WRITE))
		m->writable = 1;
	/* The module's shared pages, except the control page, must never become writable for us. */
	if (m->writable && flags == MAP_SHARED &&
	    offset == RT_MMAP_OFFSET(offset >> RT_MMAP_CPU_SHIFT, part) && part & 3) {
		fprintf(stderr, "ioctl-fuzz: part %llu is writable\n", (unsigned long long)part);
		__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
	}
	if (rarely(t)) {
		void *moved = mremap(m->at, m->bytes, m->bytes * 2, MREMAP_MAYMOVE);

		if (moved != MAP_FAILED) {
			m->at = moved;
			m->bytes *= 2;
		}
	}
	if (prot & PROT_READ)
		touch(t, m);
	return 0;
}

static int try_fork(struct thread *t, int fd)
{
	pid_t child = fork();

	if (!child) {
		struct rt_switch arg = { .size = sizeof(arg) };

		try_map(t, fd);
		ioctl(fd, below(t, 2) ? RT_IOC_DISABLE : RT_IOC_ENABLE, &arg);
		_exit(0);
	}
	return child < 0 || waitpid(child, NULL, 0) != child ? -1 : 0;
}

/* --- counts ---------------------------------------------------------------------- */

static uint64_t outcome(const struct rt_counts *c)
{
	uint64_t sum = c->written + c->filtered;
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++)
		sum += c->lost[i];
	return sum;
}

/* Call while the session is idle. */
static int check(int fd)
{
	struct rt_switch off = { .size = sizeof(off) };
	uint32_t id;

	if (ioctl(fd, RT_IOC_DISABLE, &off))
		return -1;
	for (id = 1;; id++) {
		struct rt_counts c = { .size = sizeof(c), .id = id, .cpu = RT_COUNTS_ALL };

		if (ioctl(fd, RT_IOC_COUNTS, &c))
			return 0;
		if (c.entered == outcome(&c))
			continue;
		fprintf(stderr, "ioctl-fuzz: event %u: entered %llu, accounted for %llu\n", id,
			(unsigned long long)c.entered, (unsigned long long)outcome(&c));
		__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
	}
}

/* --- threads --------------------------------------------------------------------- */

static int reopen(struct session *s)
{
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC), old;

	if (fd < 0)
		return -1;
	old = __atomic_exchange_n(&s->fd, fd, __ATOMIC_ACQ_REL);
	if (old >= 0)
		close(old);
	return 0;
}

static int try_it(struct thread *t, enum what what, struct session *s)
{
	int fd = __atomic_load_n(&s->fd, __ATOMIC_ACQUIRE);
	struct rt_insn room[80];
	union {
		struct rt_info info;
		struct rt_try attempt;
		struct rt_rings rings;
		struct rt_event_add add;
		struct rt_switch onoff;
		struct rt_target target;
		struct rt_counts counts;
		struct rt_found found;
		struct rt_take take;
		struct rt_copy copy;
	} arg;

	memset(&arg, 0, sizeof(arg));
	switch (what) {
	case OPEN:
		return fd < 0 || rarely(t) ? reopen(s) : 0;
	case CLOSE:
		fd = __atomic_exchange_n(&s->fd, -1, __ATOMIC_ACQ_REL);
		return fd < 0 ? -1 : close(fd);
	case INFO:
		return call(t, fd, RT_IOC_INFO, &arg, sizeof(arg.info));
	case TRY:
		return call(t, fd, RT_IOC_TRY, &arg, sizeof(arg.attempt));
	case RINGS:
		fill_rings(t, &arg.rings);
		return call(t, fd, RT_IOC_RINGS, &arg, sizeof(arg.rings));
	case ADD:
		fill_add(t, &arg.add, room);
		return call(t, fd, RT_IOC_ADD, &arg, sizeof(arg.add));
	case ENABLE:
		arg.onoff.value = rarely(t) ? odd_number(t) : below(t, 2);
		return call(t, fd, RT_IOC_ENABLE, &arg, sizeof(arg.onoff));
	case DISABLE:
		if (!below(t, 4))
			return ioctl(fd, RT_IOC_STOP, rarely(t) ? rnd(t) : 0);
		if (!below(t, 2)) {
			arg.onoff.value = below(t, 2) ? 0 : (uint32_t)getpid();
			return call(t, fd, RT_IOC_START, &arg, sizeof(arg.onoff));
		}
		return call(t, fd, RT_IOC_DISABLE, &arg, sizeof(arg.onoff));
	case TARGET:
		arg.target.what = 1 + below(t, 6);
		arg.target.value = below(t, 2) ? odd_number(t) : (uint64_t)getpid();
		return call(t, fd, RT_IOC_TARGET, &arg, sizeof(arg.target));
	case COUNTS:
		arg.counts.id = rarely(t) ? odd_number(t) : 1 + below(t, 8);
		arg.counts.cpu = below(t, 2) ? RT_COUNTS_ALL : below(t, 4);
		if (!below(t, 4))
			return call(t, fd, RT_IOC_FOUND, &arg, sizeof(arg.found));
		return call(t, fd, RT_IOC_COUNTS, &arg, sizeof(arg.counts));
	case FLUSH:
		return ioctl(fd, RT_IOC_FLUSH, rarely(t) ? rnd(t) : 0);
	case TAKE:
		arg.take.cpu = rarely(t) ? odd_number(t) : below(t, 2);
		return call(t, fd, RT_IOC_TAKE, &arg, sizeof(arg.take));
	case COPY:
		return try_copy(t, fd, &arg.copy);
	case PIN:
		return try_pin(t, fd);
	case RAW:
		return try_raw(t, fd);
	case MAP:
		return try_map(t, fd);
	case UNMAP:
		let_go(&t->mappings[below(t, MAPPINGS)]);
		return 0;
	case POLL: {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		return poll(&p, 1, below(t, 5)) < 0 ? -1 : 0;
	}
	case FORK:
		return try_fork(t, fd);
	default:
		return -1;
	}
}

static enum what choose(struct thread *t)
{
	int sum = 0, i, at;

	for (i = 0; i < WHATS; i++)
		sum += whats[i].weight;
	at = below(t, sum);
	for (i = 0; at >= whats[i].weight; i++)
		at -= whats[i].weight;
	return i;
}

/* Whether this thread's allocations may fail from now on. */
static void may_fail(int fd, bool on)
{
	if (fd >= 0 && pwrite(fd, on ? "1" : "0", 1, 0) < 0)
		perror("ioctl-fuzz: make-it-fail");
}

static void *run(void *argument)
{
	int failing = failures ? open("/proc/thread-self/make-it-fail", O_WRONLY) : -1;
	struct thread *t = argument;
	struct session *s;
	enum what what;
	int ret;

	if (failures && failing < 0) {
		perror("ioctl-fuzz: /proc/thread-self/make-it-fail");
		__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
	}
	while (!over) {
		what = choose(t);
		s = &sessions[below(t, SESSIONS)];
		t->tried[what]++;
		if (what == CHECK) {
			pthread_rwlock_wrlock(&s->still);
			ret = check(s->fd);
		} else {
			pthread_rwlock_rdlock(&s->still);
			/* A child that runs out of memory may end in other ways. */
			may_fail(failing, what != FORK);
			ret = try_it(t, what, s);
			may_fail(failing, false);
		}
		pthread_rwlock_unlock(&s->still);
		t->worked[what] += ret >= 0;
	}
	return NULL;
}

/* Take CPU 1 offline and online, if the kernel allows it. */
static void *hotplug(void *unused)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY), up = 1;

	(void)unused;
	while (fd >= 0 && !over) {
		up = !up;
		if (pwrite(fd, up ? "1" : "0", 1, 0) < 0)
			break;
		usleep(100000);
	}
	if (!up && pwrite(fd, "1", 1, 0) < 0)
		perror("ioctl-fuzz: cpu1");
	return NULL;
}

int main(int argc, char **argv)
{
	const char *seconds = getenv("RT_SECONDS");
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL) * 2654435761U;
	bool hotplugs = !getenv("RT_NO_HOTPLUG");
	pthread_t plug;
	int i, w;

	failures = getenv("RT_MAKE_IT_FAIL");
	page = sysconf(_SC_PAGESIZE);
	wall = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	read_only = mmap(NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (wall == MAP_FAILED || read_only == MAP_FAILED)
		return 1;
	memset(wall, 'w', page);
	wall += page;
	mprotect(wall, page, PROT_NONE);
	island = mmap(SEA_AT, SEA_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		      0);
	if (island != SEA_AT) {
		perror("ioctl-fuzz: no room for copies");
		return 1;
	}
	island += SEA_BYTES / 2;
	mprotect(island, RT_SUBBUF_BYTES_MAX, PROT_READ | PROT_WRITE);
	read_symbols();
	printf("# seed %#llx\n", (unsigned long long)seed);
	fflush(stdout);

	for (i = 0; i < SESSIONS; i++) {
		sessions[i].fd = -1;
		pthread_rwlock_init(&sessions[i].still, NULL);
		if (reopen(&sessions[i])) {
			perror(RT_DEVICE_PATH);
			return 1;
		}
	}
	for (i = 0; i < THREADS; i++) {
		threads[i].random = seed * (2 * i + 1) | 1;
		pthread_create(&threads[i].thread, NULL, run, &threads[i]);
	}
	if (hotplugs)
		pthread_create(&plug, NULL, hotplug, NULL);
	sleep(seconds ? strtoul(seconds, NULL, 10) : 60);
	over = 1;
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i].thread, NULL);
	if (hotplugs)
		pthread_join(plug, NULL);
	unpin_all();

	for (w = 0; w < WHATS; w++) {
		unsigned long tried = 0, worked = 0;

		for (i = 0; i < THREADS; i++) {
			tried += threads[i].tried[w];
			worked += threads[i].worked[w];
		}
		printf("# %-8s %8lu tried %8lu worked\n", whats[w].name, tried, worked);
	}
	return wrong ? 1 : 0;
}
