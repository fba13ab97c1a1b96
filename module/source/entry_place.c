// SPDX-License-Identifier: GPL-2.0
/* entry_place.c - where ftrace has its call in a function. */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#include "compat/ftrace.h"

#include "entry.h"
#include "kernel/lookup.h"

#if defined(RT_FTRACE_REGS) || defined(RT_FTRACE_ARGS)

/* Never registered: used to ask the kernel whether it has a call at an address. */
static struct ftrace_ops asking;
static DEFINE_MUTEX(asking_lock);

/* The kernel's ftrace_location(): where its call is, for the address itself or for a function. */
static typeof(&ftrace_location) location __read_mostly;

void __init rt_entry_place_init(void)
{
	location = (void *)rt_lookup_callable("ftrace_location");
}

static bool has_call(unsigned long at)
{
	int err;

	if (location)
		return location(at) == at;
	mutex_lock(&asking_lock);
	err = ftrace_set_filter_ip(&asking, at, 0, 1);
	mutex_unlock(&asking_lock);
	return !err;
}

#ifdef CONFIG_ARM64
#define BTI_C	  0xd503245f
#define MOV_X9_LR 0xaa1e03e9

/*
 * The compiler left room for two instructions.  The kernel has already filled in the first, and the
 * call is the second.  Both come after the landing pad (BTI), if the function has one.
 */
static unsigned long call_in(unsigned long function)
{
	__le32 code[2];
	int i;

	if (copy_from_kernel_nofault(code, (void *)function, sizeof(code)))
		return 0;
	i = code[0] == cpu_to_le32(BTI_C);
	return code[i] == cpu_to_le32(MOV_X9_LR) ? function + (i + 1) * sizeof(*code) : 0;
}

static unsigned long call_of(const struct kprobe *kp, bool named)
{
	return named ? call_in((unsigned long)kp->addr) : 0;
}

static unsigned long probe_at(unsigned long function, unsigned long call)
{
	return function;
}
#else
/* Behind the landing mark (ENDBR), if the function has one: the kernel puts a kprobe there, too. */
#define MARK_BYTES 4

static unsigned long call_in(unsigned long function)
{
	return has_call(function) ? function : function + MARK_BYTES;
}

static unsigned long probe_at(unsigned long function, unsigned long call)
{
	return call;
}

static unsigned long call_of(const struct kprobe *kp, bool named)
{
	return kp->flags & KPROBE_FLAG_FTRACE ? (unsigned long)kp->addr : 0;
}
#endif

unsigned long rt_entry_place(const struct kprobe *kp, bool named)
{
	unsigned long at = call_of(kp, named);

	return at && has_call(at) ? at : 0;
}

/*
 * Only where the kernel calls a kretprobe's handler from ftrace, too, so that the handler gets what it expects.  Before
 * 6.0 it takes locks, which the kernel keeps other kprobes away from.
 */
unsigned long rt_entry_place_of_return(const struct kprobe *kp)
{
	unsigned long at = (unsigned long)kp->addr;

	return RT_COMPAT_RETURNS_BY_FTRACE && kp->flags & KPROBE_FLAG_FTRACE && has_call(at) ? at :
											       0;
}

unsigned long rt_entry_find(unsigned long function, unsigned long *ip)
{
	unsigned long at = location ? call_in(function) : 0;

	if (!at || !has_call(at))
		return 0;
	*ip = probe_at(function, at);
	return at;
}

void rt_entry_exit(void)
{
	ftrace_free_filter(&asking);
}

#endif
