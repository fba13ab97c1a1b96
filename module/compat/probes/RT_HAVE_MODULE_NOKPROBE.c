// SPDX-License-Identifier: GPL-2.0
/* 5.8: the kernel honours NOKPROBE_SYMBOL() in modules */
#include <linux/module.h>

unsigned int rt_probe(const struct module *module);
unsigned int rt_probe(const struct module *module)
{
	return module->num_kprobe_blacklist;
}
