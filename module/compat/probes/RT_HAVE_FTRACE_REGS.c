// SPDX-License-Identifier: GPL-2.0
/*
 * 5.11: d19ad0775dcd "ftrace: Have the callbacks receive a struct ftrace_regs instead of pt_regs".
 * The replacement needs the older layout of the arguments.
 */
#include <linux/ftrace.h>

struct pt_regs *rt_probe(struct ftrace_regs *fregs);
struct pt_regs *rt_probe(struct ftrace_regs *fregs)
{
	return ftrace_get_regs(fregs);
}
