// SPDX-License-Identifier: GPL-2.0
/*
 * watch_decode_x86.c - find the instruction that made an access, from the address where the CPU
 * continues, and the value before the access.
 *
 * It is the instruction before that address, unless the CPU came from elsewhere: by a call, which
 * pushes its return address; by a return or a jump through memory, which leave no trace; or in the
 * middle of a repeated string operation.  After a store that is not a call, the CPU always
 * continues at the next instruction.  So a watch for writes needs no comparison unless the watched
 * bytes are on the stack.
 */
#ifdef CONFIG_X86
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "program/program_port.h"
#include "watch.h"
#include "watch_access.h"
#include "watch_decode.h"
#include "watch_moved_x86.h"
#include "watch_touch.h"
#include "watch_walk.h"
#include "x86_insn.h"

#define CALL_MAX 9

/* An address where the CPU continued, and the instruction before it. */
struct place {
	u64 ip;
	u32 generation;
	bool string;		 /* a repeated string operation is at ip */
	bool stores;		 /* the instruction stores, and continues at ip */
	s64 moved;		 /* from the instruction to the original of which it is a copy */
	struct rt_x86_insn insn; /* length 0: not found */
};

/*
 * Per CPU; only handlers of that CPU use them.  Handlers of kernel accesses do not nest.  A handler
 * of a user access may be interrupted by one of a kernel access, and uses only `user` and
 * `user_call`.
 */
#define PLACES_SHIFT 7
struct places {
	struct place user, user_call, call;
	struct place kernel[1 << PLACES_SHIFT];
};
static struct places __percpu *places;

/* Places of another generation are invalid, because code may have changed. */
static u32 generation = 1;

/* Accesses of which only the direction is known. */
static const struct rt_x86_insn some_read = { .op = RT_X86_READ };
static const struct rt_x86_insn some_write = { .op = RT_X86_WRITE, .wrote = RT_X86_NO_SOURCE };
static const struct rt_x86_insn some_access = { .op = RT_X86_UNKNOWN };

void rt_watch_decode_forget(void)
{
	WRITE_ONCE(generation, READ_ONCE(generation) + 1);
}

static int decode_module_changed(struct notifier_block *block, unsigned long state, void *data)
{
	rt_watch_decode_forget();
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = { .notifier_call = decode_module_changed };

int rt_watch_decode_open(void)
{
	int err;

	rt_walk_init();
	rt_moved_init();
	places = alloc_percpu(struct places);
	if (!places)
		return -ENOMEM;
	err = register_module_notifier(&module_notifier);
	if (err)
		free_percpu(places);
	return err;
}

void rt_watch_decode_exit(void)
{
	unregister_module_notifier(&module_notifier);
	free_percpu(places);
}

/* --- places ---------------------------------------------------------------------- */

static bool read_string(struct pt_regs *regs, u64 ip, struct rt_x86_insn *insn)
{
	u8 code[RT_X86_LENGTH_LIMIT];

	if (!rt_walk_read(regs, ip, code, sizeof(code)))
		return false;
	rt_x86_insn_parse(insn, code, sizeof(code), rt_touch_is_wide(regs));
	return insn->op == RT_X86_STRING && (insn->flags & RT_X86_REPEAT);
}
NOKPROBE_SYMBOL(read_string);

static noinline void decode_fill(struct place *place, struct pt_regs *regs, u64 ip)
{
	struct rt_x86_insn *insn = &place->insn;
	u8 code[RT_WALK_BYTES] = { 0 };
	u32 length;

	place->ip = ip;
	place->generation = READ_ONCE(generation);
	place->moved = 0;
	length = rt_walk_back(regs, ip, code);
	if (!length && !user_mode(regs)) {
		length = rt_moved_back(regs, ip, code, &place->moved);
		/* The next copy there may be of another instruction. */
		place->ip = length ? 0 : ip;
	}
	if (!length) {
		*insn = some_access;
		insn->base = RT_X86_NO_ADDRESS;
		place->stores = false;
		return;
	}
	rt_x86_insn_parse(insn, code, length, rt_touch_is_wide(regs));
	place->stores = !(insn->flags & RT_X86_LEAVES) &&
			(insn->op >= RT_X86_WRITE || insn->op == RT_X86_UNKNOWN ||
			 (insn->op == RT_X86_STRING && (insn->source & RT_X86_WRITES_DI)) ||
			 (insn->flags & RT_X86_PUSHES));
}
NOKPROBE_SYMBOL(decode_fill);

/* The CPU continues at IP, so the code there is readable. */
static noinline void fill_next(struct place *place, struct pt_regs *regs, u64 ip)
{
	struct rt_x86_insn insn;

	place->string = read_string(regs, ip, &insn);
	decode_fill(place, regs, ip);
}
NOKPROBE_SYMBOL(fill_next);

static __always_inline bool is_filled(const struct place *place, u64 ip)
{
	return place->ip == ip && place->generation == READ_ONCE(generation);
}

/* --- which instruction it was ---------------------------------------------------- */

/* Whether INSN, a call before BACK, calls the address where the CPU continues. */
static bool leads_here(const struct rt_x86_insn *insn, struct pt_regs *regs, u64 back)
{
	u64 target, address;

	if (!(insn->flags & RT_X86_CALL))
		return false;
	/* Do not read kernel memory for a guess: it may belong to a device. */
	if (insn->op == RT_X86_READ && !user_mode(regs))
		return rt_walk_is_entry(regs->ip);
	if (insn->op == RT_X86_READ) {
		target = 0;
		if (!rt_touch_operand(insn, regs, back, &address) ||
		    rt_port_read(&target, address, rt_touch_is_wide(regs) ? 8 : 4))
			return false;
	} else if (insn->source == RT_X86_IMMEDIATE) {
		target = back + (s64)insn->imm;
	} else {
		target = rt_x86_register((const u64 *)regs, insn->source);
	}
	return rt_touch_is_wide(regs) ? target == regs->ip : (u32)target == (u32)regs->ip;
}
NOKPROBE_SYMBOL(leads_here);

/* Find the call before BACK if the walk did not: try each length that a call may have. */
static bool guess_call(struct rt_x86_insn *insn, struct pt_regs *regs, u64 back)
{
	u8 code[CALL_MAX + RT_X86_LENGTH_LIMIT] = { 0 };
	u32 length;

	if (rt_port_read(code, back - CALL_MAX, CALL_MAX))
		return false;
	for (length = 2; length <= CALL_MAX; length++) {
		rt_x86_insn_parse(insn, code + CALL_MAX - length, length, rt_touch_is_wide(regs));
		if (leads_here(insn, regs, back))
			return true;
	}
	return false;
}
NOKPROBE_SYMBOL(guess_call);

/* A call pushes the address after it, and may have read its target from memory. */
static bool was_called(const struct rt_watch *watch, struct pt_regs *regs, struct rt_access *access)
{
	bool user = user_mode(regs);
	struct places *mine = this_cpu_ptr(places);
	struct place *place = user ? &mine->user_call : &mine->call;
	u64 back = 0, address;

	if (rt_port_read(&back, regs->sp, rt_touch_is_wide(regs) ? 8 : 4))
		return false;
	if (user || !is_filled(place, back))
		decode_fill(place, regs, back);
	if (!leads_here(&place->insn, regs, back)) {
		/* The walk found nothing, or found a call that does not lead here. */
		if (!user || place->insn.length || !guess_call(&place->insn, regs, back))
			return false;
	}
	if (rt_touches(watch, regs->sp, 8))
		access->insn = &some_write;
	else if (place->insn.op == RT_X86_READ &&
		 rt_touch_operand(&place->insn, regs, back, &address) &&
		 rt_touches(watch, address, place->insn.size))
		access->insn = &some_read;
	else
		return false;
	access->ip = back - place->insn.length;
	return true;
}
NOKPROBE_SYMBOL(was_called);

/* Whether the last element that the operation stored is in memory. */
static bool has_stored(struct pt_regs *regs, const struct rt_x86_insn *insn)
{
	bool down = regs->flags & X86_EFLAGS_DF;
	u64 there = 0;

	/* The source may be device memory, so do not read it again. */
	if ((insn->source & RT_X86_READS_SI) ||
	    rt_port_read(&there, regs->di + (down ? insn->size : -(u64)insn->size), insn->size))
		return true;
	return !memcmp(&there, &regs->ax, insn->size);
}
NOKPROBE_SYMBOL(has_stored);

/* Set when the processor has marked such a trap at least once. */
static bool marks_strings;

/*
 * In the middle of a repeated string operation the CPU sets RF; not all emulators do.  The
 * instruction before it may have touched the same bytes just before.
 */
static u32 touched_by_string(const struct rt_watch *watch, struct pt_regs *regs, u32 before,
			     bool *uncertain)
{
	bool marked = regs->flags & X86_EFLAGS_RF;
	struct rt_x86_insn insn;
	u32 touched;

	if (!read_string(regs, regs->ip, &insn))
		return 0;
	touched = rt_touch_string(watch, regs, &insn, marked ? RT_STRING_SLACK : insn.size);
	if (marked && touched)
		WRITE_ONCE(marks_strings, true);
	if (!touched || marked || !before)
		return touched;
	if (READ_ONCE(marks_strings) || (touched == RT_ACCESS_WRITE && !has_stored(regs, &insn)))
		return 0;
	*uncertain = true;
	return touched == before ? touched : RT_TOUCH_UNSURE;
}
NOKPROBE_SYMBOL(touched_by_string);

static const struct rt_x86_insn *decode_some(u32 touched)
{
	return touched == RT_ACCESS_WRITE ? &some_write :
	       touched == RT_ACCESS_READ  ? &some_read :
					    &some_access;
}
NOKPROBE_SYMBOL(decode_some);

static noinline bool look_closer(const struct rt_watch *watch, struct pt_regs *regs,
				 const struct place *place, struct rt_access *access)
{
	bool writes_only = watch->access == RT_ACCESS_WRITE, uncertain = false;
	const struct rt_x86_insn *insn = &place->insn;
	u32 touched = 0, string;

	if (insn->length && !(insn->flags & RT_X86_LEAVES))
		touched = rt_touch_by(watch, regs, insn, regs->ip);
	if (writes_only && !place->stores)
		touched = 0;
	if (place->string) {
		string = touched_by_string(watch, regs, touched, &uncertain);
		if (string) {
			access->insn = decode_some(string);
			return !uncertain;
		}
	}
	if ((rt_touches(watch, regs->sp, 8) ||
	     (!writes_only && (!touched || touched == RT_TOUCH_UNSURE))) &&
	    was_called(watch, regs, access))
		return true;
	if (writes_only && touched)
		touched = RT_ACCESS_WRITE;
	if (touched == RT_ACCESS_READ || touched == RT_ACCESS_WRITE) {
		access->ip += place->moved - insn->length;
		access->insn = (touched == RT_ACCESS_WRITE) == (insn->op >= RT_X86_WRITE) &&
					       insn->op >= RT_X86_READ &&
					       insn->op != RT_X86_STRING ?
				       insn :
				       decode_some(touched);
		return true;
	}
	/* A call is before ip, and the bytes just popped off the stack were touched: a return. */
	if ((insn->flags & RT_X86_CALL) && rt_touches(watch, regs->sp - 8, 8))
		access->insn = &some_read;
	else
		access->insn = &some_access;
	return false;
}
NOKPROBE_SYMBOL(look_closer);

bool rt_watch_decode_start(const struct rt_watch *watch, struct pt_regs *regs,
			   struct rt_access *access)
{
	struct places *mine = this_cpu_ptr(places);
	struct place *place;

	if (unlikely(user_mode(regs))) {
		place = &mine->user;
		fill_next(place, regs, regs->ip);
		return look_closer(watch, regs, place, access);
	}
	place = &mine->kernel[hash_64(regs->ip, PLACES_SHIFT)];
	if (unlikely(!is_filled(place, regs->ip)))
		fill_next(place, regs, regs->ip);
	if (unlikely(!place->stores || place->string || watch->access != RT_ACCESS_WRITE ||
		     rt_touches(watch, regs->sp, 8)))
		return look_closer(watch, regs, place, access);
	access->ip += place->moved - place->insn.length;
	access->insn = &place->insn;
	return true;
}
NOKPROBE_SYMBOL(rt_watch_decode_start);

/* --- the value before ------------------------------------------------------------ */

/* Insert PART, SIZE bytes at AT, into the watched bytes WHOLE. */
static u64 put_in(const struct rt_watch *watch, u64 whole, u64 part, u64 at, u32 size)
{
	u64 mask = size >= 8 ? ~0ULL : (1ULL << 8 * size) - 1;
	s64 distance = at - watch->address;

	if (distance >= 8 || distance <= -8)
		return whole;
	if (distance < 0) {
		part >>= -8 * distance;
		mask >>= -8 * distance;
	} else {
		part <<= 8 * distance;
		mask <<= 8 * distance;
	}
	return ((whole & ~mask) | (part & mask)) & watch->mask;
}
NOKPROBE_SYMBOL(put_in);

/* The current value of the operand. */
static bool operand_now(const struct rt_watch *watch, const struct rt_access *access, u64 at,
			u64 *now)
{
	const struct rt_x86_insn *insn = access->insn;

	*now = 0;
	if (insn->op == RT_X86_REGISTER || insn->op == RT_X86_PAIR)
		return true;
	if (at >= watch->address && at + insn->size <= watch->address + watch->length) {
		*now = access->new >> 8 * (at - watch->address);
		return true;
	}
	return !rt_port_read(now, at, insn->size);
}
NOKPROBE_SYMBOL(operand_now);

bool rt_watch_decode_after(const struct rt_watch *watch, struct pt_regs *regs,
			   struct rt_access *access)
{
	const struct rt_x86_insn *insn = access->insn;
	u64 at, from, value;

	if (insn->op != RT_X86_PAIR && insn->wrote == RT_X86_NO_SOURCE &&
	    !(insn->flags & RT_X86_MOVES))
		return false;
	if (!rt_touch_operand(insn, regs, regs->ip, &at))
		return false;
	/* It must have written all watched bytes; they lie in one part of a pair. */
	from = watch->address - at;
	if (from >= insn->size || from % 8 + watch->length > 8 ||
	    from + watch->length > insn->size ||
	    !rt_x86_after(insn, (const u64 *)regs, from / 8, &value))
		return false;
	access->new = value >> 8 * (from % 8) & watch->mask;
	return true;
}
NOKPROBE_SYMBOL(rt_watch_decode_after);

bool rt_watch_decode_before(const struct rt_watch *watch, struct pt_regs *regs,
			    struct rt_access *access)
{
	const struct rt_x86_insn *insn = access->insn;
	u32 part, size = min_t(u32, insn->size, 8);
	u64 at, now, before, old = access->new;

	if (!rt_touch_operand(insn, regs, regs->ip, &at) || !rt_touches(watch, at, insn->size) ||
	    !operand_now(watch, access, at, &now))
		return false;
	for (part = 0; part * 8 < insn->size; part++) {
		if (!rt_x86_before(insn, (const u64 *)regs, now, part, &before))
			return false;
		old = put_in(watch, old, before, at + 8 * part, size);
	}
	access->old = old;
	return true;
}
NOKPROBE_SYMBOL(rt_watch_decode_before);
#endif
