// SPDX-License-Identifier: GPL-2.0
#include "a64_exclusive.h"
#include "a64_bits.h"

#include "a64_execute.h"

#define SP 31

/* Retries when other CPUs keep changing the word; the program's own loop would retry as well. */
#define TRIES 1000

/* LDXR, LDAXR, LDXP, LDAXP.  A pair has bit 31 set; without it the instruction is a CASP. */
static bool is_load(u32 insn)
{
	return (insn & 0x3fe00000) == 0x08400000 || (insn & 0xbfe00000) == 0x88600000;
}
RT_PORT_NOPROBE(is_load);

/* STXR, STLXR, STXP, STLXP. */
static bool is_store(u32 insn)
{
	return (insn & 0x3fe00000) == 0x08000000 || (insn & 0xbfe00000) == 0x88200000;
}
RT_PORT_NOPROBE(is_store);

static bool is_pair(u32 insn)
{
	return BITS(insn, 21, 21);
}
RT_PORT_NOPROBE(is_pair);

/* The bytes of one register. */
static u32 width_of(u32 insn)
{
	return 1U << BITS(insn, 31, 30);
}
RT_PORT_NOPROBE(width_of);

/* Same width, same base. */
static bool exclusive_belong(u32 load, u32 store)
{
	return BITS(load, 31, 30) == BITS(store, 31, 30) && is_pair(load) == is_pair(store) &&
	       BITS(load, 9, 5) == BITS(store, 9, 5);
}
RT_PORT_NOPROBE(exclusive_belong);

/* Put the loaded values into the target registers. */
static void take_loaded(const struct rt_a64_machine *m, struct rt_a64_state *s, u32 load)
{
	u32 rt = BITS(load, 4, 0), rt2 = BITS(load, 14, 10);

	s->clean = true;
	if (!is_pair(load)) {
		rt_a64_put(s, rt, m->old[0], true);
	} else if (m->size == 16) {
		rt_a64_put(s, rt, m->old[0], true);
		rt_a64_put(s, rt2, m->old[1], true);
	} else {
		rt_a64_put(s, rt, m->old[0], false);
		rt_a64_put(s, rt2, m->old[0] >> 32, false);
	}
}
RT_PORT_NOPROBE(take_loaded);

/* Set m->new to the bytes that the store writes.  False if they are not known. */
static bool make_new(struct rt_a64_machine *m, struct rt_a64_state *s, u32 store)
{
	u64 first, second = 0;

	s->clean = true;
	first = rt_a64_get(s, BITS(store, 4, 0));
	if (is_pair(store))
		second = rt_a64_get(s, BITS(store, 14, 10));
	m->new[0] = first;
	m->new[1] = m->size == 16 ? second : 0;
	if (is_pair(store) && m->size == 8)
		m->new[0] = (u32)first | second << 32;
	else if (m->size < 8)
		m->new[0] &= (1ULL << 8 * m->size) - 1;
	return s->clean;
}
RT_PORT_NOPROBE(make_new);

static bool read_old(struct rt_a64_machine *m, const u64 *regs, u32 load)
{
	m->address = regs[BITS(load, 9, 5)];
	m->size = width_of(load) << is_pair(load);
	m->old[0] = m->old[1] = 0;
	return !m->load(m, m->old);
}
RT_PORT_NOPROBE(read_old);

static bool exclusive_exchange(struct rt_a64_machine *m, bool *done)
{
	u64 was[2] = { 0 };

	if (m->exchange(m, m->old, m->new, was))
		return false;
	*done = was[0] == m->old[0] && was[1] == m->old[1];
	return true;
}
RT_PORT_NOPROBE(exclusive_exchange);

static void exclusive_begin(const struct rt_a64_machine *m, struct rt_a64_state *s, u64 pc)
{
	memcpy(s->regs, m->regs, sizeof(s->regs));
	s->pc = pc;
	s->nzcv = m->nzcv;
	s->known = ~0U;
	s->written = 0;
	s->flags_known = true;
	s->flags_written = false;
}
RT_PORT_NOPROBE(exclusive_begin);

static void exclusive_take_over(struct rt_a64_machine *m, const struct rt_a64_state *s)
{
	memcpy(m->regs, s->regs, sizeof(s->regs));
	m->pc = s->pc;
	m->nzcv = s->nzcv;
}
RT_PORT_NOPROBE(exclusive_take_over);

/* --- from the load --------------------------------------------------------------- */

/* How one pass through the sequence ended. */
enum way { STORED, FAILED, LEFT, ALONE, REFUSED };

/*
 * Interpret from the load on.  A branch may lead to the store or out of the sequence, so follow it;
 * if no store comes, LEFT says that the branch left.  With STOP, return at the branch.
 */
static enum way try_once(struct rt_a64_machine *m, struct rt_a64_state *s, u32 load, bool stop)
{
	enum way way = REFUSED;
	bool done;
	u32 insn, i;

	take_loaded(m, s, load);
	s->pc += 4;
	for (i = 1; i < RT_A64_EXCLUSIVE_MAX; i++) {
		if (m->fetch(m, s->pc, &insn) || is_load(insn))
			return way;
		if (is_store(insn)) {
			if (!exclusive_belong(load, insn) ||
			    s->regs[BITS(insn, 9, 5)] != m->address)
				return way;
			make_new(m, s, insn);
			if (!exclusive_exchange(m, &done))
				return REFUSED;
			s->clean = true;
			rt_a64_put(s, BITS(insn, 20, 16), 0, true);
			s->pc += 4;
			return done ? STORED : FAILED;
		}
		switch (rt_a64_execute(s, insn)) {
		case RT_A64_BRANCHED:
			way = LEFT;
			if (stop)
				return way;
			break;
		case RT_A64_LEAVES:
			return way == LEFT ? LEFT : ALONE;
		case RT_A64_STRANGE:
			return way;
		default:
			break;
		}
	}
	return way;
}
RT_PORT_NOPROBE(try_once);

static enum rt_a64_run run_from_load(struct rt_a64_machine *m, u64 from, u32 load)
{
	struct rt_a64_state s;
	u32 tries;

	m->stored = false;
	for (tries = 0; tries < TRIES; tries++) {
		exclusive_begin(m, &s, from);
		if (!read_old(m, s.regs, load))
			return RT_A64_REFUSED;
		switch (try_once(m, &s, load, false)) {
		case STORED:
			m->stored = true;
			exclusive_take_over(m, &s);
			return RT_A64_DONE;
		case FAILED:
			continue;
		case LEFT:
			exclusive_begin(m, &s, from);
			try_once(m, &s, load, true);
			exclusive_take_over(m, &s);
			return RT_A64_DONE;
		case ALONE:
			exclusive_begin(m, &s, from + 4);
			take_loaded(m, &s, load);
			exclusive_take_over(m, &s);
			return RT_A64_ALONE;
		default:
			return RT_A64_REFUSED;
		}
	}
	return RT_A64_REFUSED;
}
RT_PORT_NOPROBE(run_from_load);

/* --- from the store -------------------------------------------------------------- */

/* Search backwards from the store for its load, without passing another exclusive. */
static bool find_load(const struct rt_a64_machine *m, u32 store, u64 *pc, u32 *load)
{
	u32 i;

	for (i = 1; i < RT_A64_EXCLUSIVE_MAX; i++) {
		*pc = m->pc - 4 * i;
		if (m->fetch(m, *pc, load) || is_store(*load))
			return false;
		if (is_load(*load))
			return exclusive_belong(*load, store);
	}
	return false;
}
RT_PORT_NOPROBE(find_load);

/* Interpret straight from the load to the store, as the program did. */
static bool exclusive_walk(struct rt_a64_machine *m, struct rt_a64_state *s, bool *same)
{
	u32 insn;

	*same = true;
	while (s->pc != m->pc) {
		if (m->fetch(m, s->pc, &insn))
			return false;
		switch (rt_a64_execute(s, insn)) {
		case RT_A64_NEXT:
		case RT_A64_UNDECIDED:
			break;
		case RT_A64_BRANCHED:
			/*
			 * A branch forward, at most to the store, is fine; any other means that
			 * values differ now.
			 */
			if (s->pc <= m->pc && s->pc + 4 * RT_A64_EXCLUSIVE_MAX > m->pc)
				break;
			*same = false;
			return true;
		default:
			return false;
		}
	}
	return true;
}
RT_PORT_NOPROBE(exclusive_walk);

/* Find the registers that the code from load to store writes: their values at the load are lost. */
static bool exclusive_survey(struct rt_a64_machine *m, struct rt_a64_state *s, u64 from, u32 load)
{
	u32 insn;
	u64 pc;

	exclusive_begin(m, s, from);
	take_loaded(m, s, load);
	for (pc = from + 4; pc != m->pc; pc += 4) {
		if (m->fetch(m, pc, &insn))
			return false;
		s->pc = pc;
		if (rt_a64_execute(s, insn) >= RT_A64_LEAVES)
			return false;
	}
	return true;
}
RT_PORT_NOPROBE(exclusive_survey);

/* Whether the registers whose values are known match those of the program. */
static bool exclusive_agree(const struct rt_a64_machine *m, const struct rt_a64_state *s)
{
	u32 i;

	for (i = 0; i < SP; i++)
		if ((s->known >> i & 1) && s->regs[i] != m->regs[i])
			return false;
	return !s->flags_known || s->nzcv == m->nzcv;
}
RT_PORT_NOPROBE(exclusive_agree);

static void exclusive_fail(struct rt_a64_machine *m, u32 store)
{
	u32 status = BITS(store, 20, 16);

	if (status != SP)
		m->regs[status] = 1;
	m->pc += 4;
	m->stored = false;
}
RT_PORT_NOPROBE(exclusive_fail);

/* Let the store fail and interpret the program's branch back to its load. */
static enum rt_a64_run go_back(struct rt_a64_machine *m, u32 store, u64 from, u32 load)
{
	struct rt_a64_state s;
	u32 insn, i;

	exclusive_begin(m, &s, m->pc + 4);
	s.clean = true;
	rt_a64_put(&s, BITS(store, 20, 16), 1, true);
	for (i = 0; i < RT_A64_EXCLUSIVE_MAX && s.pc != from; i++)
		if (m->fetch(m, s.pc, &insn) || rt_a64_execute(&s, insn) >= RT_A64_LEAVES)
			return RT_A64_REFUSED;
	if (s.pc != from)
		return RT_A64_REFUSED;
	exclusive_take_over(m, &s);
	/* If the sequence cannot run, the program continues as after a failed store. */
	return run_from_load(m, from, load) == RT_A64_REFUSED ? RT_A64_FAILED : RT_A64_DONE;
}
RT_PORT_NOPROBE(go_back);

static enum rt_a64_run run_from_store(struct rt_a64_machine *m, u32 store)
{
	struct rt_a64_state s;
	u32 load, written;
	bool flags, same, done;
	u64 from;

	m->stored = false;
	if (!find_load(m, store, &from, &load))
		return RT_A64_REFUSED;
	if (!exclusive_survey(m, &s, from, load))
		return RT_A64_REFUSED;
	/* Load and store use the same base register, so the code between must not change it. */
	if (s.written >> BITS(load, 9, 5) & 1)
		return RT_A64_REFUSED;
	if (m->insist)
		return go_back(m, store, from, load);
	written = s.written;
	flags = s.flags_written;
	if (!read_old(m, m->regs, load))
		return RT_A64_REFUSED;
	exclusive_begin(m, &s, from + 4);
	s.known = ~written;
	s.flags_known = !flags;
	take_loaded(m, &s, load);
	if (!exclusive_walk(m, &s, &same))
		return RT_A64_REFUSED;
	if (same && !make_new(m, &s, store))
		return go_back(m, store, from, load);
	if (!same || !exclusive_agree(m, &s)) {
		exclusive_fail(m, store);
		return RT_A64_FAILED;
	}
	if (!exclusive_exchange(m, &done))
		return RT_A64_REFUSED;
	exclusive_fail(m, store);
	if (!done)
		return RT_A64_FAILED;
	if (BITS(store, 20, 16) != SP)
		m->regs[BITS(store, 20, 16)] = 0;
	m->stored = true;
	return RT_A64_DONE;
}
RT_PORT_NOPROBE(run_from_store);

enum rt_a64_run rt_a64_exclusive_run(struct rt_a64_machine *m)
{
	u32 insn;

	if (m->fetch(m, m->pc, &insn))
		return RT_A64_REFUSED;
	if (is_load(insn))
		return run_from_load(m, m->pc, insn);
	return is_store(insn) ? run_from_store(m, insn) : RT_A64_REFUSED;
}
RT_PORT_NOPROBE(rt_a64_exclusive_run);
