/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_MM_H
#define RT_COMPAT_MM_H

#include <linux/mm.h>

#ifndef RT_HAVE_VM_FLAGS_SET
#define vm_flags_set(vma, flags)   ((void)((vma)->vm_flags |= (flags)))
#define vm_flags_clear(vma, flags) ((void)((vma)->vm_flags &= ~(flags)))
#endif

#endif
