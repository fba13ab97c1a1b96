// SPDX-License-Identifier: GPL-2.0
/*
 * rt_bench_floor - handlers that do nothing but count, as the floor of a benchmark: what
 * the kernel takes to call anybody at all.
 *
 * Written to /proc/rt_bench_floor: sys_enter, sched_switch, kprobe (on rt_play_number),
 * kretprobe, ftrace (the same function, with registers), or none.  Read: the hits.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "rt_line.h"

#define FUNCTION "rt_play_number"

static unsigned long hits;
static char armed[16] = "none";

static void on_sys_enter(void *unused, struct pt_regs *regs, long id)
{
	hits++;
}

static void on_sched_switch(void *unused, bool preempt, struct task_struct *prev,
			    struct task_struct *next)
{
	hits++;
}

static int on_kprobe(struct kprobe *kp, struct pt_regs *regs)
{
	hits++;
	return 0;
}

static int on_kretprobe(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	hits++;
	return 0;
}

/* The last argument has become another struct; it is not looked at. */
static void on_function(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			void *registers)
{
	hits++;
}

static struct kprobe probe;
static struct kretprobe return_probe;
static struct ftrace_ops ops;

static struct tracepoint *found;

static void compare(struct tracepoint *tp, void *name)
{
	if (!strcmp(tp->name, name))
		found = tp;
}

static void *handler_of(const char *what)
{
	return !strcmp(what, "sys_enter") ? (void *)on_sys_enter : (void *)on_sched_switch;
}

static int arm_function(void)
{
	int err;

	if (!ops.func) {
		ops.func = (void *)on_function;
		ops.flags = FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED;
	}
	err = ftrace_set_filter(&ops, FUNCTION, strlen(FUNCTION), 1);
	return err ? err : register_ftrace_function(&ops);
}

static int arm(const char *what)
{
	if (!strcmp(what, "none"))
		return 0;
	if (!strcmp(what, "kprobe")) {
		memset(&probe, 0, sizeof(probe));
		probe.symbol_name = FUNCTION;
		probe.pre_handler = on_kprobe;
		return register_kprobe(&probe);
	}
	if (!strcmp(what, "kretprobe")) {
		memset(&return_probe, 0, sizeof(return_probe));
		return_probe.kp.symbol_name = FUNCTION;
		return_probe.handler = on_kretprobe;
		return register_kretprobe(&return_probe);
	}
	if (!strcmp(what, "ftrace"))
		return arm_function();
	found = NULL;
	for_each_kernel_tracepoint(compare, (void *)what);
	return found ? tracepoint_probe_register(found, handler_of(what), NULL) : -EINVAL;
}

static void disarm(const char *what)
{
	if (!strcmp(what, "kprobe")) {
		unregister_kprobe(&probe);
	} else if (!strcmp(what, "kretprobe")) {
		unregister_kretprobe(&return_probe);
	} else if (!strcmp(what, "ftrace")) {
		unregister_ftrace_function(&ops);
		/* Its filter stays for the next time: freeing it is not exported everywhere. */
	} else if (strcmp(what, "none")) {
		tracepoint_probe_unregister(found, handler_of(what), NULL);
		tracepoint_synchronize_unregister();
	}
}

static ssize_t floor_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct rt_line line;
	int err = rt_line_take(&line, user, size);

	if (err)
		return err;
	disarm(armed);
	strcpy(armed, "none");
	hits = 0;
	err = arm(line.word);
	if (err)
		return err;
	strscpy(armed, line.word, sizeof(armed));
	return size;
}

static ssize_t floor_read(struct file *file, char __user *user, size_t size, loff_t *at)
{
	char line[24];

	return simple_read_from_buffer(user, size, at, line,
				       snprintf(line, sizeof(line), "%lu\n", hits));
}

static const struct proc_ops floor_ops = { .proc_write = floor_write, .proc_read = floor_read };

static int __init floor_init(void)
{
	return proc_create("rt_bench_floor", 0600, NULL, &floor_ops) ? 0 : -ENOMEM;
}

static void __exit floor_exit(void)
{
	disarm(armed);
	remove_proc_entry("rt_bench_floor", NULL);
}

module_init(floor_init);
module_exit(floor_exit);
MODULE_DESCRIPTION("Handlers that only count");
MODULE_LICENSE("GPL");
