/* SPDX-License-Identifier: GPL-2.0 */
/*
 * device.h - the way to the module: open /dev/ringtail and ask what it can do.
 */
#ifndef RT_AGENT_DEVICE_H
#define RT_AGENT_DEVICE_H

#include "base/error.h"
#include "ringtail.h"

/* A file descriptor, or a negative errno with the reason and the remedy in ERR. */
int rt_device_open(struct rt_err *err);

/* Fill INFO; fields that an older module does not know are zero. */
int rt_device_info(int fd, struct rt_info *info, struct rt_err *err);

#endif
