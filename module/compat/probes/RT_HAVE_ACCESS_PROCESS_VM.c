// SPDX-License-Identifier: GPL-2.0
/* Exported by 5.10.  Older kernels have it, but may not export it. */
#include <linux/mm.h>

int rt_probe(struct task_struct *task, unsigned long address, void *to);
int rt_probe(struct task_struct *task, unsigned long address, void *to)
{
	return access_process_vm(task, address, to, 1, 0);
}
