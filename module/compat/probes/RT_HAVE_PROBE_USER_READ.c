// SPDX-License-Identifier: GPL-2.0
/*
 * Removed in 5.8: c0ee37e85e0e "maccess: rename probe_user_{read,write} to
 * copy_{from,to}_user_nofault"
 */
#include <linux/uaccess.h>

long rt_probe(void *to, const void __user *from);
long rt_probe(void *to, const void __user *from)
{
	return probe_user_read(to, from, 8);
}
