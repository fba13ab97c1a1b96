// SPDX-License-Identifier: GPL-2.0
/*
 * abi-check: how ioctl arguments grow and how the module refuses mistakes, in TAP.  Every struct
 * ends at an unreadable page, so that one byte read or written too far is a fault.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ringtail.h>

#define ROOM 65536

static int fd, tests, failed;
static char *wall; /* the first byte that must not be touched */

static void check(int good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
	failed += !good;
}

/* RT_IOC_INFO with `size` bytes that end at the wall, first filled with `fill`. */
static char *place(unsigned int size, int fill)
{
	char *argument = wall - size;

	memset(argument, fill, size);
	if (size >= 4)
		memcpy(argument, &size, 4);
	return argument;
}

static int call(void *argument)
{
	return ioctl(fd, RT_IOC_INFO, argument) ? -errno : 0;
}

static void check_growth(void)
{
	struct rt_info *full = (void *)place(sizeof(*full), 0), info;
	char *argument;
	size_t i;
	int zero;

	check(call(full) == 0, "a struct of the module's own size is answered");
	info = *full;
	check(info.size == sizeof(info), "the module says how much it knows");
	check(info.abi_major == RT_ABI_MAJOR && info.abi_minor == RT_ABI_MINOR,
	      "the ABI is that of the header");

	argument = place(RT_INFO_SIZE_MIN, 0);
	argument[-1] = 0x5a;
	check(call(argument) == 0, "the shortest struct is answered");
	check(!memcmp(argument, &info, RT_INFO_SIZE_MIN), "as far as it goes");
	check(argument[-1] == 0x5a, "and nothing in front of it is touched");

	argument = place(24, 0);
	check(call(argument) == 0 && !memcmp(argument + 8, &info.clock, 16),
	      "a shorter struct gets its part");

	argument = place(sizeof(info) + 40, 0);
	check(call(argument) == 0, "a longer struct with a zero tail is answered");
	for (zero = 1, i = sizeof(info); i < sizeof(info) + 40; i++)
		zero &= !argument[i];
	check(zero, "its tail stays zero");

	argument = place(RT_ARGUMENT_MAX, 0);
	check(call(argument) == 0, "the longest struct is answered");

	argument = place(sizeof(info) + 40, 0);
	argument[sizeof(info) + 39] = 1;
	check(call(argument) == -E2BIG, "a byte the module does not know is E2BIG");
	check(argument[sizeof(info) + 39] == 1 && ((struct rt_info *)argument)->abi_major == 0,
	      "and leaves the struct alone");
}

static void check_mistakes(void)
{
	unsigned int size = RT_ARGUMENT_MAX + 1;
	struct rt_info *info;
	char *argument;

	check(call(place(RT_INFO_SIZE_MIN - 1, 0)) == -EINVAL, "too short is EINVAL");
	argument = place(sizeof(*info), 0);
	memset(argument, 0, 4);
	check(call(argument) == -EINVAL, "size zero is EINVAL");
	argument = place(RT_ARGUMENT_MAX + 1, 0);
	memcpy(argument, &size, 4);
	check(call(argument) == -E2BIG, "longer than RT_ARGUMENT_MAX is E2BIG");
	size = ~0U;
	memcpy(argument, &size, 4);
	check(call(argument) == -E2BIG, "size ~0 is E2BIG");

	check(call(NULL) == -EFAULT, "a null pointer is EFAULT");
	check(call(wall) == -EFAULT, "an unreadable pointer is EFAULT");
	check(call((void *)~0UL) == -EFAULT, "the last address is EFAULT");
	check(call((void *)(1UL << 63)) == -EFAULT, "a kernel address is EFAULT");

	argument = place(sizeof(*info), 0);
	size = sizeof(*info) + 8;
	memcpy(argument, &size, 4);
	check(call(argument) == -EFAULT, "a size that reaches into the wall is EFAULT");

	argument = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check(call(argument) == -EINVAL, "a read-only page of zeros is EINVAL");
	mprotect(argument, 4096, PROT_READ | PROT_WRITE);
	size = sizeof(*info);
	memcpy(argument, &size, 4);
	mprotect(argument, 4096, PROT_READ);
	check(call(argument) == -EFAULT, "an answer that cannot be written is EFAULT");
}

static void check_numbers(void)
{
	struct rt_info info = { .size = sizeof(info) };
	const unsigned long numbers[] = {
		0,
		_IO(RT_IOC_MAGIC, 0),
		_IO(RT_IOC_MAGIC, 0xff),
		_IO(RT_IOC_MAGIC + 1, 0x10),
		_IOR(RT_IOC_MAGIC, 0x10, struct rt_info),
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char what[64];

		snprintf(what, sizeof(what), "call %#lx is ENOTTY", numbers[i]);
		check(ioctl(fd, numbers[i], &info) == -1 && errno == ENOTTY, what);
	}
	check(read(fd, &info, sizeof(info)) == -1, "the device is not read");
	check(write(fd, &info, sizeof(info)) == -1, "nor written");
	check(lseek(fd, 0, SEEK_CUR) == -1 && errno == ESPIPE, "nor sought in");
}

int main(void)
{
	char *room = mmap(NULL, ROOM * 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED || mprotect(room, ROOM, PROT_READ | PROT_WRITE))
		return 1;
	wall = room + ROOM;
	fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		printf("Bail out! %s: %s\n", RT_DEVICE_PATH, strerror(errno));
		return 1;
	}
	check_growth();
	check_mistakes();
	check_numbers();
	printf("1..%d\n", tests);
	return !!failed;
}
