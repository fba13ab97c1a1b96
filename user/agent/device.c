// SPDX-License-Identifier: GPL-2.0
#include "agent/device.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "host/host.h"

int rt_device_open(struct rt_err *err)
{
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	switch (errno) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		if (rt_host_moduleless(NULL))
			return rt_err_set(err, errno,
					  "this kernel cannot load modules, and ringtail records "
					  "with one: boot a kernel with CONFIG_MODULES");
		return rt_err_set(
			err, errno,
			"the module is not loaded: modprobe ringtail ('ringtail doctor' says more)");
	case EACCES:
	case EPERM:
		return rt_err_set(err, errno,
				  "not allowed to open " RT_DEVICE_PATH
				  ": be root, or have CAP_PERFMON or CAP_SYS_ADMIN");
	default:
		return rt_err_set(err, errno, "cannot open " RT_DEVICE_PATH ": %s",
				  strerror(errno));
	}
}

int rt_device_info(int fd, struct rt_info *info, struct rt_err *err)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	if (ioctl(fd, RT_IOC_INFO, info) < 0)
		return rt_err_set(err, errno, "the module does not answer INFO: %s",
				  strerror(errno));
	if (info->abi_major != RT_ABI_MAJOR)
		return rt_err_set(
			err, EPROTO,
			"the loaded module speaks ABI %u.%u, this program %u.%u: install both from one "
			"version, then rmmod ringtail && modprobe ringtail (if rmmod says that it is in "
			"use, 'ringtail flight stop' of the module's version first)",
			info->abi_major, info->abi_minor, RT_ABI_MAJOR, RT_ABI_MINOR);
	return 0;
}

int rt_device_try(int fd, struct rt_try *result)
{
	memset(result, 0, sizeof(*result));
	result->size = sizeof(*result);
	return ioctl(fd, RT_IOC_TRY, result) < 0 ? -errno : 0;
}
