/* SPDX-License-Identifier: GPL-2.0 */
/* buildid.h - the build-ids of the running kernel and its modules, from sysfs. */
#ifndef RT_HOST_BUILDID_H
#define RT_HOST_BUILDID_H

#include "base/buildid.h"
#include "host/host.h"

#define RT_HOST_NOTES "/sys/kernel/notes"

/* Return 0 and the id, or a negative errno; -ENOENT if the notes contain none. */
int rt_host_kernel_buildid(const struct rt_host *host, struct rt_buildid *id);
int rt_host_module_buildid(const struct rt_host *host, const char *module, struct rt_buildid *id);

#endif
