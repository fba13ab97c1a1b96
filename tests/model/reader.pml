/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reader.pml - the readers of ring.pml, and the one that comes after a crash.
 *
 *	LIVE  user/agent/live.c over subbuf.c: discard mode, in the mapped memory
 *	TAKE  rt_ring_take(): overwrite mode, swaps its spare in and reads what came out
 *	COPY  rt_ring_copy(), once, of any sub-buffer at any time
 *	NOBODY: the writers are alone
 *
 * A load that a missing acquire lets through too early is done early by choice, and
 * its value used later.  What a missing release lets through too late is done late.
 */
byte expect[WRITERS]; /* the lowest serial that may come */
byte seen;

/* A header that says committed: is it one of ours, of this lap, not yet seen, in order? */
#define judge(head, lap) \
	assert(SIZE(head) >= SMALLEST); \
	assert(ID(head) < WRITERS * 8 && flipped[ID(head)]); \
	assert(lap_of[ID(head)] == lap); \
	assert(SERIAL(ID(head)) >= expect[WRITER(ID(head))]); \
	expect[WRITER(ID(head))] = SERIAL(ID(head)) + 1; \
	seen++

#if READER == LIVE
proctype reader()
{
	byte seq = SUBBUFS, at, i;
	short commit, head;
	bool open, last, complete;
#ifdef NO_A_READER
	bool early_commit;
#endif
#ifdef NO_B_READER
	short early;
#endif
#define area (seq % SUBBUFS)

#ifdef NO_A_READER
next:
	if
	:: !open -> commit = mem[COMMIT(area)]; early_commit = true
	:: true
	fi;
	atomic {
		last = done;
#else
next:
	atomic {
		last = done; /* loaded before all the rest */
#endif
		if
		:: open
		:: !open && mem[SEQ(area)] == seq -> open = true /* A */
		:: !open && mem[SEQ(area)] != seq -> goto none
		fi
	}

	/* rt_subbuf_next_live */
#ifdef NO_C_READER
	if
	:: at < WORDS -> head = mem[DATA(area, at)]; commit = mem[COMMIT(area)]; goto have
	:: true
	fi;
#endif
#ifdef NO_A_READER
	if
	:: early_commit -> early_commit = false; goto have_commit
	:: else
	fi;
#endif
	commit = mem[COMMIT(area)]; /* C */
have_commit:
	atomic { complete = (COMMITTED(commit) == WORDS); commit = 0 }
walk:
	atomic {
		if
		:: at == WORDS && complete -> goto finished
		:: at == WORDS && !complete -> goto none
		:: at < WORDS
		fi
	}
#ifdef NO_D_READER
	if
	:: complete -> consumed = seq + 1
	:: true
	fi;
#endif
#ifdef NO_B_READER
	early = 0;
	if
	:: at + 1 < WORDS -> early = mem[DATA(area, at + 1)] | 4096
	:: true
	fi;
#endif
#ifdef NO_C_READER
	head = mem[DATA(area, at)];
	goto have_head;
have:
	atomic { complete = (COMMITTED(commit) == WORDS); commit = 0 }
have_head:
	atomic {
#else
	atomic {
		head = mem[DATA(area, at)]; /* B */
#endif
		if
		:: !complete && STATE(head) <= PENDING -> goto none
		:: (complete || STATE(head) > PENDING) && head == 0 -> at++; goto walk
		:: (complete || STATE(head) > PENDING) && head != 0
		fi;
		assert(SIZE(head) && at + SIZE(head) <= WORDS && STATE(head));
		if
		:: STATE(head) == WRITTEN -> judge(head, seq)
		:: else -> at = at + SIZE(head); head = 0; goto walk
		fi;
		i = 1
	}
	do
#ifdef NO_B_READER
	:: atomic { i == 1 && early -> assert((early & 4095) == PAYLOAD(ID(head))); early = 0; i++ }
#endif
	:: atomic { i < SIZE(head) -> assert(mem[DATA(area, at + i)] == PAYLOAD(ID(head))); i++ }
	:: atomic { i == SIZE(head) -> at = at + SIZE(head); i = 0; head = 0; break }
	od;
	goto next;

finished:
	atomic {
		open = false;
		complete = false;
		at = 0;
		seq++;
		consumed = seq; /* D */
		goto next
	}
none:
	atomic {
		complete = false;
		head = 0;
		commit = 0;
		if
		:: last -> assert(attempted == seen + cancelled + lost); goto over
		:: else
		fi
	}
#ifdef WATERMARK
	/* poll(): queue up, ask, sleep; once awake, ask again. */
poll:
	asleep = true;
	if
	:: atomic { READY(mem[HEAD]) -> asleep = false; goto next }
	:: else
	fi;
	if
	:: atomic { !asleep -> goto poll }
	:: atomic { asleep && done -> assert(!READY(mem[HEAD])); asleep = false }
	fi;
#endif
	goto next;
over:	skip
#undef area
}

#endif

#if READER == NOBODY
proctype reader()
{
	done;
	assert(attempted == committed + cancelled + lost)
}
#endif

/* rt_ring_span(), one look at a time. */
inline span()
{
	newest = mem[HEAD];
	do
	:: atomic {
		slot = mem[SLOT(newest + 1)];
		if
		:: SLOT_SEQ(slot) != newest + 1 || (slot & PREPARING) -> slot = 0; break
		:: else -> newest++
		fi
	}
	od;
	seq = (newest < 2 * SUBBUFS -> SUBBUFS : newest - SUBBUFS + 1)
}

#ifdef COPIES
/* rt_ring_copy() of any one, or none. */
inline copy_any()
{
	if
	:: !copied ->
		span();
		do
		:: seq < newest -> seq++
		:: true -> break
		od;
		copied = true;
		slot = mem[SLOT(seq)];
		taken = INDEX(slot);
		if
		:: SLOT_SEQ(slot) == seq && !(slot & PREPARING) && mem[SEQ(taken)] == seq ->
			commit = mem[COMMIT(taken)];
			do
			:: atomic { at < WORDS && COMMITTED(commit) == WORDS -> to[at] = mem[DATA(taken, at)]; at++ }
			:: at < WORDS && COMMITTED(commit) != WORDS ->
				atomic {
					head = mem[DATA(taken, at)];
					if
					:: !SIZE(head) || SIZE(head) > WORDS - at -> head = 0; break
					:: else
					fi;
					to[at] = head;
					i = (STATE(head) == WRITTEN -> 1 : SIZE(head))
				}
				do
				:: atomic { i < SIZE(head) -> to[at + i] = mem[DATA(taken, at + i)]; i++ }
				:: atomic { i == SIZE(head) -> at = at + SIZE(head); i = 0; head = 0; break }
				od
			:: at == WORDS -> break
			od;
			if
			:: mem[SLOT(seq)] == slot -> good_copy()
			:: else
			fi
		:: else
		fi;
		d_step {
			for (d : 0 .. WORDS - 1) { to[d] = 0 }
			d = 0; at = 0; i = 0; head = 0; commit = 0; slot = 0; taken = 0; seq = 0; newest = 0; count = 0
		}
	:: true
	fi
}

inline good_copy()
{
	d_step {
		at = 0;
		do
		:: at >= WORDS -> break
		:: at < WORDS && to[at] == 0 -> at++
		:: at < WORDS && to[at] != 0 ->
			head = to[at];
			assert(SIZE(head) && at + SIZE(head) <= WORDS && STATE(head));
			if
			:: STATE(head) == WRITTEN ->
				assert(SIZE(head) >= SMALLEST && flipped[ID(head)] && lap_of[ID(head)] == seq);
				count++;
				i = 1;
				do
				:: i < SIZE(head) -> assert(to[at + i] == PAYLOAD(ID(head))); i++
				:: else -> break
				od
			:: else
			fi;
			at = at + SIZE(head)
		od;
		assert(COMMITTED(commit) != WORDS || count == RECORDS(commit))
	}
}
#endif

#if READER == TAKE
proctype reader()
{
#ifdef COPIES
	bool copied;
	short to[WORDS];
#endif
	byte spare = SUBBUFS, wanted = SUBBUFS;
	byte seq, newest, taken, at, i, count;
	short slot, commit, head;
	bool last;
#ifdef NO_E_READER
	byte late_place;
	short late;
#endif

take:
	last = done;
#ifdef COPIES
	copy_any();
#endif
	span();
	seq = (seq < wanted -> wanted : seq);
choose:
	atomic {
		if
		:: seq >= newest -> goto none
		:: else
		fi;
		slot = mem[SLOT(seq)];
		if
		:: SLOT_SEQ(slot) != seq -> seq++; goto choose
		:: SLOT_SEQ(slot) == seq && (slot & PREPARING) -> goto none
		:: SLOT_SEQ(slot) == seq && !(slot & PREPARING) -> taken = INDEX(slot)
		fi
	}
	atomic {
		commit = mem[COMMIT(taken)]; /* C; the exchange below would do as well */
		if
		:: COMMITTED(commit) != WORDS -> goto none
		:: else
		fi
	}
AT_CHOSEN:
#ifdef NO_E_READER
	if
	:: true -> goto swap
	:: true
	fi;
#endif
	d_step { own[COMMIT(spare)] = WORDS; mem[COMMIT(spare)] = WORDS }
swap:
	if
	:: atomic {
		own[SLOT(seq)] == mem[SLOT(seq)] && mem[SLOT(seq)] == slot -> /* E */
		own[SLOT(seq)] = seq << 5 | spare;
		mem[SLOT(seq)] = seq << 5 | spare
	   }
	:: atomic {
		own[SLOT(seq)] == mem[SLOT(seq)] && mem[SLOT(seq)] != slot ->
		seq++;
		goto choose
	   }
	fi;
AT_SWAPPED:
#ifdef NO_E_READER
	/* what a relaxed exchange lets through */
	if
	:: late -> assert(mem[late_place] == late); late = 0; late_place = 0
	:: else
	fi;
	if
	:: COMMITTED(own[COMMIT(spare)]) == WORDS ->
		d_step { own[COMMIT(spare)] = WORDS; mem[COMMIT(spare)] = WORDS }
	:: else
	fi;
#endif
	atomic { spare = INDEX(slot); wanted = seq + 1; newest = 0; slot = 0; at = 0 }

	/* rt_subbuf_next, until the end */
	do
	:: at == WORDS -> break
	:: at < WORDS ->
		atomic {
			head = mem[DATA(taken, at)];
			if
			:: head == 0 -> at++
			:: else ->
				assert(SIZE(head) && at + SIZE(head) <= WORDS && STATE(head));
				if
				:: STATE(head) == WRITTEN -> judge(head, seq); count++; i = 1
				:: else -> i = SIZE(head)
				fi
			fi
		}
		do
		:: atomic { head && i < SIZE(head) -> assert(mem[DATA(taken, at + i)] == PAYLOAD(ID(head))); i++ }
#ifdef NO_E_READER
		:: atomic { head && i < SIZE(head) && !late -> late_place = DATA(taken, at + i); late = PAYLOAD(ID(head)); i++ }
#endif
		:: atomic { head && i == SIZE(head) -> at = at + SIZE(head); i = 0; head = 0; break }
		:: head == 0 -> break
		od
	od;
	atomic {
		assert(count == RECORDS(commit));
		count = 0; at = 0; seq = 0; taken = 0; commit = 0;
		goto take
	}
none:
	atomic {
		seq = 0; newest = 0; slot = 0; commit = 0; taken = 0;
		if
		:: last -> assert(attempted == seen + overwritten + cancelled + lost)
		:: else -> goto take
		fi
	}
}
#endif

/* Without C one word may have been loaded before the commit count: which, and what it was. */
#ifdef NO_C_READER
#define load(place) (early_place == place -> early : mem[place])
#define load_early(area) \
	early_at = 0; \
	do \
	:: early_at + 1 < WORDS -> early_at++ \
	:: true -> break \
	od; \
	atomic { early_place = DATA(area, early_at); early = mem[early_place]; early_at = 0 }
#else
#define load(place) mem[place]
#define load_early(area) skip
#endif

#if READER == COPY
proctype reader()
{
	byte seq, newest, area, at, i, count;
	short slot, again, commit, head;
	short to[WORDS];
#ifdef NO_C_READER
	short early;
	byte early_at, early_place = NONE;
#endif

	span();
	do
	:: seq < newest -> seq++
	:: true -> break
	od;
	atomic {
		slot = mem[SLOT(seq)];
		area = INDEX(slot);
		newest = 0;
		if
		:: SLOT_SEQ(slot) != seq || (slot & PREPARING) -> goto gone
		:: else
		fi
	}
	if
	:: mem[SEQ(area)] != seq -> goto gone /* A */
	:: else
	fi;
#ifdef NO_F_READER
	if
	:: again = mem[SLOT(seq)]
	:: true
	fi;
#endif
	load_early(area);
	commit = mem[COMMIT(area)]; /* C */
	if
	:: COMMITTED(commit) == WORDS ->
		do
		:: atomic { at < WORDS -> to[at] = load(DATA(area, at)); at++ }
		:: at == WORDS -> break
		od
	:: else ->
		/* copy_open() */
		do
		:: at < WORDS ->
#ifdef NO_B_READER
			if
			:: at + 1 < WORDS -> to[at + 1] = mem[DATA(area, at + 1)]; count = 1
			:: true
			fi;
#endif
			atomic {
				head = mem[DATA(area, at)]; /* B */
				if
				:: !SIZE(head) || SIZE(head) > WORDS - at -> head = 0; break
				:: else
				fi;
				to[at] = head;
				i = (STATE(head) == WRITTEN -> 1 + count : SIZE(head));
				count = 0
			}
			do
			:: atomic { i < SIZE(head) -> to[at + i] = mem[DATA(area, at + i)]; i++ }
			:: atomic { i == SIZE(head) -> at = at + SIZE(head); i = 0; head = 0; break }
			od
		:: at == WORDS -> break
		od
	fi;
AT_COPIED:
	if
	:: again == 0 -> again = mem[SLOT(seq)] /* F */
	:: else
	fi;
	if
	:: again != slot -> goto gone
	:: else
	fi;

	/* The copy counts: is it good? */
	d_step {
		at = 0;
		count = 0;
		do
		:: at >= WORDS -> break
		:: at < WORDS && to[at] == 0 -> at++
		:: at < WORDS && to[at] != 0 ->
			head = to[at];
			assert(SIZE(head) && at + SIZE(head) <= WORDS && STATE(head));
			if
			:: STATE(head) == WRITTEN ->
				judge(head, seq);
				count++;
				i = 1;
				do
				:: i < SIZE(head) -> assert(to[at + i] == PAYLOAD(ID(head))); i++
				:: else -> break
				od
			:: else
			fi;
			at = at + SIZE(head)
		od;
		assert(COMMITTED(commit) != WORDS || count == RECORDS(commit))
	}
gone:
	done;
	assert(attempted == committed + cancelled + lost)
}
#endif

#ifdef IMAGE
/*
 * The machine dies, at any moment: what is in memory then?  Every committed record that
 * was neither read nor overwritten, and nothing that only looks like one.
 */
proctype image()
{
	byte area, at, i, found;
	short head;

end:	do
	:: d_step {
		do
		:: area < AREAS && at < WORDS && own[SEQ(area)] != NONE ->
			head = own[DATA(area, at)];
			if
			:: head == 0 -> at++
			:: else ->
				assert(SIZE(head) && at + SIZE(head) <= WORDS && STATE(head));
				if
				:: STATE(head) == WRITTEN ->
					assert(SIZE(head) >= SMALLEST && flipped[ID(head)]);
					assert(lap_of[ID(head)] == own[SEQ(area)]);
					found++;
					i = 1;
					do
					:: i < SIZE(head) ->
						assert(own[DATA(area, at + i)] == PAYLOAD(ID(head)));
						i++
					:: else -> break
					od
				:: else
				fi;
				at = at + SIZE(head)
			fi
		:: area < AREAS && (at >= WORDS || own[SEQ(area)] == NONE) -> area++; at = 0
		:: area == AREAS -> break
		od;
#if READER == NOBODY
		assert(found + overwritten == committed);
#else
		assert(found + seen + overwritten >= committed);
#endif
		area = 0; at = 0; i = 0; found = 0; head = 0
	}
	od
}
#endif
