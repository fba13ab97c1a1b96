// SPDX-License-Identifier: GPL-2.0
/*
 * rt_bench_floor - handlers that only count, as the floor of a benchmark: what the kernel needs to
 * call any handler at all.
 *
 * Write to /proc/rt_bench_floor: sys_enter, sched_switch, kprobe (on rt_play_number), kretprobe,
 * ftrace (the same function, with registers), uprobe OFFSET and uretprobe OFFSET (in the file of the
 * program that writes), or none.  Read: the number of hits.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "compat/proc_fs.h"
#include "compat/tracepoint_find.h"
#include "compat/uprobe.h"
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

/* The type of the last argument differs between kernels; the handler does not use it. */
static void on_function(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			void *registers)
{
	hits++;
}

static int on_uprobe(struct uprobe_consumer *consumer, struct pt_regs *regs RT_COMPAT_UPROBE_DATA)
{
	hits++;
	return 0;
}

static int on_uretprobe(struct uprobe_consumer *consumer, unsigned long function,
			struct pt_regs *regs RT_COMPAT_UPROBE_DATA)
{
	hits++;
	return 0;
}

static struct uprobe_consumer consumer;
static struct rt_compat_uprobe *uprobe;
static struct file *program;
static loff_t place;

static bool is_user(const char *what)
{
	return !strcmp(what, "uprobe") || !strcmp(what, "uretprobe");
}

static int arm_user(const char *what, long offset)
{
	program = filp_open("/proc/self/exe", O_RDONLY, 0);
	if (IS_ERR(program))
		return PTR_ERR(program);
	memset(&consumer, 0, sizeof(consumer));
	if (!strcmp(what, "uprobe"))
		consumer.handler = on_uprobe;
	else
		consumer.ret_handler = on_uretprobe;
	place = offset;
	uprobe = rt_compat_uprobe_register(rt_compat_mapped_inode(program), place, 0, &consumer);
	if (!IS_ERR(uprobe))
		return 0;
	fput(program);
	return PTR_ERR(uprobe);
}

static void disarm_user(void)
{
	rt_compat_uprobe_unregister(uprobe, rt_compat_mapped_inode(program), place, &consumer);
	rt_compat_uprobe_sync();
	fput(program);
}

static struct kprobe probe;
static struct kretprobe return_probe;
static struct ftrace_ops ops;

static struct tracepoint *found;

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

static int arm(const char *what, long offset)
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
	if (is_user(what))
		return arm_user(what, offset);
	found = rt_compat_tracepoint_find(what);
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
		/* The filter stays for the next time: not every kernel exports a way to free it. */
	} else if (is_user(what)) {
		disarm_user();
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
	err = arm(line.word, line.number);
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
