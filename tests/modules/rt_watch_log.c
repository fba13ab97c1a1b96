// SPDX-License-Identifier: GPL-2.0
/*
 * rt_watch_log - accesses of several CPUs to one variable, with the truth about each of them.
 *
 * Write to /proc/rt_watch_log:
 *
 *	store N		N stores on each CPU at the same time, each of a number of its own
 *	constant N	N stores of a constant
 *	xchg N		N exchanges for a number of its own
 *	cmpxchg N	N compare-and-exchanges with that number, some of which fail
 *	xadd N		N additions that return the sum
 *	inc N		N additions that return nothing
 *	pace N		from now on, 0 to 2 N pauses between two accesses, at random
 *	cpus N		from now on, on the first N CPUs only; 0: on all
 *	each N		on each CPU, one after the other, 1 … N to its own copy of a per-CPU variable
 *	other C		7 to the copy of CPU C, from all other CPUs, one after the other
 *
 * Read from it: "word ADDRESS", "each CPU ADDRESS" for each possible CPU, and for each access of the last
 * command "log CPU OLD NEW", in the order of each CPU; "-" where nobody can know.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "compat/proc_fs.h"
#include "rt_line.h"

#define CPUS_MAX 64
#define LOG_MAX	 (1UL << 18) /* accesses of one command */
#define CONSTANT 0x1234567

static atomic64_t word __aligned(64);
#define WORD ((u64 *)&word)

DEFINE_PER_CPU(u64, rt_watch_log_each);

struct access {
	u64 old, new;
	bool old_known, new_known;
};

enum kind { STORE, STORE_CONSTANT, XCHG, CMPXCHG, XADD, INC, KINDS };
static const char *const names[KINDS] = { "store", "constant", "xchg", "cmpxchg", "xadd", "inc" };

static struct access *log[CPUS_MAX];
static long logged[CPUS_MAX];
static long pace, cpus;

noinline void rt_watch_log_store(u64 value);
noinline void rt_watch_log_constant(void);
noinline u64 rt_watch_log_xchg(u64 value);
noinline u64 rt_watch_log_cmpxchg(u64 old, u64 value);
noinline u64 rt_watch_log_xadd(void);
noinline void rt_watch_log_inc(void);
noinline void rt_watch_log_padding(void);

noinline void rt_watch_log_store(u64 value)
{
	WRITE_ONCE(*WORD, value);
}

noinline void rt_watch_log_constant(void)
{
	WRITE_ONCE(*WORD, CONSTANT);
}

noinline u64 rt_watch_log_xchg(u64 value)
{
	return atomic64_xchg(&word, value);
}

noinline u64 rt_watch_log_cmpxchg(u64 old, u64 value)
{
	return atomic64_cmpxchg(&word, old, value);
}

noinline u64 rt_watch_log_xadd(void)
{
	return atomic64_add_return(1, &word);
}

noinline void rt_watch_log_inc(void)
{
	atomic64_inc(&word);
}

noinline void rt_watch_log_padding(void)
{
	barrier();
}

/* --- accesses -------------------------------------------------------------------- */

/* Reads by the kernel itself are no accesses of a watch for writes. */
static void access_once(enum kind kind, u64 value, struct access *to)
{
	u64 guess;

	to->old_known = to->new_known = true;
	to->new = value;
	switch (kind) {
	case STORE:
		to->old_known = false;
		rt_watch_log_store(value);
		break;
	case STORE_CONSTANT:
		to->old_known = false;
		to->new = CONSTANT;
		rt_watch_log_constant();
		break;
	case XCHG:
		to->old = rt_watch_log_xchg(value);
		break;
	case CMPXCHG:
		guess = READ_ONCE(*WORD);
		to->old = rt_watch_log_cmpxchg(guess, value);
		if (to->old != guess)
			to->new = to->old;
		break;
	case XADD:
		to->new = rt_watch_log_xadd();
		to->old = to->new - 1;
		break;
	default:
		to->old_known = to->new_known = false;
		rt_watch_log_inc();
	}
}

struct player {
	struct completion done;
	struct task_struct *thread;
	enum kind kind;
	long count;
	int cpu;
};

static struct player players[CPUS_MAX];
static atomic_t waiting;

static int play_on_cpu(void *data)
{
	struct player *player = data;
	u32 random = player->cpu + 1;
	long i, k;

	atomic_dec(&waiting);
	while (atomic_read(&waiting) > 0)
		cond_resched();
	for (i = 0; i < player->count; i++) {
		access_once(player->kind, (u64)(player->cpu + 1) << 32 | (i + 1),
			    &log[player->cpu][i]);
		random = random * 1664525 + 1013904223;
		for (k = (random >> 8) % (2 * pace + 1); k > 0; k--)
			cpu_relax();
		cond_resched();
	}
	logged[player->cpu] = player->count;
	complete(&player->done);
	return 0;
}

static void log_clear(void)
{
	memset(logged, 0, sizeof(logged));
}

/* The threads begin when all are there. */
static int play_all(enum kind kind, long count)
{
	struct task_struct *thread;
	int cpu, n = 0, i, err = 0;

	log_clear();
	for_each_online_cpu(cpu) {
		if (cpu >= CPUS_MAX || (cpus && n >= cpus))
			break;
		vfree(log[cpu]);
		log[cpu] = vzalloc(count * sizeof(*log[cpu]));
		players[n].kind = kind;
		players[n].count = count;
		players[n].cpu = cpu;
		init_completion(&players[n].done);
		thread = log[cpu] ?
				 kthread_create(play_on_cpu, &players[n], "rt_watch_log/%d", cpu) :
				 ERR_PTR(-ENOMEM);
		if (IS_ERR(thread)) {
			err = PTR_ERR(thread);
			break;
		}
		kthread_bind(thread, cpu);
		players[n++].thread = thread;
	}
	atomic_set(&waiting, n);
	for (i = 0; i < n; i++)
		wake_up_process(players[i].thread);
	for (i = 0; i < n; i++)
		wait_for_completion(&players[i].done);
	return err;
}

/* --- per-CPU copies -------------------------------------------------------------- */

static long each_here(void *data)
{
	long count = *(long *)data, i;
	u64 *mine = per_cpu_ptr(&rt_watch_log_each, raw_smp_processor_id());

	for (i = 1; i <= count; i++)
		WRITE_ONCE(*mine, i);
	return 0;
}

static long other_here(void *data)
{
	WRITE_ONCE(*per_cpu_ptr(&rt_watch_log_each, *(long *)data), 7);
	return 0;
}

static void on_each(long (*run)(void *data), long number, long but)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (cpu != but)
			work_on_cpu(cpu, run, &number);
}

/* --- the file -------------------------------------------------------------------- */

static ssize_t log_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct rt_line line;
	int err = rt_line_take(&line, user, size), i;

	if (err)
		return err;
	if (line.number < 0 || line.number > LOG_MAX / CPUS_MAX * 16)
		return -EINVAL;
	for (i = 0; i < KINDS; i++)
		if (!strcmp(line.word, names[i]))
			break;
	if (i < KINDS) {
		err = play_all(i, line.number);
	} else if (!strcmp(line.word, "pace")) {
		pace = line.number;
	} else if (!strcmp(line.word, "cpus")) {
		cpus = line.number;
	} else if (!strcmp(line.word, "each")) {
		on_each(each_here, line.number, -1);
	} else if (!strcmp(line.word, "other") && line.number < nr_cpu_ids &&
		   cpu_possible(line.number)) {
		on_each(other_here, line.number, line.number);
	} else {
		err = -EINVAL;
	}
	return err ? err : size;
}

static void put_value(struct seq_file *out, bool known, u64 value)
{
	if (known)
		seq_printf(out, " 0x%llx", (unsigned long long)value);
	else
		seq_puts(out, " -");
}

static int log_show(struct seq_file *out, void *unused)
{
	const struct access *one;
	int cpu;
	long i;

	seq_printf(out, "word 0x%lx\n", (unsigned long)WORD);
	seq_printf(out, "value 0x%llx\n", (unsigned long long)*WORD);
	for_each_possible_cpu(cpu)
		seq_printf(out, "each %d 0x%lx\n", cpu,
			   (unsigned long)per_cpu_ptr(&rt_watch_log_each, cpu));
	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		for (i = 0; i < logged[cpu]; i++) {
			one = &log[cpu][i];
			seq_printf(out, "log %d", cpu);
			put_value(out, one->old_known, one->old);
			put_value(out, one->new_known, one->new);
			seq_putc(out, '\n');
		}
	}
	return 0;
}

static int log_open(struct inode *inode, struct file *file)
{
	return single_open(file, log_show, NULL);
}

static const struct proc_ops log_ops = {
	.proc_open = log_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = log_write,
};

static int __init log_init(void)
{
	return proc_create("rt_watch_log", 0600, NULL, &log_ops) ? 0 : -ENOMEM;
}

static void __exit log_exit(void)
{
	int cpu;

	remove_proc_entry("rt_watch_log", NULL);
	for (cpu = 0; cpu < CPUS_MAX; cpu++)
		vfree(log[cpu]);
}

module_init(log_init);
module_exit(log_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Accesses with the truth about each, for tests of watchpoints");
