/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_MODULE_H
#define RT_COMPAT_MODULE_H

#include <linux/module.h>

/* Where a module's text lies, and how much there is of it in one piece. */
static inline unsigned long rt_module_base(const struct module *module)
{
#ifdef RT_HAVE_MODULE_MEM
	return (unsigned long)module->mem[MOD_TEXT].base;
#else
	return (unsigned long)module->core_layout.base;
#endif
}

static inline u32 rt_module_bytes(const struct module *module)
{
#ifdef RT_HAVE_MODULE_MEM
	return module->mem[MOD_TEXT].size;
#else
	return module->core_layout.size;
#endif
}

#endif
