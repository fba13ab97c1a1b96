// SPDX-License-Identifier: GPL-2.0
/*
 * rt_crash - events that are counted in memory, and ways to die, for tests of memory dumps.
 *
 * Write to /proc/rt_crash:
 *
 *	run		rt_crash_event(n, cpu), n counting up on each CPU, until the task is killed
 *	null		a NULL dereference in this task
 *	irq		a NULL dereference in an interrupt
 *	counter		a NULL dereference in the interrupt of a CPU counter, which may be an NMI
 *	lockup		as run, on this CPU and without ever giving it away
 *
 * Reading it gives a line for each CPU that has counted: its number and its counter.  A dump has the counters behind
 * the text RT_CRASH_COUNTERS.
 *
 * With the parameter keep=ADDRESS the counters are there instead: a page that the next boot leaves alone.  They go on from what
 * they are, and `boots` is how often the module was loaded.  Write "clear" to set all of it to 0.
 */
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "compat/kept.h"
#include "compat/proc_fs.h"
#include "rt_line.h"

#define CPUS 64

noinline void __noclone rt_crash_event(long n, long cpu);
noinline void rt_crash_padding(void);

struct counters {
	char text[32];
	u64 done[CPUS]; /* calls of rt_crash_event() that have returned */
	u64 boots;
};

static struct counters here = { .text = "RT_CRASH_COUNTERS" }, *counters = &here;

static unsigned long keep;
module_param(keep, ulong, 0444);

noinline void __noclone rt_crash_event(long n, long cpu)
{
	asm volatile("" : : "r"(n), "r"(cpu) : "memory");
}

static void crash_event(void)
{
	int cpu = get_cpu();

	rt_crash_event(counters->done[cpu % CPUS], cpu);
	WRITE_ONCE(counters->done[cpu % CPUS], counters->done[cpu % CPUS] + 1);
	put_cpu();
}

static void crash_run(void)
{
	u64 i;

	for (i = 0; !fatal_signal_pending(current); i++) {
		crash_event();
		if (i % 256 == 0)
			cond_resched();
	}
}

static void crash_lockup(void)
{
	preempt_disable();
	for (;;)
		crash_event();
}

static void crash_here(struct irq_work *unused)
{
	int *nothing = NULL;

	OPTIMIZER_HIDE_VAR(nothing);
	WRITE_ONCE(*nothing, 1);
}

static struct irq_work in_irq;

static void crash_in_counter(struct perf_event *event, struct perf_sample_data *data,
			     struct pt_regs *regs)
{
	pr_info("rt_crash: the counter's interrupt is %s\n", in_nmi() ? "an NMI" : "no NMI");
	crash_here(NULL);
}

/* The counter overflows on every CPU: the first one to do so dies. */
static int crash_by_counter(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr),
		.sample_period = 10000000,
		.pinned = 1,
	};
	struct perf_event *event;
	int cpu;

	for_each_online_cpu(cpu) {
		event = perf_event_create_kernel_counter(&attr, cpu, NULL, crash_in_counter, NULL);
		if (IS_ERR(event))
			return PTR_ERR(event);
	}
	return 0;
}

static int crash(const char *word)
{
	if (!strcmp(word, "run")) {
		crash_run();
	} else if (!strcmp(word, "lockup")) {
		crash_lockup();
	} else if (!strcmp(word, "counter")) {
		return crash_by_counter();
	} else if (!strcmp(word, "clear")) {
		memset(counters->done, 0, sizeof(counters->done));
		counters->boots = 0;
	} else if (!strcmp(word, "null")) {
		crash_here(NULL);
	} else if (!strcmp(word, "irq")) {
		init_irq_work(&in_irq, crash_here);
		irq_work_queue(&in_irq);
	} else {
		return -EINVAL;
	}
	return 0;
}

static ssize_t crash_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct rt_line line;
	int err = rt_line_take(&line, user, size);

	if (!err)
		err = crash(line.word);
	return err ? err : size;
}

static ssize_t crash_read(struct file *file, char __user *user, size_t size, loff_t *at)
{
	char *text = kmalloc(PAGE_SIZE, GFP_KERNEL);
	int cpu, used = 0;
	ssize_t got;

	if (!text)
		return -ENOMEM;
	if (keep)
		used = scnprintf(text, PAGE_SIZE, "boots %llu\n", counters->boots);

	for (cpu = 0; cpu < CPUS; cpu++)
		if (READ_ONCE(counters->done[cpu]))
			used += scnprintf(text + used, PAGE_SIZE - used, "%d %llu\n", cpu,
					  READ_ONCE(counters->done[cpu]));
	got = simple_read_from_buffer(user, size, at, text, used);
	kfree(text);
	return got;
}

static const struct proc_ops crash_ops = { .proc_read = crash_read, .proc_write = crash_write };

/* Padding: a probe in the last function of a module makes the kernel decode past its end. */
noinline void rt_crash_padding(void)
{
	barrier();
}

static int __init crash_init(void)
{
	if (keep) {
		counters = rt_compat_kept_map(keep, PAGE_SIZE);
		if (!counters)
			return -ENOMEM;
		if (strcmp(counters->text, here.text))
			*counters = here;
		counters->boots++;
	}
	return proc_create("rt_crash", 0600, NULL, &crash_ops) ? 0 : -ENOMEM;
}

static void __exit crash_exit(void)
{
	remove_proc_entry("rt_crash", NULL);
	if (keep)
		rt_compat_kept_unmap(counters);
	rt_crash_padding();
}

module_init(crash_init);
module_exit(crash_exit);
MODULE_LICENSE("GPL");
