// SPDX-License-Identifier: GPL-2.0
/*
 * kprobe_forbidden.c - the functions of the kernel itself in which it forbids kprobes.
 *
 * The kernel has them in a list of about a thousand ranges, and searches it from the beginning for
 * each address.  That takes too long for ten thousand function entries, so at load the module copies
 * the ranges of the kernel's own text and sorts them; they do not change after the kernel has booted.
 * It reads the list with the functions that show it as debugfs' kprobes/blacklist, because the list
 * itself has no symbol on many kernels.  The copy only saves time: without it, and where the kernel
 * looks at more than the list, the kernel's own function is asked.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include <uapi/ringtail.h>

#include "compat/kprobe.h"
#include "kernel/lookup.h"
#include "kprobe_forbidden.h"
#include "kprobe_one.h"

/* The kernel's own text, and two functions of the kernel. */
static unsigned long text_begin, text_end;
static bool (*blacklisted)(unsigned long address) __read_mostly;
static bool (*blacklisted_by_arch)(unsigned long address) __read_mostly;

struct rt_forbidden {
	unsigned long begin, end;
};

/* Sorted, without overlaps; NULL: there is no copy. */
static struct rt_forbidden *ranges __read_mostly;
static u32 range_count __read_mostly;

/* --- copying the list ------------------------------------------------------------ */

typedef void *(*start_fn)(struct seq_file *file, loff_t *position);
typedef void *(*next_fn)(struct seq_file *file, void *at, loff_t *position);
typedef void (*stop_fn)(struct seq_file *file, void *at);

/* Copy at most MAX ranges to ALL; how many there are, 0 also if the list cannot be read. */
static u32 __init list_read(struct rt_forbidden *all, u32 max)
{
	start_fn start = (void *)rt_lookup_callable("kprobe_blacklist_seq_start");
	next_fn next = (void *)rt_lookup_callable("kprobe_blacklist_seq_next");
	stop_fn stop = (void *)rt_lookup_callable("kprobe_blacklist_seq_stop");
	loff_t position = 0;
	struct rt_forbidden range;
	u32 count = 0;
	void *at;

	/* Kernels without the last one do not lock the list meanwhile. */
	if (!start || !next || !stop)
		return 0;
	for (at = start(NULL, &position); at; at = next(NULL, at, &position)) {
		if (!rt_compat_kprobe_forbidden(at, &range.begin, &range.end) ||
		    range.begin >= text_end || range.end <= text_begin)
			continue;
		if (count < max)
			all[count] = range;
		count++;
	}
	stop(NULL, at);
	return count;
}

static int __init range_compare(const void *a, const void *b)
{
	const struct rt_forbidden *one = a, *other = b;

	return one->begin < other->begin ? -1 : one->begin > other->begin;
}

/* Sort, and make one of ranges that overlap or touch; how many are left. */
static u32 __init ranges_merge(struct rt_forbidden *all, u32 count)
{
	u32 i, last = 0;

	sort(all, count, sizeof(*all), range_compare, NULL);
	for (i = 1; i < count; i++) {
		if (all[i].begin > all[last].end)
			all[++last] = all[i];
		else
			all[last].end = max(all[last].end, all[i].end);
	}
	return last + 1;
}

void __init rt_kprobe_forbidden_init(void)
{
	struct rt_forbidden *all;
	u32 count;

	text_begin = rt_lookup_address(RT_LOOKUP_TEXT);
	text_end = rt_lookup_name("_etext");
	blacklisted = (void *)rt_lookup_callable("within_kprobe_blacklist");
	blacklisted_by_arch = (void *)rt_lookup_callable("arch_within_kprobe_blacklist");
	if (!blacklisted || !blacklisted_by_arch)
		return;
	count = list_read(NULL, 0);
	all = count ? kvcalloc(count, sizeof(*all), GFP_KERNEL) : NULL;
	if (!all)
		return;
	if (list_read(all, count) != count) {
		kvfree(all);
		return;
	}
	range_count = ranges_merge(all, count);
	ranges = all;
}

void rt_kprobe_forbidden_exit(void)
{
	kvfree(ranges);
}

/* --- asking ---------------------------------------------------------------------- */

static bool in_ranges(unsigned long address)
{
	u32 low = 0, high = range_count, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (address < ranges[middle].begin)
			high = middle;
		else if (address >= ranges[middle].end)
			low = middle + 1;
		else
			return true;
	}
	return false;
}

/* The kernel also forbids what the compiler made of a forbidden function, for example name.part.0. */
static bool is_part(unsigned long address)
{
	static char name[KSYM_SYMBOL_LEN];

	lockdep_assert_held(&rt_kprobes_lock);
	sprint_symbol_no_offset(name, address);
	return strchr(name, '.');
}

static bool is_blacklisted(unsigned long address)
{
	bool found;

	/* Newer kernels free an entry of the list after a grace period. */
	rcu_read_lock();
	found = blacklisted(address);
	rcu_read_unlock();
	return found;
}

bool rt_kprobe_is_allowed(unsigned long address)
{
	if (!blacklisted || address < text_begin || address >= text_end)
		return false;
	if (!ranges || is_part(address))
		return !is_blacklisted(address);
	return !in_ranges(address) && !blacklisted_by_arch(address);
}
