// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/sched.h>

#ifdef CONFIG_ARM64
#include <asm/sysreg.h>
#endif

#include "event/event.h"
#include "event/channel.h"
#include "event/target.h"
#include "watch.h"
#include "watch_copies.h"
#include "watch_near.h"

/* More than the number of registers; for user watches, more than any user needs. */
#define ARMED_MAX 64

static struct rt_watch *armed[ARMED_MAX];
static DEFINE_MUTEX(armed_lock);
u32 rt_watch_near_armed;

/*
 * If kernel pointers carry tags, the kernel compares them with the tag.  It then finds no watch at the
 * address and calls the one that seems nearest, which may be any.
 */
static bool tagged;

#ifdef CONFIG_ARM64
#define TOP_BYTE_IGNORED (1ULL << 38) /* in addresses of the kernel */

static void learn_tags(void)
{
	WRITE_ONCE(tagged, read_sysreg(tcr_el1) & TOP_BYTE_IGNORED);
}
#else
static void learn_tags(void)
{
}
#endif

static bool is_near(const struct rt_watch *a, const struct rt_watch *b)
{
	u64 apart = a->address > b->address ? a->address - b->address : b->address - a->address;

	return a != b && a->user == b->user &&
	       (apart < RT_WATCH_NEAR_BYTES || (READ_ONCE(tagged) && !a->user));
}
NOKPROBE_SYMBOL(is_near);

static bool is_near_on(struct rt_watch *a, struct rt_watch *b, u32 cpu)
{
	return is_near(rt_watch_on(a, cpu), rt_watch_on(b, cpu));
}

/* Watches of per-CPU variables may be near to another one on some CPUs only. */
static bool is_near_anywhere(struct rt_watch *a, struct rt_watch *b)
{
	int cpu;

	if (!a->copies && !b->copies)
		return is_near(a, b);
	for_each_possible_cpu(cpu)
		if (is_near_on(a, b, cpu))
			return true;
	return false;
}

static void set_crowded(struct rt_watch *watch, bool crowded)
{
	int cpu;

	WRITE_ONCE(watch->crowded, crowded);
	if (!watch->copies)
		return;
	for_each_possible_cpu(cpu)
		WRITE_ONCE(watch->copies[cpu].crowded, crowded);
}

static void judge_all(void)
{
	u32 i, k, count = 0;

	learn_tags();
	for (i = 0; i < ARMED_MAX; i++) {
		bool crowded = false;

		if (!armed[i])
			continue;
		count++;
		for (k = 0; k < ARMED_MAX; k++)
			crowded = crowded || (armed[k] && is_near_anywhere(armed[i], armed[k]));
		set_crowded(armed[i], crowded);
	}
	WRITE_ONCE(rt_watch_near_armed, count);
}

void rt_watch_near_add(struct rt_watch *watch)
{
	u32 i;

	if (!IS_ENABLED(CONFIG_ARM64) || watch->access & RT_ACCESS_EXECUTE)
		return;
	mutex_lock(&armed_lock);
	for (i = 0; i < ARMED_MAX && armed[i]; i++)
		;
	if (i < ARMED_MAX)
		WRITE_ONCE(armed[i], watch);
	judge_all();
	mutex_unlock(&armed_lock);
}

void rt_watch_near_remove(struct rt_watch *watch)
{
	u32 i;

	mutex_lock(&armed_lock);
	for (i = 0; i < ARMED_MAX; i++)
		if (armed[i] == watch)
			WRITE_ONCE(armed[i], NULL);
	set_crowded(watch, false);
	judge_all();
	mutex_unlock(&armed_lock);
}

u32 rt_watch_near_find(const struct rt_watch *watch, struct rt_watch **found)
{
	struct rt_watch *other;
	u32 i, n = 0;

	for (i = 0; i < ARMED_MAX && n < RT_WATCH_NEAR_MAX; i++) {
		other = READ_ONCE(armed[i]);
		if (!other)
			continue;
		other = rt_watch_on(other, raw_smp_processor_id());
		if (!is_near(watch, other))
			continue;
		if (other->user &&
		    !rt_target_has_task(&other->event->channel->targets, current->pid))
			continue;
		found[n++] = other;
	}
	return n;
}
NOKPROBE_SYMBOL(rt_watch_near_find);

u32 rt_watch_near_count(const struct rt_watch *watch, u64 address, u32 access)
{
	struct rt_watch *found[RT_WATCH_NEAR_MAX];
	u32 count = rt_watch_near_find(watch, found), n = 0, i;

	for (i = 0; i < count; i++)
		if (address - found[i]->address < found[i]->length && found[i]->access & access)
			n++;
	return n;
}
NOKPROBE_SYMBOL(rt_watch_near_count);

u32 rt_watch_near_touched(u64 from, u32 bytes, struct rt_watch **found)
{
	struct rt_watch *watch;
	u32 i, n = 0;

	for (i = 0; i < ARMED_MAX && n < RT_WATCH_NEAR_MAX; i++) {
		watch = READ_ONCE(armed[i]);
		if (watch)
			watch = rt_watch_on(watch, raw_smp_processor_id());
		if (watch && !watch->user && from < watch->address + watch->length &&
		    watch->address < from + bytes)
			found[n++] = watch;
	}
	return n;
}
NOKPROBE_SYMBOL(rt_watch_near_touched);
