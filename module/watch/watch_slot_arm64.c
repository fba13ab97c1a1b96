// SPDX-License-Identifier: GPL-2.0
#ifdef CONFIG_ARM64
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/perf_event.h>
#include <asm/hw_breakpoint.h>
#include <asm/sysreg.h>

#include "compat/slots.h"
#include "watch_slot.h"

/* Bits of the architecture's control registers. */
#define CONTROL_ENABLE 1U
#define CONTROL_LOAD   (1U << 3)
#define CONTROL_STORE  (1U << 4)
#define CONTROL_BYTE   5

static u32 slots;

void rt_watch_slot_init(void)
{
	slots = rt_compat_watch_slots();
}

#define EACH_SLOT(DO) \
	DO(0)         \
	DO(1)         \
	DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)

u32 rt_watch_slots_at(u64 trigger, bool write)
{
	u32 want = 1U << (CONTROL_BYTE + (trigger & 7)) | (write ? CONTROL_STORE : CONTROL_LOAD);
	u64 word = trigger & ~7ULL;
	u32 found = 0;

#define LOOK(n)                                                                                    \
	if (n >= slots)                                                                            \
		return found;                                                                      \
	if (read_sysreg(dbgwvr##n##_el1) == word && (read_sysreg(dbgwcr##n##_el1) & want) == want) \
		found |= 1U << n;

	EACH_SLOT(LOOK)
	return found;
}
NOKPROBE_SYMBOL(rt_watch_slots_at);

static u64 control_of(u32 slot)
{
#define CONTROL(n) \
	case n:    \
		return read_sysreg(dbgwcr##n##_el1);

	switch (slot) {
		EACH_SLOT(CONTROL)
	}
	return 0;
}
NOKPROBE_SYMBOL(control_of);

static void switch_off(u32 slot)
{
#define SWITCH_OFF(n)                                                             \
	case n:                                                                   \
		write_sysreg(read_sysreg(dbgwcr##n##_el1) & ~(u64)CONTROL_ENABLE, \
			     dbgwcr##n##_el1);                                    \
		break;

	switch (slot) {
		EACH_SLOT(SWITCH_OFF)
	}
	isb();
}
NOKPROBE_SYMBOL(switch_off);

static u32 in_use(void)
{
	u32 used = 0, i;

	for (i = 0; i < slots; i++)
		if (control_of(i))
			used |= 1U << i;
	return used;
}
NOKPROBE_SYMBOL(in_use);

/*
 * Find the event's own register: the one that becomes free when the event is deleted.  The event is
 * then in *NOW, the first free register; the function returns the register where it was.
 */
static u32 find_own(struct perf_event *event, u32 *now)
{
	u32 before = in_use(), without;

	event->pmu->del(event, 0);
	without = in_use();
	event->pmu->add(event, PERF_EF_START);
	*now = in_use() & ~without;
	return before & ~without;
}
NOKPROBE_SYMBOL(find_own);

bool rt_watch_slot_is_last(struct perf_event *event, u32 hit)
{
	u32 now, own = find_own(event, &now);

	return own && !(hit & ~(own | (own - 1)));
}
NOKPROBE_SYMBOL(rt_watch_slot_is_last);

/*
 * The kernel leaves registers in the same state while it steps: the event keeps its slot, the count
 * of monitors does not change, and scheduling the event out or in works as usual.
 */
void rt_watch_slot_off(struct perf_event *event)
{
	u32 now;

	find_own(event, &now);
	if (now)
		switch_off(__ffs(now));
}
NOKPROBE_SYMBOL(rt_watch_slot_off);
#endif
