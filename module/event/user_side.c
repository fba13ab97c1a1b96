// SPDX-License-Identifier: GPL-2.0
#include <linux/bitops.h>
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#ifdef CONFIG_ARM64
#include <asm/pointer_auth.h>
#endif

#include "compat/ptrace.h"
#include "kernel/lookup.h"
#include "channel.h"
#include "event.h"
#include "stack.h"
#include "user_side.h"

/* --- registers ------------------------------------------------------------------- */

/*
 * An NMI may come while the entry code of x86 is saving the task's registers: the stack pointer
 * then still points between them.
 */
static bool half_saved(const struct pt_regs *fired, const struct pt_regs *task)
{
#ifdef CONFIG_X86
	return fired && in_nmi() && fired->sp > (unsigned long)&task->r11 &&
	       fired->sp <= (unsigned long)(task + 1);
#else
	return false;
#endif
}

static bool fast_syscalls __read_mostly;
#ifdef RT_COMPAT_USER_SP
static const unsigned long __percpu *user_sp __read_mostly;
#endif

void __init rt_user_side_init(void)
{
#ifdef RT_COMPAT_FAST_SYSCALLS
	static const char *const labels[] __initconst = { RT_COMPAT_FAST_SYSCALLS };
	size_t i;

	/* Without the lookup it must be assumed. */
	fast_syscalls = !rt_lookup_found();
	for (i = 0; i < ARRAY_SIZE(labels); i++)
		if (rt_lookup_name(labels[i]))
			fast_syscalls = true;
	user_sp = (const unsigned long __percpu *)rt_lookup_name(RT_COMPAT_USER_SP);
#endif
}

static struct pt_regs *registers_of(struct pt_regs *fired)
{
	struct pt_regs *task;

	if (fired && user_mode(fired))
		return fired;
	if (!current->mm || (current->flags & PF_KTHREAD))
		return NULL;
	task = task_pt_regs(current);
	if (half_saved(fired, task) || !user_mode(task))
		return NULL;
	return task;
}

static u64 stack_pointer_of(const struct rt_user_side *user)
{
#ifdef RT_COMPAT_USER_SP
	if (unlikely(user->unsaved && user_sp && user->what == RT_USER_64 &&
		     !rt_compat_user_sp_saved(user->regs)))
		return *raw_cpu_ptr(user_sp);
#endif
	return user_stack_pointer(user->regs);
}

static u32 kind_of(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return user_64bit_mode(regs) ? RT_USER_64 : RT_USER_32;
#else
	return compat_user_mode(regs) ? RT_USER_32 : RT_USER_64;
#endif
}

/*
 * An NMI may also come between the switch to another task's page tables and the switch to the task.
 * Interrupts are off there, so only NMIs need this check.
 */
static bool page_tables_match(void)
{
#ifdef CONFIG_X86
	if (in_nmi() && (!current->mm || read_cr3_pa() != __pa(current->mm->pgd)))
		return false;
#endif
	return true;
}

/* --- frames ---------------------------------------------------------------------- */

/* Page faults are disabled, and the memory is the task's, so these accesses do not fault. */
#define read_pair(pair, from)                                                               \
	((from) < TASK_SIZE_MAX - sizeof(pair) &&                                           \
	 rt_compat_access_ok((const void __user *)(unsigned long)(from), sizeof(pair)) &&   \
	 !__get_user((pair)[0], (const typeof((pair)[0]) __user *)(unsigned long)(from)) && \
	 !__get_user((pair)[1], (const typeof((pair)[0]) __user *)(unsigned long)(from) + 1))

#ifdef CONFIG_X86
/* A program may keep any value in its frame pointer; a cyclic chain ends at the limit of frames. */
#define FRAME_ALIGN	     1
#define goes_up(frame, next) true
#define plain(address)	     (address)
#else
#define FRAME_ALIGN	     8
#define goes_up(frame, next) ((next) > (frame))
/* Clear the bits where pointer authentication puts its signature. */
#define plain(address)	     ((address) & ~ptrauth_user_pac_mask())
#endif

/* { caller's frame, return address } on both architectures. */
static u32 user_walk(unsigned long *to, u32 max, struct pt_regs *regs)
{
	u64 pair[2], frame;
	u32 n = 0;

#ifdef CONFIG_X86
	frame = regs->bp;
#else
	frame = regs->regs[29];
#endif
	to[n++] = instruction_pointer(regs);
	while (n < max && !(frame & (FRAME_ALIGN - 1)) && read_pair(pair, frame)) {
		to[n++] = plain(pair[1]);
		if (!goes_up(frame, pair[0]))
			break;
		frame = pair[0];
	}
	return n;
}

static u32 user_walk_32(unsigned long *to, u32 max, struct pt_regs *regs)
{
	u32 n = 0;
#ifdef CONFIG_X86
	u32 pair[2], frame = regs->bp;

	to[n++] = instruction_pointer(regs);
	while (n < max && read_pair(pair, (u64)frame)) {
		to[n++] = pair[1];
		frame = pair[0];
	}
#else
	/* 32-bit ARM has no common frame layout. */
	to[n++] = instruction_pointer(regs);
#endif
	return n;
}

static u32 user_walk_frames(const struct rt_user_side *user, u32 max)
{
	u32 n, count;

	if (!user->regs || !max)
		return 0;
	if (!user->readable)
		max = 1;
	count = rt_compat_faults_off();
	n = user->what == RT_USER_64 ? user_walk(user->stack, max, user->regs) :
				       user_walk_32(user->stack, max, user->regs);
	rt_compat_faults_on(count);
	return n;
}

/* --- on the record --------------------------------------------------------------- */

u32 rt_user_side_look(struct rt_user_side *user, const struct rt_event *event, struct pt_regs *regs,
		      u32 kernel_frames, u32 guard)
{
	u32 bytes = 0;

	user->regs = registers_of(regs);
	user->what = user->regs ? kind_of(user->regs) : RT_USER_NONE;
	user->readable = user->regs && page_tables_match();
	user->unsaved = user->regs && user->regs != regs && fast_syscalls ?
				rt_compat_unsaved_words(user->regs) :
				0;
	user->frames = 0;
	if (event->carry & RT_CARRY_USER_STACK) {
		user->stack = raw_cpu_read(event->channel->cpu->scratch) +
			      (RT_STACK_LEVELS + guard) * RT_STACK_MAX;
		user->frames = user_walk_frames(user, event->stack_max - kernel_frames);
		bytes += (1 + user->frames) * sizeof(u64);
	}
	if (event->carry & RT_CARRY_USER_REGISTERS)
		bytes += (1 + (user->regs ? hweight64(event->user_registers) : 0)) * sizeof(u64);
	if (event->carry & RT_CARRY_USER_BYTES)
		bytes += sizeof(struct rt_user_bytes) + (user->readable ? event->user_bytes : 0);
	return bytes;
}
NOKPROBE_SYMBOL(rt_user_side_look);

static rt_payload_u64 *put_registers(rt_payload_u64 *at, const struct rt_user_side *user, u64 mask)
{
	const u64 *words = (const u64 *)user->regs;
	u32 word;

	*at++ = user->what;
	if (!words)
		return at;
	/* As perf does, write -1 for what is not known. */
	for (; mask; mask &= mask - 1) {
		word = __ffs64(mask);
		*at++ = word < user->unsaved ? ~0ULL : words[word];
#ifdef RT_COMPAT_USER_SP
		if (word == RT_COMPAT_USER_SP_WORD)
			at[-1] = stack_pointer_of(user);
#endif
	}
	return at;
}

/* Copy page by page, and stop at the first page that is not present. */
static rt_payload_u64 *put_bytes(rt_payload_u64 *at, const struct rt_user_side *user, u32 room)
{
	struct rt_user_bytes *to = (void *)at;
	u64 from;
	u32 part;

	to->room = user->readable ? room : 0;
	to->valid = 0;
	if (!to->room)
		return at + 1;
	from = stack_pointer_of(user);
	while (to->valid < room) {
		part = min_t(u32, room - to->valid, PAGE_SIZE - offset_in_page(from + to->valid));
		if (copy_from_user_nofault(to->bytes + to->valid,
					   (const void __user *)(unsigned long)from + to->valid,
					   part))
			break;
		to->valid += part;
	}
	memset(to->bytes + to->valid, 0, room - to->valid);
	return at + 1 + room / sizeof(u64);
}

rt_payload_u64 *rt_user_side_put(const struct rt_user_side *user, const struct rt_event *event,
				 rt_payload_u64 *at)
{
	if (event->carry & RT_CARRY_USER_STACK) {
		*at++ = user->frames;
		memcpy(at, user->stack, user->frames * sizeof(*at));
		at += user->frames;
	}
	if (event->carry & RT_CARRY_USER_REGISTERS)
		at = put_registers(at, user, event->user_registers);
	if (event->carry & RT_CARRY_USER_BYTES)
		at = put_bytes(at, user, event->user_bytes);
	return at;
}
NOKPROBE_SYMBOL(rt_user_side_put);
