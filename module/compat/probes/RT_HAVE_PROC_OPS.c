// SPDX-License-Identifier: GPL-2.0
/*
 * 5.6: d56c0d45f0e2 "proc: decouple proc from VFS with "struct proc_ops""
 * The replacement needs the older layout of the arguments.
 */
#include <linux/proc_fs.h>

void *rt_probe(const struct proc_ops *ops);
void *rt_probe(const struct proc_ops *ops)
{
	return proc_create("probe", 0400, NULL, ops);
}
