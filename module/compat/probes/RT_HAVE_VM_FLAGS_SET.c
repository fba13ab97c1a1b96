// SPDX-License-Identifier: GPL-2.0
/*
 * 6.3: bc292ab00f6c "mm: introduce vma->vm_flags wrapper functions".
 * The replacement needs the older layout of struct vm_area_struct.
 */
#include <linux/mm.h>

void rt_probe(struct vm_area_struct *vma);
void rt_probe(struct vm_area_struct *vma)
{
	vm_flags_set(vma, VM_DONTCOPY);
}
