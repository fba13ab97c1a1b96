/* SPDX-License-Identifier: GPL-2.0 */
/* kcore.h - the memory of the running kernel, from /proc/kcore. */
#ifndef RT_HOST_KCORE_H
#define RT_HOST_KCORE_H

#include <stddef.h>
#include <stdint.h>

#include "host/host.h"

/* Read SIZE bytes at ADDRESS; 0 or a negative errno (-EACCES: not root, or the kernel is locked). */
int rt_kcore_read(const struct rt_host *host, uint64_t address, void *out, size_t size);

#endif
