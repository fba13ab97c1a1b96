// SPDX-License-Identifier: GPL-2.0
/*
 * rt_watch_play - writes to its own memory in known ways from known functions, for tests
 * that watch it.
 *
 * Read from /proc/rt_watch_play: the addresses of `word` (64 bytes) and `other` (64 bytes).
 * Written to it:
 *
 *	plain N		word = 1 … N, by rt_watch_plain()
 *	same N		word = word, N times, by rt_watch_plain()
 *	widths		1, 2, 4 and 8 bytes of 0x11…, 0x22…, 0x33…, 0x44… at word, by rt_watch_width_…()
 *	offsets		bytes 0 … 7 of word = 1 … 8, by rt_watch_byte()
 *	read N		N reads of word, by rt_watch_read()
 *	atomic N	N additions of 1, by rt_watch_atomic()
 *	swap N		N exchanges with 1 … N, by rt_watch_swap()
 *	compare N	N times word + 1 if it is word, by rt_watch_compare()
 *	pair N		two words at once: word - 8 = -i, word = i
 *	vector N	16 bytes at once by a SIMD register: word = i
 *	turns N		16 bytes by ST2 of two SIMD registers, a pair of numbers: word = i (arm64; else as vector)
 *	string N	N times a block copy of 32 bytes over word, which becomes i
 *	copy TEXT	8 bytes from user memory to word
 *	interrupt N	word = 1 … N in hard interrupts, by rt_watch_plain()
 *	all N		N additions of 1 on each CPU at the same time, by rt_watch_atomic()
 *	cpu C N		word = 1 … N on CPU C, by rt_watch_plain()
 *	others N	word of `other`[k] = i for k in 0 … 4
 *	clear		word = 0
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "rt_line.h"

/* The word that is watched has neighbours on both sides. */
static u64 area[8] __aligned(64);
static u64 others[8] __aligned(64);
#define WORD (&area[4])

noinline void rt_watch_plain(u64 value);
noinline void rt_watch_width_1(void);
noinline void rt_watch_width_2(void);
noinline void rt_watch_width_4(void);
noinline void rt_watch_width_8(void);
noinline void rt_watch_byte(int i);
noinline u64 rt_watch_read(void);
noinline void rt_watch_atomic(void);
noinline void rt_watch_swap(u64 value);
noinline void rt_watch_compare(void);
noinline void rt_watch_pair(u64 value);
noinline void rt_watch_vector(u64 value);
noinline void rt_watch_turns(u64 value);
noinline void rt_watch_string(const u64 *from);
noinline int rt_watch_copy(const char __user *from);
noinline void rt_watch_others(u64 value);
noinline void rt_watch_padding(void);

noinline void rt_watch_plain(u64 value)
{
	WRITE_ONCE(*WORD, value);
}

noinline void rt_watch_width_1(void)
{
	WRITE_ONCE(*(u8 *)WORD, 0x11);
}

noinline void rt_watch_width_2(void)
{
	WRITE_ONCE(*(u16 *)WORD, 0x2222);
}

noinline void rt_watch_width_4(void)
{
	WRITE_ONCE(*(u32 *)WORD, 0x33333333);
}

noinline void rt_watch_width_8(void)
{
	WRITE_ONCE(*WORD, 0x4444444444444444);
}

noinline void rt_watch_byte(int i)
{
	WRITE_ONCE(((u8 *)WORD)[i], i + 1);
}

noinline u64 rt_watch_read(void)
{
	return READ_ONCE(*WORD);
}

noinline void rt_watch_atomic(void)
{
	atomic64_inc((atomic64_t *)WORD);
}

noinline void rt_watch_swap(u64 value)
{
	(void)xchg(WORD, value);
}

noinline void rt_watch_compare(void)
{
	u64 now = *WORD;

	(void)cmpxchg(WORD, now, now + 1);
}

noinline void rt_watch_pair(u64 value)
{
#ifdef CONFIG_ARM64
	asm volatile("stp %0, %1, [%2]" : : "r"(-value), "r"(value), "r"(WORD - 1) : "memory");
#else
	WORD[-1] = -value;
	WRITE_ONCE(*WORD, value);
#endif
}

noinline void rt_watch_vector(u64 value)
{
	u64 both[2] = { -value, value };

	/* What the caller has in the register is put back: nobody notices. */
	preempt_disable();
#ifdef CONFIG_ARM64
	{
		u64 saved[2];

		asm volatile(".arch_extension fp\n.arch_extension simd\n"
			     "str q7, [%0]\nldr q7, [%1]\nstr q7, [%2]\nldr q7, [%0]"
			     :
			     : "r"(saved), "r"(both), "r"(WORD - 1)
			     : "memory");
	}
#else
	{
		u64 saved[2];

		asm volatile("movups %%xmm7, (%0)\nmovups (%1), %%xmm7\n"
			     "movups %%xmm7, (%2)\nmovups (%0), %%xmm7"
			     :
			     : "r"(saved), "r"(both), "r"(WORD - 1)
			     : "memory");
	}
#endif
	preempt_enable();
}

/* The lower halves of the words come of one register, the upper ones of the other. */
noinline void rt_watch_turns(u64 value)
{
#ifdef CONFIG_ARM64
	u32 from[4] = { -value, value, 0, value >> 32 };
	u64 saved[4];

	preempt_disable();
	asm volatile(".arch_extension fp\n.arch_extension simd\n"
		     "stp q6, q7, [%0]\nldr d6, [%1]\nldr d7, [%1, #8]\n"
		     "st2 {v6.2s, v7.2s}, [%2]\nldp q6, q7, [%0]"
		     :
		     : "r"(saved), "r"(from), "r"(WORD - 1)
		     : "memory");
	preempt_enable();
#else
	WRITE_ONCE(*WORD, value);
#endif
}

noinline void rt_watch_string(const u64 *from)
{
#ifdef CONFIG_X86
	u64 *to = WORD - 2;
	unsigned long count = 4;

	asm volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
#else
	memcpy(WORD - 2, from, 32);
#endif
	barrier();
}

noinline int rt_watch_copy(const char __user *from)
{
	return copy_from_user(WORD, from, 8) ? -EFAULT : 0;
}

noinline void rt_watch_others(u64 value)
{
	int i;

	for (i = 0; i < 5; i++)
		WRITE_ONCE(others[i], value);
}

noinline void rt_watch_padding(void)
{
	barrier();
}

/* --- where they run -------------------------------------------------------------- */

struct many {
	long count;
	void (*write)(u64 value);
};

static void add(u64 value)
{
	rt_watch_atomic();
}

static void write_many(void *data)
{
	struct many *many = data;
	long i;

	for (i = 1; i <= many->count; i++)
		many->write(i);
}

static long on_cpu(void *data)
{
	write_many(data);
	return 0;
}

static u64 next_value;

static void in_interrupt_now(struct irq_work *work)
{
	rt_watch_plain(next_value);
}

static void play_interrupt(long n)
{
	struct irq_work work;
	long i;

	for (i = 1; i <= n; i++) {
		init_irq_work(&work, in_interrupt_now);
		next_value = i;
		irq_work_queue(&work);
		irq_work_sync(&work);
	}
}

static int play_cpu(const char *text)
{
	struct many many = { .write = rt_watch_plain };
	int cpu;

	if (sscanf(text, "%d %ld", &cpu, &many.count) != 2)
		return -EINVAL;
	return work_on_cpu(cpu, on_cpu, &many);
}

static void play_string(long n)
{
	u64 block[4] = { 1, 2, 3, 4 };
	long i;

	for (i = 1; i <= n; i++) {
		block[2] = i;
		rt_watch_string(block);
	}
}

static int play(const char *word, long n, const char *text, const char __user *user)
{
	struct many all = { .count = n, .write = add };
	struct many plain = { .count = n, .write = rt_watch_plain };
	long i;

	if (!strcmp(word, "plain")) {
		write_many(&plain);
	} else if (!strcmp(word, "same")) {
		u64 value = *WORD;

		for (i = 0; i < n; i++)
			rt_watch_plain(value);
	} else if (!strcmp(word, "widths")) {
		rt_watch_width_1();
		rt_watch_width_2();
		rt_watch_width_4();
		rt_watch_width_8();
	} else if (!strcmp(word, "offsets")) {
		for (i = 0; i < 8; i++)
			rt_watch_byte(i);
	} else if (!strcmp(word, "read")) {
		for (i = 0; i < n; i++)
			rt_watch_read();
	} else if (!strcmp(word, "atomic")) {
		for (i = 0; i < n; i++)
			rt_watch_atomic();
	} else if (!strcmp(word, "swap")) {
		for (i = 1; i <= n; i++)
			rt_watch_swap(i);
	} else if (!strcmp(word, "compare")) {
		for (i = 0; i < n; i++)
			rt_watch_compare();
	} else if (!strcmp(word, "pair")) {
		for (i = 1; i <= n; i++)
			rt_watch_pair(i);
	} else if (!strcmp(word, "vector")) {
		for (i = 1; i <= n; i++)
			rt_watch_vector(i);
	} else if (!strcmp(word, "turns")) {
		for (i = 1; i <= n; i++)
			rt_watch_turns(i);
	} else if (!strcmp(word, "string")) {
		play_string(n);
	} else if (!strcmp(word, "copy")) {
		return rt_watch_copy(user);
	} else if (!strcmp(word, "interrupt")) {
		play_interrupt(n);
	} else if (!strcmp(word, "all")) {
		on_each_cpu(write_many, &all, 1);
	} else if (!strcmp(word, "cpu")) {
		return play_cpu(text);
	} else if (!strcmp(word, "others")) {
		for (i = 1; i <= n; i++)
			rt_watch_others(i);
	} else if (!strcmp(word, "clear")) {
		rt_watch_plain(0);
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
		err = play(line.word, line.number, line.rest, user + 5);
	return err ? err : size;
}

static int show(struct seq_file *out, void *unused)
{
	seq_printf(out, "word 0x%lx\nother 0x%lx\n", (unsigned long)WORD, (unsigned long)others);
	return 0;
}

static int play_open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static const struct proc_ops play_ops = {
	.proc_open = play_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = play_write,
};

static int __init play_init(void)
{
	return proc_create("rt_watch_play", 0600, NULL, &play_ops) ? 0 : -ENOMEM;
}

static void __exit play_exit(void)
{
	remove_proc_entry("rt_watch_play", NULL);
	rt_watch_padding();
}

module_init(play_init);
module_exit(play_exit);
MODULE_LICENSE("GPL");
