// SPDX-License-Identifier: GPL-2.0
/*
 * rt_play - does known things a known number of times, for tests that record them.
 *
 * Written to /proc/rt_play:
 *
 *	number N	rt_play_number(i, 2 * i) for i in 0 … N-1, which returns -i
 *	string TEXT	rt_play_string(TEXT), which returns its length
 *	fault		rt_play_string() of an address that nobody may read
 *	stack N		rt_play_outer() → rt_play_middle() → rt_play_inner(), N times
 *	nested DEPTH	rt_play_nested(DEPTH), which calls itself DEPTH times
 *	steps N		rt_play_steps(i) for i in 0 … N-1: the instruction at rt_play_step_1 adds
 *			100 to it, that at rt_play_step_2 adds 1000
 *	spin N		1000 N times round a loop, eight calls deep in rt_play_spin()
 *	where		rt_play_where(i): 0 in a task, 1 with preemption off, 3 off three times,
 *			4 with interrupts off, 5 in a softirq, 6 in a hardirq
 *	deep N		rt_play_where(N) with preemption off N times
 *
 * Read from it: the first bytes of rt_play_number(), as they are in memory, in hexadecimal.
 */
#include <linux/completion.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/string.h>
#include <linux/timer.h>

#include "rt_line.h"

noinline long rt_play_number(long a, long b);
noinline long rt_play_string(const char *text);
noinline void rt_play_inner(long i);
noinline void rt_play_middle(long i);
noinline void rt_play_outer(long i);
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

noinline void rt_play_inner(long i)
{
	barrier();
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

noinline long rt_play_nested(long depth)
{
	long below = depth > 1 ? rt_play_nested(depth - 1) : 0;

	barrier();
	return below + 1;
}

/* Two instructions with names, the first one of four bytes, on a register that is known. */
noinline long rt_play_steps(long i)
{
#ifdef CONFIG_X86
	register long v asm("rcx") = i;

	asm volatile("rt_play_step_1: lea 100(%0), %0\n\t"
		     "rt_play_step_2: lea 1000(%0), %0\n\t"
		     : "+r"(v));
#else
	register long v asm("x0") = i;

	asm volatile("rt_play_step_1: add %0, %0, #100\n\t"
		     "rt_play_step_2: add %0, %0, #1000\n\t"
		     : "+r"(v));
#endif
	return v;
}

/* Its argument is used and it has no clones: the compiler would leave out what nobody looks at. */
noinline void __noclone rt_play_where(long i)
{
	asm volatile("" : : "r"(i));
}

static DECLARE_COMPLETION(was_there);

static void from_softirq(struct timer_list *unused)
{
	rt_play_where(5);
	complete(&was_there);
}

static DEFINE_TIMER(soft, from_softirq);

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

/* A probe in the last function of a module would make the kernel decode past its end. */
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
	return proc_create("rt_play", 0600, NULL, &play_ops) ? 0 : -ENOMEM;
}

static void __exit play_exit(void)
{
	remove_proc_entry("rt_play", NULL);
	rt_play_padding();
}

module_init(play_init);
module_exit(play_exit);
MODULE_LICENSE("GPL");
