/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_MODULE_H
#define RT_COMPAT_MODULE_H

#include <linux/module.h>

/* Address and size of a module's text; on older kernels, of the block that begins with it. */
static inline unsigned long rt_module_base(const struct module *module)
{
#if defined(RT_HAVE_MODULE_MEM)
	return (unsigned long)module->mem[MOD_TEXT].base;
#elif defined(RT_HAVE_MODULE_LAYOUT)
	return (unsigned long)module->core_layout.base;
#else
	return (unsigned long)module->module_core;
#endif
}

static inline u32 rt_module_bytes(const struct module *module)
{
#if defined(RT_HAVE_MODULE_MEM)
	return module->mem[MOD_TEXT].size;
#elif defined(RT_HAVE_MODULE_LAYOUT)
	return module->core_layout.size;
#else
	return module->core_size;
#endif
}

#ifndef RT_HAVE_WITHIN_MODULE
static inline bool rt_compat_within_module(unsigned long address, const struct module *module)
{
	return within_module_core(address, (struct module *)module) ||
	       within_module_init(address, (struct module *)module);
}
#undef within_module
#define within_module rt_compat_within_module
#endif

#endif
