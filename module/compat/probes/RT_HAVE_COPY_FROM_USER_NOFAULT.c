// SPDX-License-Identifier: GPL-2.0
/*
 * 5.8: c0ee37e85e0e "maccess: rename probe_user_{read,write} to
 * copy_{from,to}_user_nofault"
 * The replacement needs the older layout of the address limit.
 */
#include <linux/uaccess.h>

long rt_probe(void *to, const void __user *from);
long rt_probe(void *to, const void __user *from)
{
	return copy_from_user_nofault(to, from, 8);
}
