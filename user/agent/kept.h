/* SPDX-License-Identifier: GPL-2.0 */
/* kept.h - the memory that the next boot leaves alone, as the module tells of it. */
#ifndef RT_AGENT_KEPT_H
#define RT_AGENT_KEPT_H

#include <stddef.h>

#include "base/error.h"
#include "ringtail.h"

/* Whether the module has such memory at all: 0, or a negative errno with ERR. */
int rt_agent_kept_check(const struct rt_info *info, struct rt_err *err);
/* Describe one half. */
int rt_agent_kept(int fd, unsigned int half, struct rt_kept *kept, struct rt_err *err);
/* Copy from a half that an earlier boot left: 0 or a negative errno. */
int rt_agent_kept_read(int fd, unsigned int half, __u64 at, void *to, size_t bytes);

#endif
