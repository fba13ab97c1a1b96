/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring.pml - module/ring/ring_writer.c and ring_switch.c as a Promela model, word by word and point by point.
 *
 * Writers of one CPU that interrupt each other, each to be finished before the
 * interrupted one goes on; a reader on another CPU; a memory between them that may
 * show stores late.  All interleavings are searched.  Labels AT_... are the points
 * of enum rt_point, letters the barriers of ring_writer.c's table, section 7.
 *
 * What is smaller than life: a sub-buffer holds WORDS words of records and a header
 * of no size; a record is a header word and one or two of payload; the clock, where there is
 * one, says anything from 0 to CLOCK at each look, so that it stands still and steps both ways;
 * a sequence number has 10 bits and never wraps.  Slots are found by masking, so a
 * ring has 2 or 4 sub-buffers, never 3; in overwrite mode 2 and the spare make three.
 *
 *	-DMODE=DISCARD|OVERWRITE -DREADER=LIVE|TAKE|COPY|NOBODY  see reader.pml
 *	-DSUBBUFS=n -DWORDS=n      the ring
 *	-DOUTER=n -DNESTED=n       records that each writer tries to write
 *	-DDEEP=n                   and a third one, inside both
 *	-DFLUSHES                  an interrupting writer may flush once
 *	-DHEADERS                  with what headers say of losses and overwritten records
 *	-DCLOCK=n                  with times
 *	-DWATERMARK=n              the live reader sleeps until so many sub-buffers wait
 *	-DCOPIES                   the taker copies a sub-buffer once, at any time
 *	-DIMAGE                    at every moment somebody looks at the memory of a dead machine
 *	-DWEAK                     stores may be seen late, see memory.pml
 *	-DNO_A ... -DNO_F          without this barrier on the writers' side
 *	-DNO_A_READER ...          without it on the reader's
 *	-DBUG_...                  with this mistake, see below
 */
#define DISCARD	  0
#define OVERWRITE 1
#define LIVE 0
#define TAKE 1
#define COPY 2
#define NOBODY 3

#ifndef SUBBUFS
#define SUBBUFS 2
#endif
#ifndef WORDS
#define WORDS 4
#endif
#ifndef OUTER
#define OUTER 3
#endif
#ifndef NESTED
#define NESTED 2
#endif
#ifndef DEEP
#define DEEP 0
#endif
#define AREAS (SUBBUFS + MODE)

#include "memory.pml"

/* rt_ring: what only the writers' CPU sees. */
short claim_of[AREAS]; /* rt_subbuf.claim: seq << 4 | offset */
byte cur;
byte overwritten;
byte lost;

byte consumed = SUBBUFS; /* rt_ring_control, written by the reader */

#ifdef HEADERS
byte lost_in[AREAS], overwritten_in[AREAS]; /* rt_subbuf.lost, .overwritten */
#endif
#ifdef CLOCK
byte start_in[AREAS]; /* rt_subbuf.start */
byte time_of[AREAS];  /* the time in rt_subbuf.claim, with the start added */
byte best, last_time; /* the clock's latest, and the last one given to a record */
#endif
#ifdef WATERMARK
bool asleep; /* the reader, in poll() */
#define READY(head) ((head) >= consumed + WATERMARK)
#endif

#define CLAIM(seq, offset) ((seq) << 4 | (offset))
#define OFFSET(claim)	   ((claim) & 15)
#define SEALED		   15

/* A slot: seq << 5 | SKIPPED | PREPARING | index. */
#define PREPARING      8
#define SKIPPED	       16
#define INDEX(slot)    ((slot) & 7)
#define SLOT_SEQ(slot) ((slot) >> 5)

/* rt_subbuf.commit: records << 4 | words. */
#define ONE_RECORD	  16
#define COMMITTED(commit) ((commit) & 15)
#define RECORDS(commit)	  ((commit) >> 4)
#define NONE		  255

/* A record's header: id << 4 | size << 2 | state. */
#define PENDING	    1
#define WRITTEN	    2
#define THROWN_AWAY 3
#define RECORD(id, size, state) ((id) << 4 | (size) << 2 | (state))
#define STATE(head)   ((head) & 3)
#define SIZE(head)    ((head) >> 2 & 3)
#define ID(head)      ((head) >> 4)
#define SMALLEST      2

/* A payload looks just like the header of a committed record too small to exist. */
#define PAYLOAD(id)   RECORD(id, 1, WRITTEN)

/* Who writes what: id = writer << 3 | serial.  Sizes vary; some records are given back. */
#define WRITER(id)    ((id) >> 3)
#define SERIAL(id)    ((id) & 7)
#define SIZE_OF(id)   (SMALLEST + (WORDS > 3 && SERIAL(id) == 1))
#define GIVE_BACK(id) (SERIAL(id) == 2 && WRITER(id) > 0)
#define WRITERS	      3

/* The fate of each record, and its sub-buffer: what readers are judged by. */
byte lap_of[WRITERS * 8];
bool flipped[WRITERS * 8];
byte attempted, cancelled, committed;

byte running;	/* pid of the writer that has struck last; those below it stand still */
bool closing;	/* no more interrupts: the last flush */
bool done;
byte d;		/* scratch of d_step, always 0 outside */

#define FLUSH 0 /* as a size: close the newest sub-buffer instead of writing a record */

/* Every attempt is through after so many rounds: nobody waits, nobody spins. */
#ifdef FLUSHES
#define ROUNDS_MAX (10 + 4 * (NESTED + DEEP))
#else
#define ROUNDS_MAX (6 + 4 * (NESTED + DEEP))
#endif

#define round() rounds++; assert(rounds < ROUNDS_MAX)

#ifdef WATERMARK
#define raise() raised = true
#else
#define raise() skip
#endif

/* A look at the clock, clamped to the last time in the sub-buffer. */
#ifdef CLOCK
#define look_at_clock(sub) \
	atomic { \
		time = 0; \
		do \
		:: time < CLOCK -> time++ \
		:: break \
		od; \
		best = (time > best -> time : best); \
		time = (time < time_of[sub] -> time_of[sub] : time); \
		last = time_of[sub] \
	}
#define SAME_TIME(sub) (time_of[sub] == last)
#define give_time(sub) \
	time_of[sub] = time; \
	assert(time >= last_time && time <= best); \
	assert(time >= start_in[sub]); \
	last_time = time
#else
#define look_at_clock(sub) skip
#define SAME_TIME(sub) true
#define give_time(sub) skip
#endif

/* Headers never go back from one number to the next. */
#ifdef HEADERS
#define check_headers() \
	d_step { \
		for (d : 0 .. AREAS - 1) { \
			assert(own[SEQ(d)] == NONE || own[SEQ(d)] >= next || \
			       (lost_in[d] <= lost_in[into] && overwritten_in[d] <= overwritten_in[into])); \
			assert(own[SEQ(d)] == NONE || own[SEQ(d)] <= next || \
			       (lost_in[d] >= lost_in[into] && overwritten_in[d] >= overwritten_in[into])) \
		} \
		d = 0 \
	}
#endif

/* Its exchange fails only if somebody else has lifted the head as far. */
#define raise_word() \
	atomic { \
		if \
		:: own[HEAD] < seq -> store(HEAD, seq); raise() \
		:: else \
		fi \
	}

/* What a slow memory shows piecemeal need not be stored piecemeal. */
#ifdef WEAK
#define WIPE atomic
#else
#define WIPE
#endif

proctype writer(byte me; byte records) provided (running <= _pid)
{
	byte serial, size, rounds, below;
	byte sub, seq, next, into, i;
	short claim, slot, mine;
#ifdef HEADERS
	byte past_lost, past_overwritten;
#endif
#ifdef CLOCK
	byte time, last, start;
#endif
#ifdef WATERMARK
	bool raised;
#endif
#ifdef FLUSHES
	bool flushed;
#endif

#define id (me << 3 | serial)

strike:
	if
	:: atomic { me == 0 -> goto again }
	:: atomic { me > 0 && serial < records && !closing -> below = running; running = _pid }
#ifdef FLUSHES
	:: atomic { me > 0 && !flushed && !closing -> below = running; running = _pid; flushed = true; size = FLUSH; goto look }
#endif
	:: me > 0 && (serial == records || closing) -> goto end
	fi;
again:
	atomic { attempted++; size = SIZE_OF(id); sub = cur }
	goto reserve;

retry:	sub = cur;
reserve: /* rt_ring_reserve */
	atomic {
		claim = claim_of[sub];
		if
		:: OFFSET(claim) + size > WORDS -> goto look
		:: else -> round()
		fi
	}
AT_LOADED:
	look_at_clock(sub);
AT_TIMED:
	atomic {
		if
		:: claim_of[sub] == claim && SAME_TIME(sub) -> claim_of[sub] = claim + size; give_time(sub)
		:: else -> goto retry
		fi
	}

begin: /* record_begin */
AT_CLAIMED:
	atomic {
		assert(own[DATA(sub, OFFSET(claim))] == 0);
		lap_of[id] = own[SEQ(sub)];
		store(DATA(sub, OFFSET(claim)), RECORD(id, size, PENDING));
		i = 1
	}
AT_PENDING:
#ifdef BUG_COMMITTED_FIRST
	store(DATA(sub, OFFSET(claim)), RECORD(id, size, WRITTEN));
#endif
	do
	:: atomic { i < size -> store(DATA(sub, OFFSET(claim) + i), PAYLOAD(id)); i++ }
	:: atomic { i == size -> i = 0; break }
	od;

	/* rt_ring_commit or rt_ring_cancel */
	atomic {
		if
		:: GIVE_BACK(id) ->
			cancelled++;
			release_B(DATA(sub, OFFSET(claim)), RECORD(id, size, THROWN_AWAY))
		:: else ->
			flipped[id] = true;
			committed++;
			release_B(DATA(sub, OFFSET(claim)), RECORD(id, size, WRITTEN))
		fi
	}
AT_FLIPPED:
	atomic {
		release_C(COMMIT(sub), own[COMMIT(sub)] + size + (GIVE_BACK(id) -> 0 : ONE_RECORD));
		assert(COMMITTED(own[COMMIT(sub)]) <= WORDS);
		goto next_record
	}

look:
	atomic {
		round();
		seq = own[HEAD];
		next = seq + 1
	}
	do
	:: atomic {
		slot = own[SLOT(next)];
		if
		:: SLOT_SEQ(slot) != next -> break
		:: else ->
			if
			:: !(slot & PREPARING) -> seq = next
			:: else
			fi;
			next++
		fi
	}
	od;
	atomic {
		slot = own[SLOT(seq)];
		if
		:: SLOT_SEQ(slot) == seq -> sub = INDEX(slot)
		:: SLOT_SEQ(slot) != seq && (slot & PREPARING) -> goto lose
		:: SLOT_SEQ(slot) != seq && !(slot & PREPARING) -> goto look
		fi
	}
	atomic {
		claim = claim_of[sub];
		if
		:: OFFSET(claim) == SEALED
		:: OFFSET(claim) != SEALED && size == FLUSH && OFFSET(claim) == 0 -> goto through
		:: OFFSET(claim) != SEALED && size == FLUSH && OFFSET(claim) > 0 -> goto turn
		:: OFFSET(claim) != SEALED && size != FLUSH && OFFSET(claim) + size > WORDS -> goto turn
		:: OFFSET(claim) != SEALED && size != FLUSH && OFFSET(claim) + size <= WORDS -> goto fits
		fi
	}
AT_LOOKED:
#ifndef BUG_HEAD_LATE
	raise_word();
#endif
AT_LIFTED:
	atomic {
		if
		:: claim_of[sub] == claim -> claim_of[sub] = CLAIM(seq, 0)
		:: else
		fi
	}
AT_OPENED:
#ifdef BUG_HEAD_LATE
	raise_word();
#endif
	cur = sub;
#ifdef WATERMARK
AT_HINTED:
#ifndef BUG_WAKE_EARLY
	atomic {
		if
		:: raised && READY(own[HEAD]) -> asleep = false
		:: else
		fi;
		raised = false
	}
#endif
#endif
	goto look;

fits:
	look_at_clock(sub);
	atomic {
		if
		:: claim_of[sub] == claim && SAME_TIME(sub) -> claim_of[sub] = claim + size; give_time(sub)
		:: else -> goto look
		fi
	}
	atomic { cur = sub; goto begin }

turn:
	atomic {
		slot = own[SLOT(next)];
		into = INDEX(slot);
		if
		:: SLOT_SEQ(slot) != next - SUBBUFS -> goto look
		:: else
		fi;
		/* slot_unusable() */
#ifndef BUG_PREPARING_TAKEN
		if
		:: slot & PREPARING -> goto lose
		:: else
		fi
#endif
	}
#ifndef BUG_PENDING_WIPED
	atomic {
		if
		:: COMMITTED(own[COMMIT(into)]) != WORDS -> goto lose
		:: else
		fi
	}
#endif
#if MODE == DISCARD && !defined(BUG_UNREAD_WIPED)
	atomic {
		if
		:: consumed <= SLOT_SEQ(slot) -> goto lose /* D */
		:: else
		fi
	}
#endif
	/* close_subbuf() */
	atomic {
		if
		:: OFFSET(claim) == WORDS -> goto shut
		:: OFFSET(claim) != WORDS && claim_of[sub] == claim ->
			claim_of[sub] = claim + (WORDS - OFFSET(claim))
		:: OFFSET(claim) != WORDS && claim_of[sub] != claim -> goto look
		fi
	}
AT_CLOSED:
#ifndef BUG_REST_NOT_COUNTED
	release_shut(COMMIT(sub), own[COMMIT(sub)] + WORDS - OFFSET(claim));
#endif
shut:
	/* past_read() */
#ifdef CLOCK
	look_at_clock(sub);
	atomic {
#ifdef BUG_START_UNCLAMPED
		start = 0;
#else
		start = time;
#endif
		time = 0; last = 0
	}
#endif
#ifdef HEADERS
	atomic { past_overwritten = overwritten; past_lost = lost }
#endif
	atomic {
		mine = next << 5 | PREPARING | into;
		if
		:: own[SLOT(next)] == slot -> ordered_F(SLOT(next), mine) /* E, F */
		:: else -> goto look
		fi
	}
AT_PREPARED:
	/* prepare_subbuf() */
	atomic {
#if MODE == OVERWRITE && !defined(BUG_OVERWRITTEN_NOT_COUNTED)
		overwritten = overwritten + RECORDS(own[COMMIT(into)]);
#endif
		store(SEQ(into), NONE)
	}
#ifndef BUG_NOT_WIPED
	WIPE {
		do
		:: atomic { i < WORDS -> store(DATA(into, i), 0); i++ }
		:: atomic { i == WORDS -> i = 0; break }
		od
	}
#endif
AT_WIPED:
#ifdef HEADERS
#ifdef BUG_PAST_LATE
	atomic { past_overwritten = overwritten; past_lost = lost }
#endif
	atomic { lost_in[into] = past_lost; overwritten_in[into] = past_overwritten }
#endif
#ifdef CLOCK
	atomic { start_in[into] = start; time_of[into] = start; start = 0 }
#endif
	atomic {
		store(COMMIT(into), 0);
		claim_of[into] = CLAIM(next, SEALED)
	}
	release_A(SEQ(into), next);
AT_SEALED:
#ifdef HEADERS
	check_headers();
	atomic { past_lost = 0; past_overwritten = 0 }
#endif
#ifndef BUG_NOT_SKIPPED
	seq++;
	do
	:: seq < next ->
		slot = own[SLOT(seq)];
		atomic {
			if
			:: own[SLOT(seq)] == slot -> ordered(SLOT(seq), slot | SKIPPED)
			:: else
			fi;
			seq++
		}
	:: seq == next -> break
	od;
#endif
	atomic {
		if
		:: own[SLOT(next)] == mine -> ordered(SLOT(next), mine & ~PREPARING)
		:: else -> goto skipped
		fi;
#ifdef CLOCK
		assert(start_in[into] >= last_time && start_in[into] <= best)
#endif
	}
AT_PUBLISHED:
#ifdef BUG_WAKE_EARLY
	if
	:: READY(next) -> asleep = false
	:: else
	fi;
#endif
	goto look;

skipped:
	claim_of[into] = CLAIM(next, WORDS);
	store(COMMIT(into), WORDS);
	release(SLOT(next), mine & ~PREPARING);
	goto look;

lose:
	atomic {
		if
		:: size == FLUSH -> assert(MODE == DISCARD || me > 0); goto through /* nothing is pending: there is room */
		:: else -> lost++
		fi
	}

next_record:
	atomic {
		sub = 0; seq = 0; next = 0; into = 0; claim = 0; slot = 0; mine = 0; rounds = 0; size = 0;
		serial++;
		if
		:: serial < records -> goto again
		:: me > 0 -> running = below; below = 0; goto strike
		:: me == 0 && serial == records -> closing = true; goto look /* rt_ring_flush */
		fi
	}
through:
	atomic {
		sub = 0; seq = 0; next = 0; into = 0; claim = 0; slot = 0; mine = 0; rounds = 0;
#ifdef FLUSHES
		if
		:: me > 0 -> running = below; below = 0; goto strike
		:: else
		fi;
#endif
		drain(); d = 0;
		done = true
	}
end:	skip
#undef id
}

#include "reader.pml"

init
{
	byte i;

	/* rt_ring_init(): lap 0 is the empty ring, closed, complete and read. */
	atomic {
		for (i : 0 .. AREAS - 1) {
			own[SEQ(i)] = NONE;
			own[COMMIT(i)] = WORDS;
			claim_of[i] = CLAIM(i, WORDS)
		}
		for (i : 0 .. SUBBUFS - 1) {
			own[SLOT(i)] = i << 5 | i
		}
		own[HEAD] = SUBBUFS - 1;
		cur = SUBBUFS - 1;
		for (i : 0 .. PLACES - 1) {
			mem[i] = own[i]
		}
		i = 0;
		run reader();
#ifdef IMAGE
		run image();
#endif
		run writer(0, OUTER);
		run writer(1, NESTED);
#if DEEP > 0
		run writer(2, DEEP);
#endif
	}
}
