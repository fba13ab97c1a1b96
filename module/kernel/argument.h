/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ioctl arguments: structs that begin with a __u32 holding their own size and grow at the end, as
 * clone3's does.
 */
#ifndef RT_ARGUMENT_H
#define RT_ARGUMENT_H

#include <linux/types.h>

/*
 * Fill the module's struct of `size` bytes from the caller's; a tail that the caller lacks becomes
 * zero.  `least` is the shortest struct that makes sense.  The first field keeps the caller's size.
 *
 * -EFAULT: unreadable.  -EINVAL: shorter than `least`.  -E2BIG: longer than RT_ARGUMENT_MAX, or
 * with a tail that this module does not know.
 */
int rt_argument_read(void *to, size_t size, size_t least, const void __user *from);

/* Copy as much to the caller as its struct holds, and zero what the module does not know. */
int rt_argument_write(void __user *to, size_t callers, const void *from, size_t size);

#endif
