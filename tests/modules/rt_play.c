// SPDX-License-Identifier: GPL-2.0
/*
 * rt_play - does known things a known number of times, for tests that record them.
 *
 * Write to /proc/rt_play:
 *
 *	number N	rt_play_number(i, 2 * i) for i in 0 … N-1, which returns -i
 *	string TEXT	rt_play_string(TEXT), which returns its length
 *	fault		rt_play_string() of an unreadable address
 *	stack N		rt_play_outer() → rt_play_middle() → rt_play_inner(), N times
 *	clones N	rt_play_inner(), N times from each of rt_play_caller and the clones that a
 *			compiler might make: rt_play_caller.part.0, .isra.0, .constprop.0
 *	nested DEPTH	rt_play_nested(DEPTH), which calls itself DEPTH times
 *	steps N		rt_play_steps(i) for i in 0 … N-1: the instruction at rt_play_step_1 adds
 *			100 to it, the next one adds 1000
 *	spin N		1000 N rounds of a loop, eight calls deep in rt_play_spin()
 *	where		rt_play_where(i): 0 in a task, 1 with preemption off, 3 off three times,
 *			4 with interrupts off, 5 in a softirq, 6 in a hardirq
 *	deep N		rt_play_where(N) with preemption off N times
 *	nmi N		rt_play_steps(1) in an NMI, N times; x86 only
 *
 * Read from it: the first bytes of rt_play_number(), as they are in memory, in hexadecimal.
 */
#include <linux/completion.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

#include "compat/proc_fs.h"
#include "compat/timer.h"
#include "rt_line.h"

noinline long rt_play_number(long a, long b);
noinline long rt_play_string(const char *text);
noinline void __noclone rt_play_inner(long i);
noinline void rt_play_middle(long i);
noinline void rt_play_outer(long i);
noinline void rt_play_caller(long i);
noinline void caller_part(long i) asm("rt_play_caller.part.0");
noinline void caller_isra(long i) asm("rt_play_caller.isra.0");
noinline void caller_constprop(long i) asm("rt_play_caller.constprop.0");
noinline long rt_play_nested(long depth);
noinline long rt_play_steps(long i);
noinline void __noclone rt_play_where(long i);
noinline long rt_play_spin(long depth, long rounds);
noinline void rt_play_padding(void);

noinline long rt_play_number(long a, long b)
{
	barrier();
	return a - b;
}

noinline long rt_play_string(const char *text)
{
	barrier();
	return (unsigned long)text < PAGE_SIZE ? -EFAULT : (long)strlen(text);
}

/* Like rt_play_where() below: the compiler must not clone it for calls with a constant. */
noinline void __noclone rt_play_inner(long i)
{
	asm volatile("" : : "r"(i) : "memory");
}

noinline void rt_play_middle(long i)
{
	rt_play_inner(i);
	barrier();
}

noinline void rt_play_outer(long i)
{
	rt_play_middle(i);
	barrier();
}

/* Each has different code, or the compiler would merge them. */
noinline void rt_play_caller(long i)
{
	rt_play_inner(i + 400);
	barrier();
}

noinline void caller_part(long i)
{
	rt_play_inner(i + 100);
	barrier();
}

noinline void caller_isra(long i)
{
	rt_play_inner(i + 200);
	barrier();
}

noinline void caller_constprop(long i)
{
	rt_play_inner(i + 300);
	barrier();
}

noinline long rt_play_nested(long depth)
{
	long below = depth > 1 ? rt_play_nested(depth - 1) : 0;

	barrier();
	return below + 1;
}

/* Two instructions on a known register; the first has a name and is four bytes long. */
noinline long rt_play_steps(long i)
{
#ifdef CONFIG_X86
	register long v asm("rcx") = i;

	asm volatile("rt_play_step_1: lea 100(%0), %0\n\t"
		     "lea 1000(%0), %0\n\t"
		     : "+r"(v));
#else
	register long v asm("x0") = i;

	asm volatile("rt_play_step_1: add %0, %0, #100\n\t"
		     "add %0, %0, #1000\n\t"
		     : "+r"(v));
#endif
	return v;
}

/* The argument is used and cloning is off, or the compiler would drop the argument. */
noinline void __noclone rt_play_where(long i)
{
	asm volatile("" : : "r"(i));
}

static DECLARE_COMPLETION(was_there);

static void from_softirq(rt_compat_timer_argument unused)
{
	rt_play_where(5);
	complete(&was_there);
}

static RT_COMPAT_TIMER(soft, from_softirq);

static void from_hardirq(struct irq_work *unused)
{
	rt_play_where(6);
}

static struct irq_work hard;

static void play_where(void)
{
	unsigned long flags;

	rt_play_where(0);
	preempt_disable();
	rt_play_where(1);
	preempt_disable();
	preempt_disable();
	rt_play_where(3);
	preempt_enable();
	preempt_enable();
	preempt_enable();
	local_irq_save(flags);
	rt_play_where(4);
	local_irq_restore(flags);
	mod_timer(&soft, jiffies + 1);
	wait_for_completion(&was_there);
	init_irq_work(&hard, from_hardirq);
	irq_work_queue(&hard);
	irq_work_sync(&hard);
}

noinline long rt_play_spin(long depth, long rounds)
{
	long i, sum = depth > 1 ? rt_play_spin(depth - 1, rounds) : 0;

	for (i = 0; depth == 1 && i < rounds; i++)
		barrier();
	barrier();
	return sum + i;
}

#ifdef CONFIG_X86_LOCAL_APIC
static bool nmi_wanted;

static int from_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!READ_ONCE(nmi_wanted))
		return NMI_DONE;
	rt_play_steps(1);
	WRITE_ONCE(nmi_wanted, false);
	return NMI_HANDLED;
}

static int play_nmi(void)
{
	preempt_disable();
	WRITE_ONCE(nmi_wanted, true);
	apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	while (READ_ONCE(nmi_wanted))
		cpu_relax();
	preempt_enable();
	return 0;
}

static int play_nmi_init(void)
{
	return register_nmi_handler(NMI_LOCAL, from_nmi, 0, "rt_play");
}

static void play_nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "rt_play");
}
#else
static int play_nmi(void)
{
	return -EOPNOTSUPP;
}

static int play_nmi_init(void)
{
	return 0;
}

static void play_nmi_exit(void)
{
}
#endif

/* Padding: a probe in the last function of a module makes the kernel decode past its end. */
noinline void rt_play_padding(void)
{
	barrier();
}

#define DEEP_MAX 200 /* the kernel counts to 255 */

static int play(const char *word, long n, const char *text)
{
	long i;

	if (!strcmp(word, "number")) {
		for (i = 0; i < n; i++)
			if (rt_play_number(i, 2 * i) != -i)
				return -EIO;
	} else if (!strcmp(word, "string")) {
		rt_play_string(text);
	} else if (!strcmp(word, "fault")) {
		rt_play_string((const char *)8);
	} else if (!strcmp(word, "stack")) {
		for (i = 0; i < n; i++)
			rt_play_outer(i);
	} else if (!strcmp(word, "clones")) {
		for (i = 0; i < n; i++) {
			rt_play_caller(i);
			caller_part(i);
			caller_isra(i);
			caller_constprop(i);
		}
	} else if (!strcmp(word, "nested")) {
		rt_play_nested(n);
	} else if (!strcmp(word, "steps")) {
		for (i = 0; i < n; i++)
			if (rt_play_steps(i) != i + 1100)
				return -EIO;
	} else if (!strcmp(word, "spin")) {
		rt_play_spin(8, 1000 * n);
	} else if (!strcmp(word, "where")) {
		play_where();
	} else if (!strcmp(word, "nmi")) {
		for (i = 0; i < n; i++)
			if (play_nmi())
				return -EOPNOTSUPP;
	} else if (!strcmp(word, "deep") && n <= DEEP_MAX) {
		for (i = 0; i < n; i++)
			preempt_disable();
		rt_play_where(n);
		for (i = 0; i < n; i++)
			preempt_enable();
	} else {
		return -EINVAL;
	}
	return 0;
}

static ssize_t play_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct rt_line line;
	int err = rt_line_take(&line, user, size);

	if (!err)
		err = play(line.word, line.number, line.rest);
	return err ? err : size;
}

static ssize_t play_read(struct file *file, char __user *user, size_t size, loff_t *at)
{
	char text[2 * 16 + 2];

	scnprintf(text, sizeof(text), "%16phN\n", rt_play_number);
	return simple_read_from_buffer(user, size, at, text, sizeof(text) - 1);
}

static const struct proc_ops play_ops = { .proc_read = play_read, .proc_write = play_write };

static int __init play_init(void)
{
	int err = play_nmi_init();

	if (!err && !proc_create("rt_play", 0600, NULL, &play_ops)) {
		play_nmi_exit();
		err = -ENOMEM;
	}
	return err;
}

static void __exit play_exit(void)
{
	remove_proc_entry("rt_play", NULL);
	play_nmi_exit();
	rt_play_padding();
}

module_init(play_init);
module_exit(play_exit);
MODULE_LICENSE("GPL");
