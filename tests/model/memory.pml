/* SPDX-License-Identifier: GPL-2.0 */
/*
 * memory.pml - the words that two CPUs share, and how one sees the other's stores.
 *
 * own[] is what the writers' CPU sees, mem[] what everybody else sees.  Without WEAK
 * they are always the same.  With WEAK a plain store reaches own[] only; the memory
 * process carries it over whenever it likes, in any order between different words.
 * A release carries over all that was stored before, and then stores; a fully
 * ordered compare-and-exchange carries over its own store as well.
 *
 * The other direction, loads that a reader's CPU does too early or too late, has no
 * place to be kept: the reader makes the choice itself, see reader.pml.
 */

/* The places of one sub-buffer: number, commit count, then the words of its records. */
#define STRIDE	      (WORDS + 2)
#define SEQ(area)     ((area) * STRIDE)
#define COMMIT(area)  ((area) * STRIDE + 1)
#define DATA(area, i) ((area) * STRIDE + 2 + (i))
#define SLOT(seq)     (AREAS * STRIDE + (seq) % SUBBUFS)
#define HEAD	      (AREAS * STRIDE + SUBBUFS)
#define PLACES	      (AREAS * STRIDE + SUBBUFS + 1)

short own[PLACES], mem[PLACES];

#ifdef WEAK
#define store(place, value) own[place] = value
#define drain() for (d : 0 .. PLACES - 1) { mem[d] = own[d] }
#else
#define store(place, value) d_step { own[place] = value; mem[place] = value }
#define drain() skip
#endif

/* Each barrier by its letter in ring_writer.c; -DNO_x takes it away. */
#define release(place, value) d_step { drain(); d = 0; own[place] = value; settle(place) }
#define ordered(place, value) own[place] = value; drain(); d = 0; mem[place] = value
#ifdef WEAK
#define settle(place) skip
#else
#define settle(place) mem[place] = own[place]
#endif

#ifdef NO_A
#define release_A(place, value) store(place, value)
#else
#define release_A(place, value) release(place, value)
#endif
#ifdef NO_B
#define release_B(place, value) store(place, value)
#else
#define release_B(place, value) release(place, value)
#endif
#ifdef NO_C
#define release_C(place, value) store(place, value)
#else
#define release_C(place, value) release(place, value)
#endif
#ifdef NO_C_SHUT
#define release_shut(place, value) store(place, value)
#else
#define release_shut(place, value) release_C(place, value)
#endif
#ifdef NO_F
#define ordered_F(place, value) store(place, value)
#else
#define ordered_F(place, value) ordered(place, value)
#endif

#ifdef WEAK
#if PLACES > 32
#error "more places than the memory process knows"
#endif
#define carry(i)  atomic { own[(i) % PLACES] != mem[(i) % PLACES] -> mem[(i) % PLACES] = own[(i) % PLACES] }
#define carry4(i) :: carry(i) :: carry(i + 1) :: carry(i + 2) :: carry(i + 3)

active proctype memory()
{
end:	do
	carry4(0) carry4(4) carry4(8) carry4(12) carry4(16) carry4(20) carry4(24) carry4(28)
	od
}
#endif
