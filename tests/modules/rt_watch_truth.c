// SPDX-License-Identifier: GPL-2.0
/*
 * rt_watch_truth - accesses to a word from several CPUs, and a log of each: address, old and new value.
 *
 * Read from /proc/rt_watch_truth: "word ADDRESS", "lock ADDRESS", "ns" that the last command took,
 * "locked" as a lock's count of it, then a line "ADDRESS OLD NEW" for each write of the word.
 * Write to it:
 *
 *	add N	N additions of 1 on each CPU
 *	wait N	CPU 1 waits for the word, with preemption disabled, as the kernel's own code does; CPU 0
 *		stores 1 … N
 *	read N	the same, but CPU 1 reads again and again without waiting
 *	lock N	each CPU takes a spinlock N times
 *	hold N	the same, but it keeps the lock for 50 us, so that the others wait
 *	block N	CPU 1 executes a loop of exclusives that the module does not understand, and then waits as
 *		above; CPU 0 stores 1 … N
 *	blocked N	N such loops on CPU 1, with preemption disabled; nothing of this is in the log
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "compat/proc_fs.h"
#include "rt_line.h"

#define LOG_MAX 400000

static struct {
	u64 old, new;
} * log;
static atomic_t logged = ATOMIC_INIT(0);

static u64 area[8] __aligned(64);
#define WORD (&area[4])
static u64 beside;
static DEFINE_RAW_SPINLOCK(the_lock);
static u64 locked;
static u64 took;
static bool waiting;
static long last_value; /* what the one who waits waits for */

static void put(u64 old, u64 new)
{
	int i = atomic_inc_return(&logged) - 1;

	if (i < LOG_MAX) {
		log[i].old = old;
		log[i].new = new;
	}
}

static void add_many(void *data)
{
	long n = *(long *)data;
	u64 now;

	while (n--) {
		now = atomic64_inc_return((atomic64_t *)WORD);
		put(now - 1, now);
	}
}

static bool holds;

static void lock_many(void *data)
{
	long n = *(long *)data;

	while (n--) {
		raw_spin_lock(&the_lock);
		locked++;
		if (holds)
			udelay(50);
		raw_spin_unlock(&the_lock);
	}
}

/* --- one CPU waits for another one -------------------------------------------------- */

static void wait_for_value(u64 value)
{
#ifdef smp_cond_load_acquire
	(void)smp_cond_load_acquire(WORD, VAL == value);
#else
	while (READ_ONCE(*WORD) != value)
		cpu_relax();
#endif
}

static void read_until(u64 value)
{
	while (READ_ONCE(*WORD) != value)
		cpu_relax();
}

/* Exclusives with a load in between, as a compiler without optimisation makes them. */
static void loop_strangely(void)
{
#ifdef CONFIG_ARM64
	u64 value, fail, other;

	asm volatile("1:	ldxr	%0, %3\n"
		     "	ldr	%2, [%4]\n"
		     "	stxr	%w1, %0, %3\n"
		     "	cbnz	%w1, 1b\n"
		     : "=&r"(value), "=&r"(fail), "=&r"(other), "+Q"(*WORD)
		     : "r"(&beside));
#else
	READ_ONCE(beside);
#endif
}

static enum { WAITS, READS, BLOCKS } how;

static void wait_there(struct work_struct *work)
{
	preempt_disable();
	if (how == BLOCKS)
		loop_strangely();
	WRITE_ONCE(waiting, true);
	if (how == READS)
		read_until(last_value);
	else
		wait_for_value(last_value);
	preempt_enable();
}
static DECLARE_WORK(wait_work, wait_there);

static noinline void store(u64 value)
{
	WRITE_ONCE(*WORD, value);
}

static long store_all(void *data)
{
	long n = *(long *)data, i;

	for (i = 1; i <= n; i++) {
		put(i - 1, i);
		store(i);
	}
	return 0;
}

static int play_wait(long n)
{
	last_value = n;
	waiting = false;
	store(0);
	put(~0ULL, 0); /* the old value is whatever was there */
	schedule_work_on(1, &wait_work);
	while (!READ_ONCE(waiting))
		msleep(1);
	work_on_cpu(0, store_all, &n);
	flush_work(&wait_work);
	return 0;
}

static long loop_many(void *data)
{
	long n = *(long *)data;

	preempt_disable();
	while (n--)
		loop_strangely();
	preempt_enable();
	return 0;
}

static int play(const char *word, long n)
{
	if (n < 0 || n >= LOG_MAX)
		return -EINVAL;
	if (!strcmp(word, "add")) {
		on_each_cpu(add_many, &n, 1);
	} else if (!strcmp(word, "lock") || !strcmp(word, "hold")) {
		holds = *word == 'h';
		on_each_cpu(lock_many, &n, 1);
	} else if (!strcmp(word, "blocked")) {
		work_on_cpu(num_online_cpus() > 1, loop_many, &n);
	} else if (num_online_cpus() > 1 &&
		   (!strcmp(word, "wait") || !strcmp(word, "read") || !strcmp(word, "block"))) {
		how = *word == 'w' ? WAITS : *word == 'r' ? READS : BLOCKS;
		return play_wait(n);
	} else {
		return -EINVAL;
	}
	return 0;
}

static ssize_t truth_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct rt_line line;
	int err = rt_line_take(&line, user, size);
	ktime_t start;

	if (err)
		return err;
	atomic_set(&logged, 0);
	locked = 0;
	start = ktime_get();
	err = play(line.word, line.number);
	took = ktime_to_ns(ktime_sub(ktime_get(), start));
	return err ? err : size;
}

/* --- the log ------------------------------------------------------------------------- */

static void *log_at(loff_t *at)
{
	return *at <= min(atomic_read(&logged), LOG_MAX) ? at : NULL;
}

static void *truth_start(struct seq_file *out, loff_t *at)
{
	return log_at(at);
}

static void *truth_next(struct seq_file *out, void *where, loff_t *at)
{
	++*at;
	return log_at(at);
}

static void truth_stop(struct seq_file *out, void *where)
{
}

static int truth_show(struct seq_file *out, void *where)
{
	loff_t i = *(loff_t *)where;

	if (!i)
		seq_printf(out, "word 0x%lx\nlock 0x%lx\nns %llu\nlocked %llu\n",
			   (unsigned long)WORD, (unsigned long)&the_lock, took, locked);
	else
		seq_printf(out, "0x%lx 0x%llx 0x%llx\n", (unsigned long)WORD, log[i - 1].old,
			   log[i - 1].new);
	return 0;
}

static const struct seq_operations truth_rows = {
	.start = truth_start,
	.next = truth_next,
	.stop = truth_stop,
	.show = truth_show,
};

static int truth_open(struct inode *inode, struct file *file)
{
	return seq_open(file, &truth_rows);
}

static const struct proc_ops truth_ops = {
	.proc_open = truth_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = seq_release,
	.proc_write = truth_write,
};

static int __init truth_init(void)
{
	log = vmalloc(LOG_MAX * sizeof(*log));
	if (!log)
		return -ENOMEM;
	if (proc_create("rt_watch_truth", 0600, NULL, &truth_ops))
		return 0;
	vfree(log);
	return -ENOMEM;
}

static void __exit truth_exit(void)
{
	remove_proc_entry("rt_watch_truth", NULL);
	vfree(log);
}

module_init(truth_init);
module_exit(truth_exit);
MODULE_DESCRIPTION("Accesses of several CPUs to a word, and a log of each");
MODULE_LICENSE("GPL");
