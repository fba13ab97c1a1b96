// SPDX-License-Identifier: GPL-2.0
/*
 * rt_watch_stack - arm64: a kernel thread uses memory that the trap of a watch uses, too: its stack
 * below the stack pointer, and its own preemption count.
 *
 * Read from /proc/rt_watch_stack: "slot ADDRESS", where the thread pushes numbers; "frame ADDRESS",
 * where a compiled function saves its return address; "count ADDRESS", the thread's preemption
 * count; "done N" and "wrong N": how often the last command was carried out, and how often its
 * result was not what the code computes without a watch.
 * Write to it, and the thread does it before the write returns:
 *
 *	push N		push 1 … N, and pop each of them again
 *	below N		store 1 … N into slot, without a push
 *	call N		N calls of a function that saves its return address
 *	preempt N	switch preemption off and on N times
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/seq_file.h>
#include <linux/thread_info.h>
#include <linux/wait.h>

#include "compat/proc_fs.h"
#include "rt_line.h"

noinline u64 rt_watch_push(u64 value);
noinline u64 rt_watch_below(u64 value);
noinline u64 rt_watch_leaf(u64 value);
noinline u64 rt_watch_call(u64 value);
noinline u64 rt_watch_run(const char *what, u64 value);
noinline void rt_watch_padding(void);

static unsigned long slot, frame, preempt_word;
static long done, wrong;

#ifdef CONFIG_ARM64

noinline u64 rt_watch_push(u64 value)
{
	u64 popped, at;

	asm volatile("stp	%[v], %[v], [sp, #-16]!\n"
		     "	mov	%[at], sp\n"
		     "	ldp	%[p], xzr, [sp], #16\n"
		     : [p] "=&r"(popped), [at] "=&r"(at)
		     : [v] "r"(value)
		     : "memory");
	slot = at;
	return popped;
}

/* Any interrupt overwrites what is there, so nothing reads it. */
noinline u64 rt_watch_below(u64 value)
{
	asm volatile("str	%[v], [%[at]]" : : [v] "r"(value), [at] "r"(slot) : "memory");
	return value;
}

noinline u64 rt_watch_leaf(u64 value)
{
	barrier();
	return value + 1;
}

noinline u64 rt_watch_call(u64 value)
{
	frame = (unsigned long)__builtin_frame_address(0) + 8;
	return rt_watch_leaf(value) - 1;
}

noinline u64 rt_watch_run(const char *what, u64 value)
{
	u64 before;

	if (!strcmp(what, "push"))
		return rt_watch_push(value);
	if (!strcmp(what, "below"))
		return rt_watch_below(value);
	if (!strcmp(what, "call"))
		return rt_watch_call(value);
	/* On a kernel without CONFIG_PREEMPT the count changes all the same. */
	before = preempt_count();
	preempt_count_add(1);
	barrier();
	if (preempt_count() == before + 1)
		before = value;
	barrier();
	preempt_count_sub(1);
	return before;
}

#else

noinline u64 rt_watch_run(const char *what, u64 value)
{
	return value;
}

#endif

noinline void rt_watch_padding(void)
{
	barrier();
}

/* --- the thread ------------------------------------------------------------------- */

static struct task_struct *thread;
static DECLARE_WAIT_QUEUE_HEAD(asking);
static DECLARE_COMPLETION(answered);
static struct rt_line order;
static bool asked;

static void carry_out(void)
{
	long i;

	done = 0;
	wrong = 0;
	for (i = 1; i <= order.number; i++) {
		wrong += rt_watch_run(order.word, i) != i;
		done++;
	}
}

static int serve(void *unused)
{
#ifdef CONFIG_ARM64
	/* Learn the addresses. */
	rt_watch_run("push", 1);
	rt_watch_run("call", 1);
	preempt_word = (unsigned long)&current_thread_info()->preempt_count;
#endif
	complete(&answered);
	while (!kthread_should_stop()) {
		wait_event_interruptible(asking, READ_ONCE(asked) || kthread_should_stop());
		if (!READ_ONCE(asked))
			continue;
		WRITE_ONCE(asked, false);
		carry_out();
		complete(&answered);
	}
	return 0;
}

static ssize_t stack_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	int err = rt_line_take(&order, user, size);

	if (err)
		return err;
	WRITE_ONCE(asked, true);
	wake_up(&asking);
	wait_for_completion(&answered);
	return size;
}

static int show(struct seq_file *out, void *unused)
{
	seq_printf(out, "slot 0x%lx\nframe 0x%lx\ncount 0x%lx\n", slot, frame, preempt_word);
	seq_printf(out, "done %ld\nwrong %ld\n", done, wrong);
	return 0;
}

static int stack_open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static const struct proc_ops stack_ops = {
	.proc_open = stack_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = stack_write,
};

static int __init stack_init(void)
{
	thread = kthread_run(serve, NULL, "rt_watch_stack");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	wait_for_completion(&answered);
	if (proc_create("rt_watch_stack", 0600, NULL, &stack_ops))
		return 0;
	kthread_stop(thread);
	return -ENOMEM;
}

static void __exit stack_exit(void)
{
	remove_proc_entry("rt_watch_stack", NULL);
	kthread_stop(thread);
	rt_watch_padding();
}

module_init(stack_init);
module_exit(stack_exit);
MODULE_DESCRIPTION("A thread that uses memory which a trap uses as well");
MODULE_LICENSE("GPL");
