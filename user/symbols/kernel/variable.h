/* SPDX-License-Identifier: GPL-2.0 */
/*
 * variable.h - find a variable of the running kernel that /proc/kallsyms does not list.
 *
 * Kernels without CONFIG_KALLSYMS_ALL list only functions.  The .symtab of a module's file has its
 * variables, relative to sections whose addresses are in /sys/module/NAME/sections.  A vmlinux with
 * symbols has those of the kernel itself.  Files whose build-ids differ from what is running are
 * not used.
 */
#ifndef RT_SYMBOLS_KERNEL_VARIABLE_H
#define RT_SYMBOLS_KERNEL_VARIABLE_H

#include <stdint.h>

#include "base/error.h"
#include "host/host.h"

/*
 * Find the address of NAME, in MODULE or, with NULL, in the kernel or any loaded module.  Returns
 * 0, or:
 *
 *	-ENOENT		not found; WHY says what could not be searched
 *	-ENOTUNIQ	there are several
 *	-EDOM		it is a per-CPU variable; *ADDRESS is that by which the kernel knows it, or 0
 *	-EACCES		the kernel hides its addresses
 */
int rt_variable_find(const struct rt_host *host, const char *module, const char *name,
		     uint64_t *address, struct rt_err *why);

#endif
