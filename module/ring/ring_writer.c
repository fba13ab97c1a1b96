// SPDX-License-Identifier: GPL-2.0
/*
 * ring_writer.c - the writers' side of the ring: its design, reserve and commit.
 *
 * Each CPU has its own ring.  The writers of a ring are the contexts that run on its CPU: a task,
 * a softirq that interrupts it, a hardware interrupt, an NMI, and a breakpoint in any of them.
 * Writers nest strictly: an interrupting writer finishes before the interrupted one continues.
 * A writer never waits, takes no lock and does not disable interrupts.  Readers run on other CPUs
 * or in user space, or they read an image of the memory after the machine has died.
 *
 * 1. What a reader sees
 *
 * The memory of a ring is divided into sub-buffers.  One of them is open: writers append records to
 * it until a record does not fit.  Then a writer closes it and opens the next one.  A closed
 * sub-buffer does not change until a later lap reuses it, except that writers still finish records
 * that they had reserved.  Each use of a sub-buffer gets the next sequence number.  The header
 * holds this number, the start time, and the ring's loss counts at that time.
 *
 * A writer wipes a sub-buffer before it opens it, and every record begins with a head, a word that
 * is never zero.  So a reader needs only one rule:
 *
 *	Start behind the header.  If a word is zero, go on with the next word.  Any other word is
 *	the head of a record: go on behind the record.  Take the records that are COMMITTED.
 *
 * The reader cannot mistake bytes of an earlier lap for a record, because there are none.  The rule
 * holds at every instant, also in the middle of a reserve: after a writer has claimed space and
 * before it has stored the head, every word of that space is still zero, and the next word that is
 * not zero is the head of the next record.  That is why a writer stores the head before the time.
 * The time counts as part of the payload: it is valid when the head says COMMITTED, not earlier.
 *
 *	record:       free --claim--> (zero) --> PENDING --commit--> COMMITTED
 *	                                             \-----cancel--> CANCELLED
 *
 * An image contains every store of its CPU, but a reader on another CPU may see a payload before it
 * sees the head in front of it.  Such a reader skips zero words only in a complete sub-buffer
 * (section 2).  In any other it stops at the first zero word: copy_open(), rt_subbuf_next_live().
 *
 * 2. Reserve and commit
 *
 * To reserve space, writers contend for one word, rt_subbuf.claim.  It holds the offset reached,
 * the low bits of the lap (sequence number / subbufs) and the time of the last record:
 *
 *	63            32 31      19 18       0
 *	| last time     | lap      | offset   |     offset in 4-byte words, time in ns after start
 *
 * A writer replaces the claim by one with a higher offset and a time that is not lower.  It does so
 * with one compare-and-exchange, which must be atomic against this CPU only.  If a nested writer
 * changed the claim meanwhile, the exchange fails, and the writer reads the claim and the clock
 * again.  Three properties follow:
 *  - Records lie in the order of their times, because a writer takes its place and its time in one
 *    step.
 *  - If the clock steps back, the writer uses the time in the claim instead.
 *  - If the ring wraps around between the load of the claim and the exchange (all of it inside one
 *    interrupt), the exchange fails too, because the lap bits differ.
 *
 * A time that does not fit into 32 bits makes an extended record, which holds the absolute time.
 * Then the time in the claim is RT_RECORD_TIME_EXT, and ring->late has the newest absolute time.
 *
 * To commit, a writer stores the head of the record with its new state, in one release store of an
 * aligned 32-bit word.  Then it adds the bytes of the record to rt_subbuf.commit.  Records may be
 * committed in any order.  A sub-buffer is complete when its commit count has reached its size; the
 * count includes the header, cancelled records and the unused rest.
 *
 * 3. From one sub-buffer to the next
 *
 * ring->slot[seq % subbufs] is a word that says which piece of memory holds sequence number seq,
 * and in which state it is.  All who want a sub-buffer compete for this word: the writers, and in
 * overwrite mode the reader that exchanges the sub-buffer for its spare.
 *
 *	slot:         published(seq - N) --cas--> PREPARING(seq) --cas--> published(seq)
 *	                                              \--cas--> SKIPPED(seq) ---/
 *	claim:        closed ------------------------> sealed ---cas--> open --cas--> closed
 *
 * N is subbufs.  A writer that finds no room takes these steps (switch_subbuf):
 *  (1) It checks the sub-buffer in the next slot.  The sub-buffer must be complete, and in discard
 *      mode the reader must have given it back.  Otherwise the writer counts its record as lost.
 *  (2) It closes the current sub-buffer: it claims the unused rest and commits it.
 *  (3) It turns the next slot to PREPARING.  Only one writer can do that.
 *  (4) It wipes the sub-buffer, writes the header and seals the claim, so that no record fits yet.
 *  (5) It publishes the slot.
 *  (6) The next writer that looks at it, usually the same one, finds it sealed and opens it
 *      (find_newest).
 *
 * An interrupt may arrive between (3) and (5), and its writer may need room.  That writer cannot
 * wait, and it must not touch the memory that the interrupted writer is wiping.  So it takes the
 * slot after that one.  Before it publishes, it marks the slot that it passed over as SKIPPED.  The
 * interrupted writer then fails to publish, leaves its sub-buffer empty and complete, and looks for
 * room again.  This wastes at most one sub-buffer per level of nesting, and only when an interrupt
 * arrives in this window.  It loses a record only if no other sub-buffer of the ring is usable.
 *
 * ring->cur is a hint and may be stale.  A stale hint costs a detour, never a wrong write: writers
 * can claim space only in an open sub-buffer, and only the newest published one is ever open.
 *
 * status->head only grows.  A writer raises it before it opens a sub-buffer, hence before the next
 * one can be published.  So a writer finds the newest sub-buffer a few steps after the head.
 *
 * The ring relies on three invariants:
 *  - No writer prepares a sub-buffer that has a pending record, because its commit count is not
 *    complete.  So a writer may take any time between reserve and commit.
 *  - No writer publishes a sub-buffer before the newest published one is closed.  So times never go
 *    back from one sequence number to the next.
 *  - If anything changed while a writer was interrupted, its compare-and-exchange fails.  A slot
 *    contains its sequence number and never repeats.  A claim could repeat only at the same offset
 *    and in the same nanosecond after start, 8192 laps later, all of them inside one interrupt.
 *
 * 4. Losses
 *
 * Each attempt to write ends in exactly one of three ways: the record is committed, the record is
 * cancelled, or the writer adds one to status->lost[cause].  The header of each sub-buffer has
 * these counts as they were at its start time; they never go back from one sequence number to the
 * next.  In overwrite mode, a writer that reuses an unread sub-buffer adds the number of its
 * records to status->overwritten.  That number is exact too: no record in the sub-buffer is pending
 * by then.
 *
 * 5. Hostile readers
 *
 * The kernel reads one word that the user can write: control->consumed.  In discard mode it decides
 * whether a sub-buffer is free or a record is lost, and when the reader is woken.  A false value
 * harms only the reader that stored it: writers overwrite its unread sub-buffers, drop its new
 * records, or wake it at the wrong time.  Whether a sub-buffer can be prepared at all depends on
 * the slot and the commit count, which the user cannot write.
 *
 * 6. Waking the reader
 *
 * A whole sub-buffer waits for the reader when the head has passed it.  So the writer that raises
 * the head wakes the reader, and it does so after it has raised the head.  If writers nest, each
 * wakes the reader for the head that it raised, and after the last wake-up the reader finds all of
 * them.  The reader tests the condition again after it has joined the wait queue.  The word that
 * holds the reader's position (control->consumed, in overwrite mode ring->next) only grows, so a
 * stale value causes one wake-up too many, never one too few.  The newest sub-buffer never waits,
 * so the watermark is at most subbufs - 1.
 *
 * 7. Barriers
 *
 * Between nested writers program order is enough.  The pairs below order accesses across CPUs and
 * with user space.  "X -> Y" means that X is ordered before Y.  The code cites the letters.
 *
 *	A  prepare_subbuf(): wiped memory, rest of header -> seq         smp_store_release
 *	   pairs with a reader's acquire of seq: rt_ring_copy, rt_subbuf_open, rt_subbuf_began
 *	   Whoever sees the number sees no byte of an earlier lap.
 *	B  rt_subbuf_finish(): time, payload             -> record head  smp_store_release
 *	   pairs with a reader's acquire of the record head: copy_open, copy_late,
 *	   rt_subbuf_next_live
 *	   Whoever sees COMMITTED sees the time and the payload.
 *	C  rt_subbuf_finish(), close_subbuf(): record state -> commit    rt_add_release
 *	   pairs with a reader's acquire of commit: rt_ring_take, rt_ring_copy, rt_subbuf_next_live
 *	   Whoever sees the count complete sees the state and the payload of every record.
 *	D  the reader's loads from a sub-buffer          -> consumed     store-release in user space
 *	   pairs with the writer's acquire of consumed: slot_unusable
 *	   In discard mode, a writer wipes only what the reader has finished reading.
 *	E  rt_ring_take(): the reader's loads from its spare -> slot     rt_cas, fully ordered
 *	   pairs with the writer's rt_cas of the same slot: switch_subbuf
 *	   In overwrite mode, a writer wipes only what the reader has finished reading.
 *	F  switch_subbuf(): slot PREPARING -> seq none, first wiped byte rt_cas, fully ordered
 *	   pairs with the smp_rmb() between a copy and the second load of the slot: rt_ring_copy
 *	   A copy contains no wiped byte if the slot did not change during it.
 *	G  switch_subbuf(): a skipped sub-buffer, wiped and complete -> slot  smp_store_release
 *	   pairs with the reader's rt_cas of the same slot: rt_ring_take
 *	   Whoever takes a skipped sub-buffer finds nothing of an earlier lap.  No record's commit
 *	   orders this, because the sub-buffer has no record.
 */
#include "ring_reserve.h"

u32 *rt_ring_reserve_why(struct rt_ring *ring, u16 id, u32 payload, int *why)
{
	u32 *rec;

	rt_ring_reserve_here(ring, id, payload, &rec, why);
	return rec;
}
RT_RING_NOPROBE(rt_ring_reserve_why);

void rt_ring_commit_part(struct rt_ring *ring, u32 *rec, u32 payload)
{
	u32 head = *rec, size = head & RT_RECORD_SIZE;
	u32 words = (u32 *)rt_record_payload(rec) - rec + (payload + RT_WORD - 1) / RT_WORD;
	u32 used = words * RT_WORD;

	if (used < size) {
		/* No reader sees this head before the commit below: our size still covers it. */
		rec[words] = (size - used) | RT_RECORD_CANCELLED;
		head = (head & ~RT_RECORD_SIZE) | used;
	}
	rt_ring_finish(ring, rec, head ^ RT_RECORD_PENDING ^ RT_RECORD_COMMITTED,
		       RT_ONE_RECORD + size);
}
RT_RING_NOPROBE(rt_ring_commit_part);
