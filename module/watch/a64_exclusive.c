// SPDX-License-Identifier: GPL-2.0
#include "a64_exclusive.h"
#include "a64_bits.h"

#include "a64_execute.h"
#include "a64_flow.h"

#define SP 31

/* Retries when other CPUs keep changing the word; the program's own loop would retry as well. */
#define TRIES 1000

/* Instructions that are interpreted again when the store has trapped. */
#define STEPS (4 * RT_A64_EXCLUSIVE_MAX)

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

/* Same width.  The base may be another register: then its value tells. */
static bool exclusive_belong(u32 load, u32 store)
{
	return BITS(load, 31, 30) == BITS(store, 31, 30) && is_pair(load) == is_pair(store);
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

static bool read_old(struct rt_a64_machine *m, u64 address, u32 load)
{
	m->address = address;
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
	s->machine = m;
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
enum way { STORED, FAILED, ALONE, REFUSED };

/*
 * The way that the program takes behind the load is not understood from PC on.  A store that follows would
 * fail for ever, since the trap of the load has ended the exclusive access, and it need not trap itself.
 * So the load is performed alone only if no store follows, as far as the code can be seen.
 */
static enum way without_store(struct rt_a64_machine *m, u64 pc, bool leaves)
{
	switch (rt_a64_flow_find(m, pc)) {
	case RT_A64_FLOW_STORE:
		return REFUSED;
	case RT_A64_FLOW_UNKNOWN:
		m->unsure = true;
		return leaves ? ALONE : REFUSED;
	default:
		return ALONE;
	}
}
RT_PORT_NOPROBE(without_store);

/*
 * Interpret from the load on, along the branches that the program takes, to the store.  If another
 * load, a wait or CLREX comes first, the load has no store.
 */
static enum way try_once(struct rt_a64_machine *m, struct rt_a64_state *s, u32 load)
{
	bool leaves = false, done;
	u32 insn, i;

	take_loaded(m, s, load);
	s->pc += 4;
	for (i = 1; i < RT_A64_EXCLUSIVE_MAX; i++) {
		if (m->fetch(m, s->pc, &insn))
			break;
		if (rt_a64_is_load_exclusive(insn) || rt_a64_ends_exclusive(insn))
			return ALONE;
		if (rt_a64_is_store_exclusive(insn)) {
			if (!exclusive_belong(load, insn) ||
			    s->regs[BITS(insn, 9, 5)] != m->address)
				return REFUSED;
			make_new(m, s, insn);
			if (!exclusive_exchange(m, &done))
				return REFUSED;
			s->clean = true;
			rt_a64_put(s, BITS(insn, 20, 16), 0, true);
			m->store = s->pc;
			s->pc += 4;
			return done ? STORED : FAILED;
		}
		switch (rt_a64_execute(s, insn)) {
		case RT_A64_LEAVES:
			return without_store(m, s->pc, true);
		case RT_A64_STRANGE:
			return without_store(m, s->pc, leaves);
		case RT_A64_BRANCHED:
			leaves = true;
			break;
		default:
			break;
		}
	}
	return without_store(m, s->pc, leaves);
}
RT_PORT_NOPROBE(try_once);

static enum rt_a64_run run_from_load(struct rt_a64_machine *m, u64 from, u32 load)
{
	struct rt_a64_state s;
	u32 tries;

	m->stored = m->unsure = false;
	for (tries = 0; tries < TRIES; tries++) {
		exclusive_begin(m, &s, from);
		if (!read_old(m, s.regs[BITS(load, 9, 5)], load))
			return RT_A64_REFUSED;
		switch (try_once(m, &s, load)) {
		case STORED:
			m->stored = true;
			exclusive_take_over(m, &s);
			return RT_A64_DONE;
		case FAILED:
			continue;
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
		if (m->fetch(m, *pc, load) || rt_a64_is_store_exclusive(*load))
			return false;
		if (rt_a64_is_load_exclusive(*load))
			return exclusive_belong(*load, store);
	}
	return false;
}
RT_PORT_NOPROBE(find_load);

/*
 * Interpret from the load to the store, as the program did: false, if that is not possible.  *SAME: the
 * program came to the store in this way, if *DECIDED; else a branch depends on values that are lost.
 */
static bool exclusive_walk(struct rt_a64_machine *m, struct rt_a64_state *s, u64 from, bool strange,
			   bool *same, bool *decided)
{
	u32 insn, steps;

	*same = *decided = true;
	/* A loop in between may take long: the handler must not. */
	for (steps = 0; s->pc != m->pc; steps++) {
		if (steps == STEPS || m->fetch(m, s->pc, &insn))
			return false;
		switch (rt_a64_execute(s, insn)) {
		case RT_A64_UNDECIDED:
			*decided = false;
			break;
		case RT_A64_NEXT:
			break;
		case RT_A64_BRANCHED:
			/* A branch that leaves the sequence means that values differ now. */
			if (s->pc > from && s->pc <= m->pc)
				break;
			*same = false;
			return true;
		default:
			/* Unless the survey has found one like it, it is on no way to the store. */
			*same = false;
			return !strange || !*decided;
		}
	}
	return true;
}
RT_PORT_NOPROBE(exclusive_walk);

/*
 * Find the registers that the code from load to store writes: their values at the load are lost.  Look
 * only at instructions on a way from the load to the store.
 */
static bool exclusive_survey(struct rt_a64_machine *m, struct rt_a64_state *s, u64 from, u32 load,
			     bool *strange)
{
	u64 ways, pc;
	u32 insn, i;

	if (!rt_a64_flow_ways(m, from, m->pc, &ways))
		return false;
	*strange = false;
	exclusive_begin(m, s, from);
	take_loaded(m, s, load);
	for (i = 1, pc = from + 4; pc != m->pc; i++, pc += 4) {
		if (!(ways >> i & 1))
			continue;
		if (m->fetch(m, pc, &insn))
			return false;
		s->pc = pc;
		if (rt_a64_execute(s, insn) >= RT_A64_LEAVES)
			*strange = true;
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
	/*
	 * If the sequence cannot run, the program continues as after a failed store.  A load alone is
	 * no progress, either: the program comes back to its store.
	 */
	return run_from_load(m, from, load) == RT_A64_DONE ? RT_A64_DONE : RT_A64_FAILED;
}
RT_PORT_NOPROBE(go_back);

static enum rt_a64_run run_from_store(struct rt_a64_machine *m, u32 store)
{
	struct rt_a64_state s;
	u32 load, written;
	bool flags, strange, same, decided, done;
	u64 from, address = m->regs[BITS(store, 9, 5)];

	m->stored = false;
	if (!find_load(m, store, &from, &load))
		return RT_A64_REFUSED;
	if (!exclusive_survey(m, &s, from, load, &strange))
		return RT_A64_REFUSED;
	/* Both have the same address, unless the code between has changed the base of the load. */
	if (!(s.written >> BITS(load, 9, 5) & 1) && m->regs[BITS(load, 9, 5)] != address)
		return RT_A64_REFUSED;
	if (m->insist)
		return go_back(m, store, from, load);
	written = s.written;
	flags = s.flags_written;
	if (!read_old(m, address, load))
		return RT_A64_REFUSED;
	exclusive_begin(m, &s, from + 4);
	s.known = ~written;
	s.flags_known = !flags;
	take_loaded(m, &s, load);
	if (!exclusive_walk(m, &s, from, strange, &same, &decided))
		return RT_A64_REFUSED;
	/* The program may have executed what is not understood: the way from the load tells. */
	if (strange && !decided)
		return go_back(m, store, from, load);
	if (same && !make_new(m, &s, store))
		return go_back(m, store, from, load);
	if ((!same || !exclusive_agree(m, &s)) && !decided)
		return go_back(m, store, from, load);
	if (!same || !exclusive_agree(m, &s)) {
		exclusive_fail(m, store);
		return RT_A64_FAILED;
	}
	if (!exclusive_exchange(m, &done))
		return RT_A64_REFUSED;
	m->store = m->pc;
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
	if (rt_a64_is_load_exclusive(insn))
		return run_from_load(m, m->pc, insn);
	return rt_a64_is_store_exclusive(insn) ? run_from_store(m, insn) : RT_A64_REFUSED;
}
RT_PORT_NOPROBE(rt_a64_exclusive_run);
