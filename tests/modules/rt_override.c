// SPDX-License-Identifier: GPL-2.0
/*
 * rt_override function=NAME value=N - while it is loaded, a function of the kernel returns N at once.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>

static char *function;
module_param(function, charp, 0444);
static long value;
module_param(value, long, 0444);
static int calls; /* so far */
module_param(calls, int, 0444);

#ifdef CONFIG_X86
/* If ftrace calls the handler, it must not move the stack pointer; so this function returns. */
static notrace noinline void just_return(void)
{
	barrier();
}
#endif

/*
 * Before 4.19 a handler that changes the way must itself end the probe's work: nobody else enables
 * preemption and forgets the probe, which is kept in a variable that is not exported.
 */
#ifdef RT_HAVE_KPROBE_BREAK_HANDLER
static struct kprobe *__percpu *current_probe;

static int find_current(void)
{
	current_probe = (void __percpu *)kallsyms_lookup_name("current_kprobe");
	return current_probe ? 0 : -ENOENT;
}

static void end_probe(void)
{
	*this_cpu_ptr(current_probe) = NULL;
	preempt_enable_notrace(); /* interrupts are off */
}
#else
static int find_current(void)
{
	return 0;
}

static void end_probe(void)
{
}
#endif

static int overridden(struct kprobe *kp, struct pt_regs *regs)
{
#ifdef CONFIG_X86
	regs->ax = value;
	regs->ip = (unsigned long)just_return;
#else
	regs->regs[0] = value;
	regs->pc = regs->regs[30];
#endif
	WRITE_ONCE(calls, calls + 1);
	end_probe();
	return 1;
}
NOKPROBE_SYMBOL(overridden);

static struct kprobe probe = { .pre_handler = overridden };

static int __init override_init(void)
{
	int err = find_current();

	probe.symbol_name = function;
	return err ?: register_kprobe(&probe);
}

static void __exit override_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(override_init);
module_exit(override_exit);
MODULE_LICENSE("GPL");
