// SPDX-License-Identifier: GPL-2.0
/*
 * info-print: RT_IOC_INFO, one `field=value` per line.
 *
 * The last lines are what this program finds out by itself, for a test to compare: own_page_size;
 * cycles_error, the result of perf_event_open for a cycle counter (0 or a negative errno); and
 * dmesg_off, the error of clock_to_dmesg in nanoseconds for a line written to the kernel's log just
 * now.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <ringtail.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int cycles_error(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = PERF_ATTR_SIZE_VER0,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
	};
	int fd = syscall(__NR_perf_event_open, &attr, -1, 0, -1, 0);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

static int64_t monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* How far INFO's offset places a line outside the time when it was written. */
static int64_t dmesg_off(int64_t clock_to_dmesg)
{
	int fd = open("/dev/kmsg", O_RDWR);
	int64_t before, after, stamp;
	char text[1024], mark[64];
	ssize_t length;

	if (fd < 0)
		die("/dev/kmsg");
	lseek(fd, 0, SEEK_END);
	/* Without the newline the kernel would wait for more of the line. */
	length = snprintf(mark, sizeof(mark), "info-print %d\n", getpid());
	before = monotonic();
	if (write(fd, mark, length) < 0)
		die("write /dev/kmsg");
	after = monotonic();
	do {
		length = read(fd, text, sizeof(text) - 1);
		if (length < 0)
			die("read /dev/kmsg");
		text[length] = '\0';
	} while (!strstr(text, mark));
	close(fd);
	/* priority,sequence,microseconds,… */
	if (sscanf(text, "%*d,%*d,%" SCNd64, &stamp) != 1)
		die("parse /dev/kmsg");
	stamp = stamp * 1000 + clock_to_dmesg;
	if (stamp > after)
		return stamp - after;
	/* the log counts in whole microseconds, rounded down */
	if (stamp + 1000 < before)
		return stamp + 1000 - before;
	return 0;
}

int main(void)
{
	struct rt_info info = { .size = sizeof(info) };
	int fd;

	fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die(RT_DEVICE_PATH);
	if (ioctl(fd, RT_IOC_INFO, &info))
		die("RT_IOC_INFO");

	printf("size=%u\n", info.size);
	printf("abi=%u.%u\n", info.abi_major, info.abi_minor);
	printf("sources=%#llx\n", (unsigned long long)info.sources);
	printf("lookups=%#llx\n", (unsigned long long)info.lookups);
	printf("clock=%u\n", info.clock);
	printf("clock_to_dmesg=%lld\n", (long long)info.clock_to_dmesg);
	printf("page_size=%u\n", info.page_size);
	printf("cpus_possible=%u\n", info.cpus_possible);
	printf("cpu_ids=%u\n", info.cpu_ids);
	printf("cpus_online=%u\n", info.cpus_online);
	printf("lockdown=%#x\n", info.lockdown);
	printf("pmu_error=%d\n", info.pmu_error);
	printf("watch_slots=%u\n", info.watch_slots);
	printf("break_slots=%u\n", info.break_slots);
	printf("slots_shared=%u\n", info.slots_shared);
	printf("kernel_release=%.*s\n", RT_RELEASE_LEN, info.kernel_release);
	printf("version=%.*s\n", RT_VERSION_LEN, info.version);
	printf("side_missing=%#x\n", info.side_missing);
	printf("instances=%u\n", info.instances);
	printf("memory_used=%llu\n", (unsigned long long)info.memory_used);
	printf("memory_limit=%llu\n", (unsigned long long)info.memory_limit);
	printf("own_page_size=%ld\n", sysconf(_SC_PAGESIZE));
	printf("cycles_error=%d\n", cycles_error());
	printf("dmesg_off=%" PRId64 "\n", dmesg_off(info.clock_to_dmesg));
	return 0;
}
