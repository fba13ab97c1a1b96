/* SPDX-License-Identifier: GPL-2.0 */
/* cpus.h - the CPUs of this machine, from sysfs. */
#ifndef RT_HOST_CPUS_H
#define RT_HOST_CPUS_H

#include "base/names.h"
#include "host/host.h"

/* The CPUs that are plugged in, online or not; a negative errno if sysfs does not tell. */
int rt_host_present_cpus(const struct rt_host *host, struct rt_numbers *cpus);

#endif
