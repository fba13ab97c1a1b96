// SPDX-License-Identifier: GPL-2.0
#include "agent/pins.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>

#include "abi/refusal.h"

enum { RT_ABI_MINOR_PINS = 5 };

int rt_agent_pins_check(const struct rt_info *info, struct rt_err *err)
{
	if (info->abi_minor >= RT_ABI_MINOR_PINS)
		return 0;
	return rt_err_set(
		err, EOPNOTSUPP,
		"the loaded module speaks ABI %u.%u and keeps no flights: end all recordings, "
		"then rmmod ringtail && modprobe ringtail",
		info->abi_major, info->abi_minor);
}

int rt_agent_pinned(int fd, uint32_t index, struct rt_pinned *pinned)
{
	memset(pinned, 0, sizeof(*pinned));
	pinned->size = sizeof(*pinned);
	pinned->index = index;
	return ioctl(fd, RT_IOC_PINNED, pinned) < 0 ? -errno : 0;
}

/* Make one of the calls that take a name; its result, or a negative errno. */
static int call(int fd, unsigned long number, const char *name, struct rt_err *err)
{
	struct rt_pin pin = { .size = sizeof(pin) };
	int ret, saved;

	if (strlen(name) >= sizeof(pin.name)) {
		pin.refusal.reason = RT_REFUSED_NAME;
		ret = -1;
		saved = EINVAL;
	} else {
		memcpy(pin.name, name, strlen(name));
		ret = ioctl(fd, number, &pin);
		saved = errno;
	}
	if (ret >= 0)
		return ret;
	if (pin.refusal.reason == RT_REFUSED_NAME)
		return rt_err_set(
			err, saved,
			"'%s' cannot be a flight's name: it has up to %u letters, digits, "
			"'_', '-' or '.', and begins with a letter, a digit or '_'",
			name, RT_PIN_NAME_MAX - 1);
	return rt_err_set(err, saved, "'%s': %s", name, rt_refusal_text(&pin.refusal, saved));
}

int rt_agent_adopt(int fd, const char *name, struct rt_err *err)
{
	return call(fd, RT_IOC_ADOPT, name, err);
}

int rt_agent_unpin(int fd, const char *name, struct rt_err *err)
{
	return call(fd, RT_IOC_UNPIN, name, err);
}

int rt_agent_pin(int fd, const char *name, struct rt_err *err)
{
	return call(fd, RT_IOC_PIN, name, err);
}

int rt_agent_look(int fd, uint64_t phys, void *to, size_t bytes)
{
	struct rt_look look = {
		.size = sizeof(look),
		.bytes = bytes,
		.phys = phys,
		.to = (uintptr_t)to,
	};

	return ioctl(fd, RT_IOC_LOOK, &look) < 0 ? -errno : 0;
}

int rt_agent_copy(int fd, struct rt_copy *copy)
{
	copy->size = sizeof(*copy);
	return ioctl(fd, RT_IOC_COPY, copy) < 0 ? -errno : 0;
}
