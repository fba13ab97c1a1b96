// SPDX-License-Identifier: GPL-2.0
/*
 * orders.c - let ThreadSanitizer check the memory orders that the C code requests.
 *
 * The sanitizer sees the writer and the reader as two threads, but they are fibers of one thread
 * that take turns.  Only the ring orders the accesses of one after those of the other.  At every
 * marked point that the writer passes, the reader has a turn and reads everything that it can get.
 * So all runs are the same, however busy the machine is, and a missing acquire or release is
 * reported always or never.  If a reader has already seen each record by itself, the count of a
 * complete sub-buffer has nothing left to order.  So in half of the rounds the reader has a turn
 * only after a flush.
 */
#ifndef __SANITIZE_THREAD__
#error "build it with -fsanitize=thread"
#endif
#include <stdio.h>
#include <ucontext.h>

#include "agent/live.h"
#include "ring_memory.h"

#define STACK (256 << 10)
#define BYTES 4096U

/* The sanitizer's interface; with NO_ORDER a switch orders nothing. */
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned int flags);
void __tsan_switch_to_fiber(void *fiber, unsigned int flags);
#define NO_ORDER 1

enum reader { LIVE, TAKER, COPIER };

bool rt_port_quiet;

/* Each round has its own memory, because nothing orders the end of one round before the next. */
static struct round {
	enum reader kind;
	struct rig rig;
	struct rt_live_ring live;
	char stack[STACK];
	char copy[BYTES] __attribute__((aligned(BYTES)));
	u64 sum, records; /* the reader's */
} rounds[6], *this_round;

/* The sanitizer must not see the code that makes them take turns. */
#define UNSEEN __attribute__((no_sanitize_thread)) noinline

static ucontext_t turn_of[2];
static void *fiber_of[2];
static int at;	    /* whose turn it is: 0 the writer's */
static bool seldom; /* the reader has a turn after a flush only */
static u64 clock_now;

static UNSEEN void switch_to(int who)
{
	int was = at;

	at = who;
	__tsan_switch_to_fiber(fiber_of[who], NO_ORDER);
	swapcontext(&turn_of[was], &turn_of[who]);
}

u64 rt_port_clock(void)
{
	return clock_now += 10;
}

static void write_some(struct rig *rig, u64 from, u64 to);

/*
 * A writer that is interrupted while it prepares a sub-buffer leaves it empty.  A writer that is
 * interrupted by a flush before it commits is the last to add to the count of a closed one.
 */
static UNSEEN void interrupt(int where)
{
	static bool inside;
	static u64 times[RT_POINTS];

	if (inside || (where != RT_AT_PREPARED && where != RT_AT_PENDING) || ++times[where] % 4)
		return;
	inside = true;
	write_some(&this_round->rig, 0, 3);
	if (where == RT_AT_PENDING)
		rt_ring_flush(&this_round->rig.ring);
	inside = false;
}

UNSEEN void rt_port_point(int where)
{
	if (at == 0 && fiber_of[1])
		interrupt(where);
	if (at == 0 && fiber_of[1] && !seldom)
		switch_to(1);
}

/* Read every byte. */
static void use(struct round *round, const struct rt_record *rec)
{
	const u8 *p = rec->payload;
	u32 i;

	for (i = 0; i < rec->bytes; i++)
		round->sum += p[i];
	round->sum += rec->time + rec->id;
	round->records++;
}

static void use_subbuf(struct round *round, const void *sub)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	int i;

	/* The owner of a sub-buffer may read its header without checking its number first. */
	round->sum += ((const struct rt_subbuf *)sub)->start;
	if (rt_subbuf_open(&r, sub, round->rig.ring.words * RT_WORD, NULL))
		return;
	for (i = 0; i < RT_LOST_CAUSES; i++)
		round->sum += r.head->lost[i];
	while (rt_subbuf_next(&r, &rec))
		use(round, &rec);
}

static void read_all(struct round *round)
{
	u64 oldest, newest, seq, lost[RT_LOST_CAUSES];
	struct rt_subbuf *sub;
	struct rt_record rec;

	switch (round->kind) {
	case LIVE:
		while (rt_live_next(&round->live, &rec, lost))
			use(round, &rec);
		break;
	case TAKER:
		while (!rt_ring_take(&round->rig.ring, &sub))
			use_subbuf(round, sub);
		break;
	case COPIER:
		rt_ring_span(&round->rig.ring, &oldest, &newest);
		for (seq = oldest; seq <= newest; seq++)
			if (!rt_ring_copy(&round->rig.ring, seq, round->copy))
				use_subbuf(round, round->copy);
		break;
	}
}

static UNSEEN struct round *my_round(void)
{
	return this_round;
}

static void reader(void)
{
	struct round *round = my_round();

	for (;;) {
		read_all(round);
		switch_to(0);
	}
}

static UNSEEN bool used(const struct round *round, u64 least)
{
	return round->sum && round->records >= least;
}

static void write_some(struct rig *rig, u64 from, u64 to)
{
	u32 *rec, bytes;
	u64 i;

	for (i = from; i < to; i++) {
		if (i % 50 == 49)
			clock_now += 1ULL << 33;
		bytes = 8 + i * 397 % (i % 3 ? 60 : 1200);
		rec = rt_ring_reserve(&rig->ring, 1, bytes);
		if (!rec)
			continue;
		memset(rt_record_payload(rec), (int)i, bytes);
		if (i % 11 == 5)
			rt_ring_cancel(&rig->ring, rec);
		else if (i % 11 == 7)
			rt_ring_commit_part(&rig->ring, rec, bytes / 2);
		else
			rt_ring_commit(&rig->ring, rec);
		if (!seldom && at == 0)
			switch_to(1);
	}
}

static void round_of(enum reader kind, u32 mode, u32 subbufs, u64 records)
{
	struct round *round = this_round = &rounds[kind + 3 * seldom];
	struct rig *rig = &round->rig;
	u64 i;

	round->kind = kind;
	if (rig_make(rig, 0, mode, subbufs, BYTES, 0, NULL))
		abort();
	if (kind == LIVE)
		rt_live_init(&round->live, rig->ring.status, rig->ring.control, rig->memory,
			     (size_t)subbufs * BYTES, NULL);
	getcontext(&turn_of[1]);
	turn_of[1].uc_stack.ss_sp = round->stack;
	turn_of[1].uc_stack.ss_size = STACK;
	makecontext(&turn_of[1], reader, 0);
	fiber_of[0] = __tsan_get_current_fiber();
	fiber_of[1] = __tsan_create_fiber(0);
	for (i = 0; i < records; i += 7) {
		write_some(rig, i, i + 7);
		rt_ring_flush(&rig->ring);
		switch_to(1);
	}
	rt_ring_flush(&rig->ring);
	switch_to(1);
	fiber_of[1] = NULL; /* never resume or end it: ending it would create an order, too */
	if (!used(round, records / 2))
		abort();
}

int main(void)
{
	rt_port_quiet = true; /* nothing is overwritten, so the sanitizer checks copies, too */
	do {
		round_of(LIVE, RT_MODE_DISCARD, 4, 210);
		round_of(TAKER, RT_MODE_OVERWRITE, 4, 210);
		round_of(COPIER, RT_MODE_DISCARD, 64, 56);
		seldom = !seldom;
	} while (seldom);
	puts("ok 1 - ThreadSanitizer finds no race\n1..1");
	return 0;
}
