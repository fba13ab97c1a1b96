/* SPDX-License-Identifier: GPL-2.0 */
/* device.h - open /dev/ringtail and ask the module what it supports. */
#ifndef RT_AGENT_DEVICE_H
#define RT_AGENT_DEVICE_H

#include "base/error.h"
#include "ringtail.h"

/* Return a file descriptor, or a negative errno with the reason and the remedy in ERR. */
int rt_device_open(struct rt_err *err);

/* Fill INFO; fields that an older module does not know are zero. */
int rt_device_info(int fd, struct rt_info *info, struct rt_err *err);

/* Let the module test watchpoints on every CPU; 0 or a negative errno. */
int rt_device_try(int fd, struct rt_try *result);

#endif
