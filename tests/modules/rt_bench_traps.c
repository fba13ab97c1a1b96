// SPDX-License-Identifier: GPL-2.0
/*
 * rt_bench_traps - watchpoints and samples whose handlers only count, as the floor of a benchmark:
 * what the kernel needs to call any handler at all.
 *
 * Write to /proc/rt_bench_traps: `watch ADDRESS` (eight bytes, for writes), `sample PERIOD` (of the
 * clock, in nanoseconds), `stack PERIOD` (the same, with ten frames of the kernel's stack), or
 * none.  Read: the number of hits.
 */
#include <linux/err.h>
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/string.h>

#include "compat/proc_fs.h"
#include "rt_line.h"

#ifdef CONFIG_ARM64
#include "compat/hw_breakpoint.h"
#endif

#define FRAMES 10

static unsigned long hits;
static unsigned long frames[FRAMES];
static struct perf_event *event;
static bool stepped;

static unsigned int (*walk)(struct pt_regs *regs, unsigned long *store, unsigned int size,
			    unsigned int skip);

static void count(struct perf_event *unused, struct perf_sample_data *data, struct pt_regs *regs)
{
	hits++;
}

static void count_walking(struct perf_event *unused, struct perf_sample_data *data,
			  struct pt_regs *regs)
{
	hits++;
	walk(regs, frames, FRAMES, 0);
}

static void disarm(void)
{
	if (!event)
		return;
	perf_event_disable(event);
	synchronize_rcu();
#ifdef CONFIG_ARM64
	if (stepped)
		rt_compat_step_end(event);
	synchronize_rcu();
#endif
	perf_event_release_kernel(event);
	event = NULL;
	stepped = false;
}

static int watch(unsigned long address)
{
	struct perf_event_attr attr;
	int err = 0;

	hw_breakpoint_init(&attr);
	attr.bp_addr = address;
	attr.bp_len = 8;
	attr.bp_type = HW_BREAKPOINT_W;
	attr.disabled = 1;
	event = perf_event_create_kernel_counter(&attr, 0, NULL,
						 IS_ENABLED(CONFIG_ARM64) ? NULL : count, NULL);
	if (IS_ERR(event))
		return PTR_ERR(event);
#ifdef CONFIG_ARM64
	err = rt_compat_step_init(event, count, NULL);
	if (!err)
		rt_compat_step_on(event);
	stepped = !err;
#endif
	if (!err)
		perf_event_enable(event);
	return err;
}

static int sample(unsigned long period, bool with_stack)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = period,
	};
	struct kprobe probe = { .symbol_name = "stack_trace_save_regs" };
	int err;

	if (with_stack && !walk) {
		err = register_kprobe(&probe);
		if (err)
			return err;
		walk = (void *)probe.addr;
		unregister_kprobe(&probe);
	}
	event = perf_event_create_kernel_counter(&attr, 0, NULL, with_stack ? count_walking : count,
						 NULL);
	return IS_ERR(event) ? PTR_ERR(event) : 0;
}

static int arm(const char *what, unsigned long number)
{
	if (!strcmp(what, "none"))
		return 0;
	if (!strcmp(what, "watch"))
		return watch(number);
	if (!strcmp(what, "sample"))
		return sample(number, false);
	return strcmp(what, "stack") ? -EINVAL : sample(number, true);
}

static ssize_t traps_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct rt_line line;
	int err = rt_line_take(&line, user, size);

	if (err)
		return err;
	disarm();
	hits = 0;
	err = arm(line.word, line.number);
	if (!err)
		return size;
	if (IS_ERR(event))
		event = NULL;
	disarm();
	return err;
}

static ssize_t traps_read(struct file *file, char __user *user, size_t size, loff_t *at)
{
	char line[24];

	return simple_read_from_buffer(user, size, at, line,
				       snprintf(line, sizeof(line), "%lu\n", hits));
}

static const struct proc_ops traps_ops = { .proc_write = traps_write, .proc_read = traps_read };

static int __init traps_init(void)
{
	return proc_create("rt_bench_traps", 0600, NULL, &traps_ops) ? 0 : -ENOMEM;
}

static void __exit traps_exit(void)
{
	disarm();
	remove_proc_entry("rt_bench_traps", NULL);
}

module_init(traps_init);
module_exit(traps_exit);
MODULE_DESCRIPTION("Watchpoints and samples that only count");
MODULE_LICENSE("GPL");
