// SPDX-License-Identifier: GPL-2.0
/*
 * 4.5: struct module_layout.
 * The replacement needs the older layout of struct module.
 */
#include <linux/module.h>

void *rt_probe(const struct module *module);
void *rt_probe(const struct module *module)
{
	return module->core_layout.base;
}
