/* SPDX-License-Identifier: GPL-2.0 */
/*
 * breakpoints.h - a file of code, bystanders that map it, and the breakpoints in them: what is in their
 * memory and not in the file.  For tests of user probes.
 */
#ifndef BREAKPOINTS_H
#define BREAKPOINTS_H

#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ringtail.h>

enum { BP_PLACES = 200, BP_STEP = 256, BP_BYTES = BP_PLACES * BP_STEP, BP_BYSTANDERS = 3 };

static const char *bp_path = "/probed-code";
static unsigned char bp_code[BP_BYTES], *bp_at;
static pid_t bp_bystander[BP_BYSTANDERS];
static int bp_points, bp_failed;

static inline int bp_check(int good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++bp_points, what);
	fflush(stdout);
	bp_failed += !good;
	return good;
}

static inline int bp_done(void)
{
	printf("1..%d\n", bp_points);
	return !!bp_failed;
}

static inline double bp_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static inline void bp_sleep(double seconds)
{
	struct timespec ts = { .tv_sec = seconds };

	ts.tv_nsec = (seconds - ts.tv_sec) * 1e9;
	nanosleep(&ts, NULL);
}

/* Instructions that do nothing. */
static inline void bp_fill(void)
{
#ifdef __aarch64__
	static const unsigned char nop[4] = { 0x1f, 0x20, 0x03, 0xd5 };
#else
	static const unsigned char nop[4] = { 0x90, 0x90, 0x90, 0x90 };
#endif
	size_t i;

	for (i = 0; i < sizeof(bp_code); i++)
		bp_code[i] = nop[i % 4];
}

static inline void bp_make_file(void)
{
	int fd = open(bp_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	bp_fill();
	if (fd < 0 || write(fd, bp_code, sizeof(bp_code)) != sizeof(bp_code))
		err(1, "%s", bp_path);
	close(fd);
}

/* Map the file where all bystanders have it, and touch every page. */
static inline void bp_map(void)
{
	int fd = open(bp_path, O_RDONLY | O_CLOEXEC), i, sum = 0;

	bp_at = mmap(bp_at, sizeof(bp_code), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (fd < 0 || bp_at == MAP_FAILED)
		err(1, "%s", bp_path);
	close(fd);
	for (i = 0; i < BP_BYTES; i += BP_STEP)
		sum += ((const volatile unsigned char *)bp_at)[i];
}

static inline pid_t bp_bystand(void)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return pid;
}

static inline void bp_start(void)
{
	int i;

	bp_make_file();
	bp_map();
	for (i = 0; i < BP_BYSTANDERS; i++)
		bp_bystander[i] = bp_bystand();
}

static inline void bp_end(void)
{
	int i;

	for (i = 0; i < BP_BYSTANDERS; i++) {
		kill(bp_bystander[i], SIGKILL);
		waitpid(bp_bystander[i], NULL, 0);
	}
	unlink(bp_path);
}

/* How many places of a process are not what the file has. */
static inline int bp_count_in(pid_t pid)
{
	static unsigned char got[BP_BYTES];
	char path[64];
	int fd, i, count = 0;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pread(fd, got, sizeof(got), (uintptr_t)bp_at) != sizeof(got))
		err(1, "%s", path);
	close(fd);
	for (i = 0; i < BP_BYTES; i += BP_STEP)
		count += !!memcmp(got + i, bp_code + i, BP_STEP);
	return count;
}

static inline int bp_count(void)
{
	int i, count = 0;

	for (i = 0; i < BP_BYSTANDERS; i++)
		count += bp_count_in(bp_bystander[i]);
	return count;
}

/* --- sessions ---------------------------------------------------------------------- */

static inline int bp_open(void)
{
	struct rt_rings rings = { .size = sizeof(rings), .mode = RT_MODE_OVERWRITE, .subbufs = 2 };
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	rings.subbuf_bytes = sysconf(_SC_PAGESIZE);
	if (fd < 0 || ioctl(fd, RT_IOC_RINGS, &rings))
		err(1, RT_DEVICE_PATH);
	return fd;
}

/* Probes at every place of the file at PATH, each third one at a return. */
static inline void bp_add(int fd, const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC), i;

	if (file < 0)
		err(1, "%s", path);
	for (i = 0; i < BP_PLACES; i++) {
		struct rt_event_add add = { .size = sizeof(add) };

		add.kind = i % 3 ? RT_KIND_UPROBE : RT_KIND_URETPROBE;
		add.uprobe.file = file;
		add.uprobe.offset = i * BP_STEP;
		if (ioctl(fd, RT_IOC_ADD, &add))
			err(1, "ADD of place %d, reason %u", i, add.refusal.reason);
	}
	close(file);
}

static inline int bp_switch(int fd, unsigned long number)
{
	struct rt_switch toggle = { .size = sizeof(toggle) };

	return ioctl(fd, number, &toggle);
}

static inline int bp_pin(int fd, unsigned long number, const char *name)
{
	struct rt_pin pin = { .size = sizeof(pin) };

	strncpy(pin.name, name, sizeof(pin.name) - 1);
	return ioctl(fd, number, &pin);
}

static inline unsigned long long bp_memory_used(void)
{
	struct rt_info info = { .size = sizeof(info) };
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, RT_IOC_INFO, &info))
		err(1, "INFO");
	close(fd);
	return info.memory_used;
}

#endif
