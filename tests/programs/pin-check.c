// SPDX-License-Identifier: GPL-2.0
/*
 * pin-check NAME: PIN, ADOPT, UNPIN, PINNED and LOOK themselves, in TAP, while flight NAME runs: what is refused, a process
 * that got the descriptor but not the privilege, and threads that pin, adopt, unpin and close at once.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ringtail.h>

#define THREADS 4
#define ROUNDS	50

static int tests, failed;

static void check(int good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
	failed += !good;
}

static int open_device(void)
{
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		perror(RT_DEVICE_PATH);
		exit(1);
	}
	return fd;
}

static int call(int fd, unsigned long number, const char *name, uint32_t *reason)
{
	struct rt_pin pin = { .size = sizeof(pin) };
	int ret;

	strncpy(pin.name, name, sizeof(pin.name) - 1);
	ret = ioctl(fd, number, &pin);
	if (reason)
		*reason = pin.refusal.reason;
	return ret;
}

static int set_rings(int fd, uint32_t mode)
{
	struct rt_rings rings = { .size = sizeof(rings), .mode = mode, .subbufs = 2 };

	rings.subbuf_bytes = sysconf(_SC_PAGESIZE);
	return ioctl(fd, RT_IOC_RINGS, &rings);
}

/* --- one after the other ----------------------------------------------------------- */

static void check_refusals(const char *running)
{
	struct rt_pin pin = { .size = sizeof(pin), .name = "a\0b" };
	struct rt_rings rings = { .size = sizeof(rings), .flags = ~RT_RINGS_FLAGS };
	int fd = open_device(), discard = open_device();
	uint32_t reason;

	check(call(fd, RT_IOC_PIN, "x", &reason) < 0 && errno == EINVAL &&
		      reason == RT_REFUSED_NO_RINGS,
	      "a session without rings is not pinned");
	check(ioctl(fd, RT_IOC_RINGS, &rings) < 0 && errno == EINVAL &&
		      rings.refusal.reason == RT_REFUSED_FLAGS,
	      "flags of rings that nobody knows are refused");
	check(!set_rings(discard, RT_MODE_DISCARD) && call(discard, RT_IOC_PIN, "x", &reason) < 0 &&
		      errno == EINVAL && reason == RT_REFUSED_MODE,
	      "nor one that discards");
	set_rings(fd, RT_MODE_OVERWRITE);
	check(call(fd, RT_IOC_PIN, running, &reason) < 0 && errno == EEXIST &&
		      reason == RT_REFUSED_NAME_TAKEN,
	      "nor under a name that another one has");
	check(ioctl(fd, RT_IOC_PIN, &pin) < 0 && errno == EINVAL &&
		      pin.refusal.reason == RT_REFUSED_NAME,
	      "bytes behind the end of a name are refused");
	memset(pin.name, 'a', sizeof(pin.name));
	check(ioctl(fd, RT_IOC_PIN, &pin) < 0 && errno == EINVAL &&
		      pin.refusal.reason == RT_REFUSED_NAME,
	      "so is a name without an end");
	check(!call(fd, RT_IOC_PIN, "x", NULL), "a session can be pinned");
	check(call(fd, RT_IOC_PIN, "y", &reason) < 0 && errno == EBUSY &&
		      reason == RT_REFUSED_PINNED,
	      "but not twice");
	check(!call(fd, RT_IOC_UNPIN, "x", NULL), "its own file can unpin it");
	check(call(fd, RT_IOC_UNPIN, "x", &reason) < 0 && errno == ENOENT &&
		      reason == RT_REFUSED_NOT_PINNED,
	      "once");
	check(!call(fd, RT_IOC_PIN, "y", NULL) && !call(fd, RT_IOC_UNPIN, "y", NULL),
	      "and pin it again");
	close(fd);
	close(discard);
}

static void check_limit(void)
{
	int fd[RT_PINS_MAX + 1], n, i, last = 0;
	uint32_t reason = 0;
	char name[16];

	for (n = 0; n <= RT_PINS_MAX; n++) {
		fd[n] = open_device();
		set_rings(fd[n], RT_MODE_OVERWRITE);
		snprintf(name, sizeof(name), "many-%d", n);
		last = call(fd[n], RT_IOC_PIN, name, &reason) ? errno : 0;
		if (last)
			break;
	}
	check(last == ENOSPC && reason == RT_REFUSED_TOO_MANY,
	      "there is a limit of pinned sessions");
	for (i = 0; i <= n && i <= RT_PINS_MAX; i++) {
		snprintf(name, sizeof(name), "many-%d", i);
		call(fd[i], RT_IOC_UNPIN, name, NULL);
		close(fd[i]);
	}
}

static void check_look(const char *running)
{
	int fd = open_device(), file = call(fd, RT_IOC_ADOPT, running, NULL);
	struct rt_anchor anchor = { 0 };
	struct rt_look look = { .size = sizeof(look),
				.bytes = sizeof(anchor),
				.to = (uintptr_t)&anchor };
	uint64_t here;

	check(file >= 0 && fcntl(file, F_GETFD) == FD_CLOEXEC,
	      "ADOPT returns a file that exec closes");
	check(!ioctl(file, RT_IOC_LOOK, &look) && anchor.magic == RT_ANCHOR_MAGIC,
	      "LOOK reads the anchor");
	look.phys = anchor.phys + anchor.bytes - 8;
	check(ioctl(file, RT_IOC_LOOK, &look) < 0 && errno == ENXIO, "nothing beyond its end");
	look.phys = anchor.phys - 8;
	check(ioctl(file, RT_IOC_LOOK, &look) < 0 && errno == ENXIO, "nor before its beginning");
	look.phys = ~0ULL - 16;
	check(ioctl(file, RT_IOC_LOOK, &look) < 0 && errno == ENXIO,
	      "nor at the end of all addresses");
	here = anchor.phys;
	look.phys = here;
	look.to = 8;
	check(ioctl(file, RT_IOC_LOOK, &look) < 0 && errno == EFAULT,
	      "nor to where nothing is mapped");
	look.to = (uintptr_t)&anchor;
	check(ioctl(fd, RT_IOC_LOOK, &look) < 0 && errno == ENXIO,
	      "another session's anchor cannot be read");
	check(mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, RT_MMAP_OFFSET(0, RT_MMAP_STATUS)) !=
		      MAP_FAILED,
	      "the adopted file maps the rings");
	close(file);
	close(fd);
}

/* A process that inherits the descriptor, but not the privilege. */
static void check_heir(const char *running)
{
	int fd = open_device(), status;
	uint32_t reason;
	pid_t pid;

	set_rings(fd, RT_MODE_OVERWRITE);
	pid = fork();
	if (!pid) {
		int bad = setresuid(1000, 1000, 1000);

		bad |= !(call(fd, RT_IOC_PIN, "x", &reason) < 0 && errno == EPERM &&
			 reason == RT_REFUSED_CALLER)
		       << 1;
		bad |= !(call(fd, RT_IOC_ADOPT, running, &reason) < 0 && errno == EPERM &&
			 reason == RT_REFUSED_CALLER)
		       << 2;
		bad |= !(call(fd, RT_IOC_UNPIN, running, &reason) < 0 && errno == EPERM &&
			 reason == RT_REFUSED_CALLER)
		       << 3;
		_exit(bad);
	}
	waitpid(pid, &status, 0);
	check(WIFEXITED(status) && !WEXITSTATUS(status),
	      "who inherits a descriptor without the privilege cannot pin, adopt or unpin");
	close(fd);
}

/* --- all at once ------------------------------------------------------------------- */

static const char *const names[] = { "race-a", "race-b" };

static void add_event(int fd)
{
	struct rt_event_add add = { .size = sizeof(add),
				    .kind = RT_KIND_SYSCALL_ENTER,
				    .syscall.number = SYS_getppid };
	struct rt_switch on = { .size = sizeof(on) };

	ioctl(fd, RT_IOC_ADD, &add);
	ioctl(fd, RT_IOC_ENABLE, &on);
}

static void *race(void *arg)
{
	unsigned int random = (uintptr_t)arg * 2654435761U, i;
	struct rt_pinned pinned = { .size = sizeof(pinned) };
	struct rt_copy copy = { .size = sizeof(copy) };

	for (i = 0; i < ROUNDS; i++) {
		const char *name = names[random >> 16 & 1];
		int fd = open_device(), file;

		random = random * 1103515245 + 12345;
		switch (random >> 20 & 3) {
		case 0:
			set_rings(fd, RT_MODE_OVERWRITE);
			if (random >> 24 & 1)
				add_event(fd);
			call(fd, RT_IOC_PIN, name, NULL);
			break;
		case 1:
			call(fd, RT_IOC_UNPIN, name, NULL);
			break;
		case 2:
			file = call(fd, RT_IOC_ADOPT, name, NULL);
			close(fd);
			fd = file;
			if (fd < 0)
				continue;
			syscall(SYS_getppid);
			ioctl(fd, RT_IOC_COPY, &copy);
			if (random >> 24 & 1)
				call(fd, RT_IOC_UNPIN, name, NULL);
			break;
		default:
			pinned.index = random >> 24 & 1;
			ioctl(fd, RT_IOC_PINNED, &pinned);
		}
		close(fd);
	}
	return NULL;
}

static void check_races(void)
{
	struct rt_pinned pinned = { .size = sizeof(pinned) };
	pthread_t thread[THREADS];
	int fd, left = 0;
	uintptr_t i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, race, (void *)(i + 1));
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	fd = open_device();
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		call(fd, RT_IOC_UNPIN, names[i], NULL);
	for (i = 0; i < RT_PINS_MAX; i++) {
		pinned.index = i;
		if (!ioctl(fd, RT_IOC_PINNED, &pinned))
			left += !strncmp(pinned.name, "race-", 5);
	}
	check(!left, "threads that pin, adopt, unpin and close at once leave nothing behind");
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	check_refusals(argv[1]);
	check_look(argv[1]);
	check_heir(argv[1]);
	check_limit();
	check_races();
	printf("1..%d\n", tests);
	return failed ? 1 : 0;
}
