/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is not the kernel's: mapped by memremap() from 4.3 on, and found by name from 6.12 on.
 *
 * Included by the file that needs it, not by compat.h.
 */
#ifndef RT_COMPAT_KEPT_H
#define RT_COMPAT_KEPT_H

#include <linux/errno.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>

/* 4.12: "hw" tells a kernel that is locked down to refuse the parameter. */
#ifndef module_param_hw
#define module_param_hw(name, type, hwtype, perm) module_param(name, type, perm)
#endif

#ifdef RT_HAVE_MEMREMAP
static inline void *rt_compat_kept_map(u64 phys, u64 bytes)
{
	return memremap(phys, bytes, MEMREMAP_WB);
}

static inline void rt_compat_kept_unmap(void *at)
{
	memunmap(at);
}
#else
static inline void *rt_compat_kept_map(u64 phys, u64 bytes)
{
	return (void __force *)ioremap_cache(phys, bytes);
}

static inline void rt_compat_kept_unmap(void *at)
{
	iounmap((void __iomem *)at);
}
#endif

static inline int rt_compat_reserve_mem_find(const char *name, u64 *phys, u64 *bytes)
{
#ifdef RT_HAVE_RESERVE_MEM
	phys_addr_t start, size;

	if (!reserve_mem_find_by_name(name, &start, &size))
		return -ENOENT;
	*phys = start;
	*bytes = size;
	return 0;
#else
	return -ENOENT;
#endif
}

#endif
