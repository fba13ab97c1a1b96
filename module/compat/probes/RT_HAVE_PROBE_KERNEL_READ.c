// SPDX-License-Identifier: GPL-2.0
/*
 * Removed in 5.8: fe557319aa06 "maccess: rename probe_kernel_{read,write} to
 * copy_{from,to}_kernel_nofault"
 */
#include <linux/uaccess.h>

long rt_probe(void *to, const void *from);
long rt_probe(void *to, const void *from)
{
	return probe_kernel_read(to, from, 8);
}
