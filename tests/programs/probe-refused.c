// SPDX-License-Identifier: GPL-2.0
/*
 * probe-refused <PLACES
 *
 * A line of PLACES begins with an address.  Print the lines at whose address the module refuses a
 * kprobe.  Nothing is armed.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include <ringtail.h>

static const struct rt_insn fetch[] = { { .op = RT_OP_RETURN } };

int main(void)
{
	struct rt_rings rings = { .size = sizeof(rings) };
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	char line[512];

	if (fd < 0 || ioctl(fd, RT_IOC_RINGS, &rings)) {
		perror(RT_DEVICE_PATH);
		return 1;
	}
	while (fgets(line, sizeof(line), stdin)) {
		struct rt_event_add event = { .size = sizeof(event), .kind = RT_KIND_KPROBE };

		if (sscanf(line, "%" SCNx64, (uint64_t *)&event.probe.address) != 1)
			continue;
		event.fetch.slots = (uintptr_t)fetch;
		event.fetch.code = sizeof(fetch) / sizeof(*fetch);
		if (ioctl(fd, RT_IOC_ADD, &event))
			fputs(line, stdout);
	}
	return 0;
}
