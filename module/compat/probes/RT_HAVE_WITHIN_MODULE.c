// SPDX-License-Identifier: GPL-2.0
/* 3.17: within_module() */
#include <linux/module.h>

int rt_probe(unsigned long address, const struct module *module);
int rt_probe(unsigned long address, const struct module *module)
{
	return within_module(address, module);
}
