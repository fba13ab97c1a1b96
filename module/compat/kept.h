/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is not the kernel's: mapped by memremap() from 4.3 on; found by the name of reserve_mem= from 6.12 on, or by the name of a
 * node in the device tree.
 *
 * Included by the file that needs it, not by compat.h.
 */
#ifndef RT_COMPAT_KEPT_H
#define RT_COMPAT_KEPT_H

#include <linux/errno.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/of.h>
#include <linux/of_address.h>

/* 4.12: "hw" tells a kernel that is locked down to refuse the parameter. */
#ifndef module_param_hw
#define module_param_hw(name, type, hwtype, perm) module_param(name, type, perm)
#endif

/* page_is_ram(), or where a kernel does not export it, what FIND says that its address is; it may be NULL. */
typedef int (*rt_compat_page_is_ram_fn)(unsigned long pfn);
#ifdef RT_HAVE_PAGE_IS_RAM
#define rt_compat_page_is_ram(find) page_is_ram
#else
#define rt_compat_page_is_ram(find) ((rt_compat_page_is_ram_fn)find("page_is_ram"))
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

/*
 * A node of /reserved-memory, by its name without the address.  -EBUSY: a driver has a claim on it, or the kernel gives the memory to
 * others meanwhile.
 */
static inline int rt_compat_reserved_node_find(const char *name, u64 *phys, u64 *bytes)
{
#ifdef CONFIG_OF_ADDRESS
	struct device_node *parent = of_find_node_by_path("/reserved-memory"), *node;
	struct resource range;
	int err = -EBUSY;

	node = parent ? of_get_child_by_name(parent, name) : NULL;
	of_node_put(parent);
	if (!node)
		return -ENOENT;
	if (!of_find_property(node, "compatible", NULL) &&
	    !of_find_property(node, "reusable", NULL))
		err = of_address_to_resource(node, 0, &range) ? -ENOENT : 0;
	of_node_put(node);
	if (err)
		return err;
	*phys = range.start;
	*bytes = resource_size(&range);
	return 0;
#else
	return -ENOENT;
#endif
}

#endif
