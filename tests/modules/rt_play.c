// SPDX-License-Identifier: GPL-2.0
/*
 * rt_play - does known things a known number of times, for tests that record them.
 *
 * Written to /proc/rt_play:
 *
 *	number N	rt_play_number(i, 2 * i) for i in 0 … N-1, which returns -i
 *	string TEXT	rt_play_string(TEXT), which returns its length
 *	fault		rt_play_string() of an address that nobody may read
 *	stack N		rt_play_outer() → rt_play_middle() → rt_play_inner(), N times
 *	nested DEPTH	rt_play_nested(DEPTH), which calls itself DEPTH times
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

noinline long rt_play_number(long a, long b);
noinline long rt_play_string(const char *text);
noinline void rt_play_inner(long i);
noinline void rt_play_middle(long i);
noinline void rt_play_outer(long i);
noinline long rt_play_nested(long depth);
noinline void rt_play_padding(void);

noinline long rt_play_number(long a, long b)
{
	barrier();
	return a - b;
}

noinline long rt_play_string(const char *text)
{
	barrier();
	return (unsigned long)text < PAGE_SIZE ? -EFAULT : (long)strlen(text);
}

noinline void rt_play_inner(long i)
{
	barrier();
}

noinline void rt_play_middle(long i)
{
	rt_play_inner(i);
	barrier();
}

noinline void rt_play_outer(long i)
{
	rt_play_middle(i);
	barrier();
}

noinline long rt_play_nested(long depth)
{
	long below = depth > 1 ? rt_play_nested(depth - 1) : 0;

	barrier();
	return below + 1;
}

/* A probe in the last function of a module would make the kernel decode past its end. */
noinline void rt_play_padding(void)
{
	barrier();
}

static int play(const char *word, long n, const char *text)
{
	long i;

	if (!strcmp(word, "number")) {
		for (i = 0; i < n; i++)
			if (rt_play_number(i, 2 * i) != -i)
				return -EIO;
	} else if (!strcmp(word, "string")) {
		rt_play_string(text);
	} else if (!strcmp(word, "fault")) {
		rt_play_string((const char *)8);
	} else if (!strcmp(word, "stack")) {
		for (i = 0; i < n; i++)
			rt_play_outer(i);
	} else if (!strcmp(word, "nested")) {
		rt_play_nested(n);
	} else {
		return -EINVAL;
	}
	return 0;
}

static ssize_t play_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	char line[128], *text;
	long n = 0;
	int err;

	if (size >= sizeof(line))
		return -E2BIG;
	if (copy_from_user(line, user, size))
		return -EFAULT;
	line[size] = 0;
	text = strim(line);
	strsep(&text, " ");
	if (text && kstrtol(text, 0, &n))
		n = 0;
	err = play(strim(line), n, text ? text : "");
	return err ? err : size;
}

static const struct proc_ops play_ops = { .proc_write = play_write };

static int __init play_init(void)
{
	return proc_create("rt_play", 0200, NULL, &play_ops) ? 0 : -ENOMEM;
}

static void __exit play_exit(void)
{
	remove_proc_entry("rt_play", NULL);
	rt_play_padding();
}

module_init(play_init);
module_exit(play_exit);
MODULE_LICENSE("GPL");
