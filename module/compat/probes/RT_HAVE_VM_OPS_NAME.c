// SPDX-License-Identifier: GPL-2.0
/* 3.16: mappings without a file may tell their name */
#include <linux/mm.h>

const char *rt_probe(struct vm_area_struct *vma);
const char *rt_probe(struct vm_area_struct *vma)
{
	return vma->vm_ops->name(vma);
}
