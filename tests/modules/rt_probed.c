// SPDX-License-Identifier: GPL-2.0
/*
 * rt_probed - functions with parameters, locals and types whose values tests know.
 *
 * Write "go N" to /proc/rt_probed: rt_probed_take(&item, i, ...) for i in 0 … N-1.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include "compat/proc_fs.h"
#include "rt_line.h"

enum rt_probed_color { RT_PROBED_RED, RT_PROBED_GREEN = 5, RT_PROBED_NONE = -1 };

struct rt_probed_pair {
	int first;
	short second;
};

struct rt_probed_item {
	const char *text;
	char name[4]; /* without a NUL */
	unsigned int low : 3;
	int high : 5;
	enum rt_probed_color color;
	union {
		u16 anonymous;
		u8 byte;
	};
	short numbers[4];
	struct rt_probed_pair pair;
	struct rt_probed_item *next;
	__be16 port;
	__be32 address;
	__be64 cookie[2];
	unsigned char label[8];
	unsigned char bytes[4];
	unsigned int flags;
};

noinline long rt_probed_double(long n);
noinline void rt_probed_note(long n);
noinline long rt_probed_take(struct rt_probed_item *item, int n, u8 small, bool flag,
			     const char *text);
noinline struct rt_probed_item *rt_probed_find(int n);
noinline long rt_probed_branch(long n);
long rt_probed_copied(long n);
noinline long rt_probed_caller(long n);
noinline long rt_probed_hidden(long n);

struct rt_probed_item rt_probed_global = {
	.text = "global",
	.pair = { 11, -12 },
};

noinline long rt_probed_double(long n)
{
	barrier();
	return 2 * n;
}

noinline void rt_probed_note(long n)
{
	asm volatile("" : : "r"(n) : "memory");
}

static __always_inline long rt_probed_inlined(long input)
{
	rt_probed_note(input);
	return input + 7;
}

/* Tests know these lines by their distance from the first. */
noinline long rt_probed_take(struct rt_probed_item *item, int n, u8 small, bool flag,
			     const char *text)
{
	long sum;

	asm volatile("" : : "r"(item), "r"(text), "r"((int)small), "r"((int)flag) : "memory");
	sum = rt_probed_double(n);
	rt_probed_note(sum); /* 7 below */
	sum = rt_probed_double(sum);
	sum += rt_probed_inlined(sum);
	barrier();
	return n & 1 ? -n : sum;
}

noinline struct rt_probed_item *rt_probed_find(int n)
{
	barrier();
	return n ? &rt_probed_global : NULL;
}

/* Tests know these lines by their distance from the first. */
noinline long rt_probed_branch(long n)
{
	if (n % 3 == 0)
		asm volatile("nop" : : "r"(n) : "memory"); /* 3 below */
	else
		asm volatile("nop\n\tnop" : : "r"(n) : "memory"); /* 5 below */
	barrier();
	return n;
}

static long (*volatile rt_probed_pointer)(long n) = rt_probed_copied;

/* A copy of its own is called through the pointer; the caller below contains another one. */
__always_inline long rt_probed_copied(long n)
{
	rt_probed_note(n);
	return n + 1;
}

noinline long rt_probed_caller(long n)
{
	long sum = n & 1 ? rt_probed_copied(n) : rt_probed_pointer(n);

	barrier();
	return sum;
}

/* The kernel refuses probes here, and so at the copy inside. */
noinline long rt_probed_hidden(long n)
{
	long sum = rt_probed_copied(n);

	barrier();
	return sum;
}
#ifdef NOKPROBE_SYMBOL
NOKPROBE_SYMBOL(rt_probed_hidden);
#endif

static ssize_t probed_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct rt_probed_item item = {
		.text = "some text",
		.name = { 'a', 'b', 'c', 'd' },
		.low = 5,
		.high = -6,
		.color = RT_PROBED_GREEN,
		.anonymous = 0xbeef,
		.numbers = { 1, -2, 3, -4 },
		.pair = { 100000, -7 },
		.next = &rt_probed_global,
		.port = cpu_to_be16(39435),
		.address = cpu_to_be32(0x0a000102),
		.cookie = { cpu_to_be64(0x1122334455667788ULL), cpu_to_be64(9) },
		.label = "shop",
		.bytes = { 1, 2, 254, 255 },
		.flags = 0x8002,
	};
	struct rt_line line;
	int i, err = rt_line_take(&line, user, size);

	for (i = 0; !err && i < line.number; i++) {
		item.color = i & 1 ? RT_PROBED_NONE : RT_PROBED_GREEN;
		rt_probed_take(&item, i, 200, i & 1, i & 1 ? "odd" : "even");
		rt_probed_find(i);
		rt_probed_branch(i);
		rt_probed_caller(i);
	}
	return err ? err : size;
}

static const struct proc_ops probed_ops = { .proc_write = probed_write };

static int __init probed_init(void)
{
	return proc_create("rt_probed", 0600, NULL, &probed_ops) ? 0 : -ENOMEM;
}

static void __exit probed_exit(void)
{
	remove_proc_entry("rt_probed", NULL);
}

module_init(probed_init);
module_exit(probed_exit);
MODULE_LICENSE("GPL");
