// SPDX-License-Identifier: GPL-2.0
/*
 * rt_bench_kprobes - many kprobes, registered and unregistered with nothing around them: the floor of
 * a benchmark.
 *
 * Write to /proc/rt_bench_kprobes: `add ADDRESS`, one probe more; `register`, `unregister`, all of
 * them.  Read: how many are registered; the kernel refuses some places.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat/proc_fs.h"
#include "rt_line.h"

#define PROBES_MAX 16384

static struct kprobe *probes[PROBES_MAX];
static int count, registered;

static int on_hit(struct kprobe *kp, struct pt_regs *regs)
{
	return 0;
}

static int add(unsigned long address)
{
	if (count == PROBES_MAX || registered)
		return -ENOSPC;
	probes[count] = kzalloc(sizeof(**probes), GFP_KERNEL);
	if (!probes[count])
		return -ENOMEM;
	probes[count]->addr = (void *)address;
	probes[count++]->pre_handler = on_hit;
	return 0;
}

/* register_kprobes() does the same, but gives up at the first place that the kernel refuses. */
static void register_all(void)
{
	int i;

	for (i = 0; i < count && !registered; cond_resched()) {
		if (!register_kprobe(probes[i])) {
			i++;
			continue;
		}
		kfree(probes[i]);
		probes[i] = probes[--count];
	}
	registered = count;
}

static void unregister_all(void)
{
	if (registered)
		unregister_kprobes(probes, registered);
	registered = 0;
	while (count)
		kfree(probes[--count]);
}

static ssize_t kprobes_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct rt_line line;
	int err = rt_line_take(&line, user, size);

	if (err)
		return err;
	if (!strcmp(line.word, "add"))
		err = add(line.number);
	else if (!strcmp(line.word, "register"))
		register_all();
	else if (!strcmp(line.word, "unregister"))
		unregister_all();
	else
		err = -EINVAL;
	return err ? err : size;
}

static ssize_t kprobes_read(struct file *file, char __user *user, size_t size, loff_t *at)
{
	char line[24];

	return simple_read_from_buffer(user, size, at, line,
				       snprintf(line, sizeof(line), "%d\n", registered));
}

static const struct proc_ops kprobes_ops = {
	.proc_write = kprobes_write,
	.proc_read = kprobes_read,
};

static int __init kprobes_init(void)
{
	return proc_create("rt_bench_kprobes", 0600, NULL, &kprobes_ops) ? 0 : -ENOMEM;
}

static void __exit kprobes_exit(void)
{
	remove_proc_entry("rt_bench_kprobes", NULL);
	unregister_all();
}

module_init(kprobes_init);
module_exit(kprobes_exit);
MODULE_DESCRIPTION("Many kprobes");
MODULE_LICENSE("GPL");
