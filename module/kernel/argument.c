// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/uaccess.h>

#include <uapi/ringtail.h>

#include "argument.h"

int rt_argument_read(void *to, size_t size, size_t least, const void __user *from)
{
	u32 callers;
	int err;

	if (get_user(callers, (const u32 __user *)from))
		return -EFAULT;
	if (callers > RT_ARGUMENT_MAX)
		return -E2BIG;
	if (callers < least)
		return -EINVAL;
	err = copy_struct_from_user(to, size, from, callers);
	if (err)
		return err;
	/* The size was read twice and may have changed in between: keep the checked one. */
	*(u32 *)to = callers;
	return 0;
}

int rt_argument_write(void __user *to, size_t callers, const void *from, size_t size)
{
	size_t known = min(callers, size);

	if (copy_to_user(to, from, known))
		return -EFAULT;
	if (callers > known && clear_user((char __user *)to + known, callers - known))
		return -EFAULT;
	return 0;
}
