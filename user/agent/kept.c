// SPDX-License-Identifier: GPL-2.0
#include "agent/kept.h"

#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include "abi/refusal.h"

enum { RT_ABI_MINOR_KEPT = 7 };

int rt_agent_kept_check(const struct rt_info *info, struct rt_err *err)
{
	if (info->abi_minor >= RT_ABI_MINOR_KEPT)
		return 0;
	return rt_err_set(
		err, EOPNOTSUPP,
		"the loaded module speaks ABI %u.%u and keeps nothing for the next boot: 'ringtail flight "
		"stop', then rmmod ringtail && modprobe ringtail",
		info->abi_major, info->abi_minor);
}

int rt_agent_kept(int fd, unsigned int half, struct rt_kept *kept, struct rt_err *err)
{
	int saved;

	*kept = (struct rt_kept){ .size = sizeof(*kept), .half = half };
	if (ioctl(fd, RT_IOC_KEPT, kept) >= 0)
		return 0;
	saved = errno;
	return rt_err_set(err, saved, "%s", rt_refusal_text(&kept->refusal, saved));
}

int rt_agent_kept_read(int fd, unsigned int half, __u64 at, void *to, size_t bytes)
{
	struct rt_kept kept = {
		.size = sizeof(kept),
		.half = half,
		.offset = at,
		.bytes = bytes,
		.to = (uintptr_t)to,
	};

	return ioctl(fd, RT_IOC_KEPT, &kept) < 0 ? -errno : 0;
}
