/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ioctl arguments: structs that begin with a __u32 holding their own size and
 * grow at the end, the way clone3's do.
 */
#ifndef RT_ARGUMENT_H
#define RT_ARGUMENT_H

#include <linux/types.h>

/*
 * Fill the module's struct of `size` bytes from the caller's; what the caller
 * does not know is zero.  `least` is the shortest struct that makes sense.  The
 * caller's size is left in the first field.
 *
 * -EFAULT unreadable, -EINVAL shorter than `least`, -E2BIG longer than
 * RT_ARGUMENT_MAX or asking for something this module does not know.
 */
int rt_argument_read(void *to, size_t size, size_t least, const void __user *from);

/* Give the caller as much as its struct holds, and zero what the module does not know. */
int rt_argument_write(void __user *to, size_t callers, const void *from, size_t size);

#endif
