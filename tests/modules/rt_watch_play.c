// SPDX-License-Identifier: GPL-2.0
/*
 * rt_watch_play - writes to its own memory in known ways from known functions, for tests
 * that watch it.
 *
 * Read from /proc/rt_watch_play: the addresses of `word` (rt_watch_area[4]), of `other` (64 bytes),
 * and of the kernel's `jiffies`.
 * Write to it:
 *
 *	plain N		word = 1 … N, by rt_watch_plain()
 *	called N	word = 1 … N, by rt_watch_plain(), which rt_watch_caller() calls
 *	same N		word = word, N times, by rt_watch_plain()
 *	widths		1, 2, 4 and 8 bytes of 0x11…, 0x22…, 0x33…, 0x44… at word, by rt_watch_width_…()
 *	offsets		bytes 0 … 7 of word = 1 … 8, by rt_watch_byte()
 *	read N		N reads of word, by rt_watch_read()
 *	atomic N	N additions of 1, by rt_watch_atomic()
 *	swap N		N exchanges with 1 … N, by rt_watch_swap()
 *	compare N	N times word + 1 by compare-and-exchange, by rt_watch_compare()
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
 *	unseen N	N times word = 1 by rt_watch_plain() and 0 through another mapping
 *	idle N		N times word = word, by rt_watch_idle(), all registers the same each time
 *	poll N		N times a read of word, by rt_watch_poll(), all registers the same each time
 *	wide N		N times each: 16 bytes by a pair, 16 by a SIMD register, 64 zeros, over word and its
 *			neighbours
 * and on arm64, in loops of load-exclusive and store-exclusive, N times each, by rt_watch_…():
 *	counted N	+1 with interrupts off; counts the attempts, to be read as `attempts`
 *	chosen N	+1 by CSINC
 *	doubled N	+1 of a pair of eight bytes
 *	strange N	+1, with a load in the loop
 *	locked N	as strange, with interrupts off
 * Read also: `value`, the value of word.
 *
 * A write to /proc/rt_watch_sink discards its data and sets word = 1, by rt_watch_plain().  Read from
 * it: the number of these writes.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "compat/proc_fs.h"
#include "rt_line.h"

/* The watched word has neighbours on both sides. */
static u64 rt_watch_area[8] __aligned(64);
static u64 others[8] __aligned(64);
#define WORD (&rt_watch_area[4])

noinline void rt_watch_plain(u64 value);
noinline void rt_watch_caller(long n);
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
noinline void rt_watch_idle(void);
noinline void rt_watch_poll(void);
noinline void rt_watch_wide(u64 value);
noinline void rt_watch_counted(void);
noinline void rt_watch_chosen(void);
noinline void rt_watch_doubled(void);
noinline void rt_watch_strange(void);
noinline void rt_watch_padding(void);

noinline void rt_watch_plain(u64 value)
{
	WRITE_ONCE(*WORD, value);
}

noinline void rt_watch_caller(long n)
{
	long i;

	for (i = 1; i <= n; i++)
		rt_watch_plain(i);
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

	/* Saves and restores the register, which belongs to another context. */
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

/* The lower halves of the words come from one register, the upper halves from the other. */
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

/* The loop counter is in memory, because all registers must be the same at each access. */
static long idle_left;

noinline void rt_watch_idle(void)
{
#ifdef CONFIG_ARM64
	asm volatile("	ldr	x10, [%1]\n"
		     "1:	ldr	x9, [%0]\n"
		     "	sub	x9, x9, #1\n"
		     "	str	x9, [%0]\n"
		     "	mov	x9, xzr\n"
		     "	str	x10, [%1]\n"
		     "	ldr	x9, [%0]\n"
		     "	cbnz	x9, 1b\n"
		     :
		     : "r"(&idle_left), "r"(WORD)
		     : "x9", "x10", "memory");
#else
	u64 value = *WORD;

	while (idle_left--)
		WRITE_ONCE(*WORD, value);
#endif
}

noinline void rt_watch_poll(void)
{
#ifdef CONFIG_ARM64
	asm volatile("1:	ldr	x9, [%0]\n"
		     "	sub	x9, x9, #1\n"
		     "	str	x9, [%0]\n"
		     "	mov	x9, xzr\n"
		     "	ldr	x10, [%1]\n"
		     "	ldr	x9, [%0]\n"
		     "	cbnz	x9, 1b\n"
		     :
		     : "r"(&idle_left), "r"(WORD)
		     : "x9", "x10", "memory");
#else
	while (idle_left--)
		READ_ONCE(*WORD);
#endif
}

noinline void rt_watch_wide(u64 value)
{
	rt_watch_pair(value);
	rt_watch_vector(value);
#ifdef CONFIG_ARM64
	if (!(read_sysreg(dczid_el0) & 16) && (4 << (read_sysreg(dczid_el0) & 15)) == 64)
		asm volatile("dc zva, %0" : : "r"(rt_watch_area) : "memory");
#endif
}

static u64 attempts;

#ifdef CONFIG_ARM64
noinline void rt_watch_counted(void)
{
	u64 value, fail, tries = 0;

	asm volatile("1:	ldxr	%0, %3\n"
		     "	add	%2, %2, #1\n"
		     "	add	%0, %0, #1\n"
		     "	stxr	%w1, %0, %3\n"
		     "	cbnz	%w1, 1b\n"
		     : "=&r"(value), "=&r"(fail), "+r"(tries), "+Q"(*WORD));
	attempts += tries;
}

noinline void rt_watch_chosen(void)
{
	u64 value, fail;

	asm volatile("1:	ldxr	%0, %2\n"
		     "	cmp	%0, #-1\n"
		     "	csinc	%0, xzr, %0, eq\n"
		     "	stxr	%w1, %0, %2\n"
		     "	cbnz	%w1, 1b\n"
		     : "=&r"(value), "=&r"(fail), "+Q"(*WORD)
		     :
		     : "cc");
}

noinline void rt_watch_doubled(void)
{
	u64 first, second, fail;

	asm volatile("1:	ldxp	%0, %1, %3\n"
		     "	add	%0, %0, #1\n"
		     "	stxp	%w2, %0, %1, %3\n"
		     "	cbnz	%w2, 1b\n"
		     : "=&r"(first), "=&r"(second), "=&r"(fail), "+Q"(*(u64(*)[2])WORD));
}

/* The interpreter does not expect a load there; the CPU itself may complete the loop. */
noinline void rt_watch_strange(void)
{
	u64 value, fail, one;

	asm volatile("1:	ldxr	%0, %3\n"
		     "	ldr	%2, [%4]\n"
		     "	add	%0, %0, #1\n"
		     "	stxr	%w1, %0, %3\n"
		     "	cbnz	%w1, 1b\n"
		     : "=&r"(value), "=&r"(fail), "=&r"(one), "+Q"(*WORD)
		     : "r"(&others[7]));
}
#endif

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

/* The same memory at another address, which no watch covers. */
static int play_unseen(long n)
{
	struct page *page = vmalloc_to_page(WORD);
	u64 *alias = page ? vmap(&page, 1, VM_MAP, PAGE_KERNEL) : NULL;
	long i;

	if (!alias)
		return -ENOMEM;
	alias = (u64 *)((char *)alias + offset_in_page(WORD));
	for (i = 0; i < n; i++) {
		rt_watch_plain(1);
		WRITE_ONCE(*alias, 0);
	}
	vunmap((void *)((unsigned long)alias & PAGE_MASK));
	return 0;
}

static void play_same(long n, void (*run)(void))
{
	idle_left = n;
	if (n)
		run();
}

/* Only on arm64. */
static int play_exclusive(const char *word, long n)
{
#ifdef CONFIG_ARM64
	void (*run)(void) = !strcmp(word, "counted") ? rt_watch_counted :
			    !strcmp(word, "chosen")  ? rt_watch_chosen :
			    !strcmp(word, "doubled") ? rt_watch_doubled :
						       rt_watch_strange;
	/* An interrupt between load and store makes the store fail, with or without a watch. */
	bool locked = run == rt_watch_counted || !strcmp(word, "locked");
	unsigned long flags = 0;
	long i;

	attempts = 0;
	if (locked)
		local_irq_save(flags);
	for (i = 0; i < n; i++)
		run();
	if (locked)
		local_irq_restore(flags);
	return 0;
#else
	return -EINVAL;
#endif
}

static int play(const char *word, long n, const char *text, const char __user *user)
{
	struct many all = { .count = n, .write = add };
	struct many plain = { .count = n, .write = rt_watch_plain };
	long i;

	if (!strcmp(word, "plain")) {
		write_many(&plain);
	} else if (!strcmp(word, "called")) {
		rt_watch_caller(n);
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
	} else if (!strcmp(word, "unseen")) {
		return play_unseen(n);
	} else if (!strcmp(word, "idle")) {
		play_same(n, rt_watch_idle);
	} else if (!strcmp(word, "poll")) {
		play_same(n, rt_watch_poll);
	} else if (!strcmp(word, "wide")) {
		for (i = 1; i <= n; i++)
			rt_watch_wide(i);
	} else if (!strcmp(word, "counted") || !strcmp(word, "chosen") ||
		   !strcmp(word, "doubled") || !strcmp(word, "strange") ||
		   !strcmp(word, "locked")) {
		return play_exclusive(word, n);
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
	seq_printf(out, "word 0x%lx\nother 0x%lx\njiffies 0x%lx\n", (unsigned long)WORD,
		   (unsigned long)others, (unsigned long)&jiffies);
	seq_printf(out, "value %lld\nattempts %lld\n", (long long)*WORD, (long long)attempts);
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

/* --- accesses by the writer of a file -------------------------------------------- */

static atomic_t sunk = ATOMIC_INIT(0);

static ssize_t sink_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	rt_watch_plain(1);
	atomic_inc(&sunk);
	return size;
}

static ssize_t sink_read(struct file *file, char __user *user, size_t size, loff_t *at)
{
	char line[16];

	return simple_read_from_buffer(user, size, at, line,
				       snprintf(line, sizeof(line), "%d\n", atomic_read(&sunk)));
}

static const struct proc_ops sink_ops = { .proc_write = sink_write, .proc_read = sink_read };

static int __init play_init(void)
{
	if (!proc_create("rt_watch_play", 0600, NULL, &play_ops))
		return -ENOMEM;
	if (proc_create("rt_watch_sink", 0600, NULL, &sink_ops))
		return 0;
	remove_proc_entry("rt_watch_play", NULL);
	return -ENOMEM;
}

static void __exit play_exit(void)
{
	remove_proc_entry("rt_watch_sink", NULL);
	remove_proc_entry("rt_watch_play", NULL);
	rt_watch_padding();
}

module_init(play_init);
module_exit(play_exit);
MODULE_LICENSE("GPL");
