// SPDX-License-Identifier: GPL-2.0
/*
 * 6.4: ac3b43283923 "module: replace module_layout with module_memory".
 * The replacement needs the older layout of struct module.
 */
#include <linux/module.h>

void *rt_probe(const struct module *module);
void *rt_probe(const struct module *module)
{
	return module->mem[MOD_TEXT].base;
}
