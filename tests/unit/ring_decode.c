// SPDX-License-Identifier: GPL-2.0
/* ring_decode.c - the decoder of a sub-buffer, with input that a ring never writes. */
#include "ring_rig.h"

#define BYTES 4096U
#define FIRST RT_SUBBUF_HEAD_WORDS

#define WORDS (BYTES / RT_WORD)

static u32 raw[WORDS] __attribute__((aligned(8)));
static struct rt_subbuf *const head = (struct rt_subbuf *)raw;

static void fresh(void)
{
	memset(raw, 0, sizeof(raw));
	head->magic = RT_SUBBUF_MAGIC;
	head->abi_major = RT_ABI_MAJOR;
	head->bytes = BYTES;
	head->seq = 9;
	head->start = 1000;
	head->commit = BYTES;
}

/* Write the words of the record that lie inside the sub-buffer. */
static void put(u32 at, u32 time, u32 id, u32 size, u32 state)
{
	raw[at] = id << RT_RECORD_ID_SHIFT | size | state;
	if (at + 1 < WORDS)
		raw[at + 1] = time;
}

static void refused(const char *what)
{
	struct rt_subbuf_reader r;
	struct rt_err err = { "" };

	ok(rt_subbuf_open(&r, raw, BYTES, &err) == -EINVAL && err.text[0], "%s: %s", what,
	   err.text);
}

static void headers(void)
{
	struct rt_subbuf_reader r;
	struct rt_err err;

	fresh();
	is_int(rt_subbuf_open(&r, raw, BYTES, NULL), 0, "a good one opens");
	is_int(rt_subbuf_open(&r, raw, BYTES + 4096, NULL), 0, "also with more behind it");
	is_int(rt_subbuf_open(&r, raw, BYTES - 1, &err), -EINVAL, "one byte short: %s", err.text);
	is_int(rt_subbuf_open(&r, raw, sizeof(*head) - 1, &err), -EINVAL, "no whole header");
	is_int(rt_subbuf_open(&r, (char *)raw + 1, 4000, &err), -EINVAL, "not aligned");
	head->magic++;
	refused("magic number");
	head->magic = __builtin_bswap64(RT_SUBBUF_MAGIC);
	refused("byte order");
	fresh();
	head->abi_major++;
	refused("ABI");
	fresh();
	head->bytes = 0;
	refused("size 0");
	head->bytes = BYTES + 8;
	refused("odd size");
	head->bytes = 2048;
	refused("small size");
	head->bytes = 1U << 31;
	refused("large size");
	fresh();
	head->seq = RT_SEQ_NONE;
	refused("no number");
}

/* Read all records: there must be WANT, and the reader must report damage or not. */
static void walk(u64 want, bool want_damaged, const char *what)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	u64 n = 0;

	rt_subbuf_open(&r, raw, BYTES, NULL);
	while (rt_subbuf_next(&r, &rec))
		n++;
	ok(n == want && r.damaged == want_damaged, "%s", what);
	ok(!rt_subbuf_next(&r, &rec), "and it stays at the end");
}

static void records(void)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	u32 i;

	fresh();
	walk(0, false, "nothing but zero");
	put(WORDS - 2, 5, 7, 8, RT_RECORD_COMMITTED);
	walk(1, false, "a record in the last words");
	put(WORDS - 2, 5, 7, 12, RT_RECORD_COMMITTED);
	walk(0, true, "one that would reach over the end");
	put(WORDS - 2, RT_RECORD_TIME_EXT, 7, 8, RT_RECORD_COMMITTED);
	walk(0, true, "an extended one without room for its time");
	fresh();
	put(WORDS - 1, 0, 7, 4, RT_RECORD_COMMITTED);
	walk(0, true, "a head in the last word that says it is a whole record");
	put(WORDS - 1, 0, 7, 8, RT_RECORD_COMMITTED);
	walk(0, true, "or that its time is behind the end");
	put(WORDS - 1, 0, 7, 4, RT_RECORD_CANCELLED);
	walk(0, false, "one that was given back there");
	fresh();
	put(FIRST, 5, 7, 0, RT_RECORD_COMMITTED);
	walk(0, true, "a size of 0");
	put(FIRST, 5, 7, 4, RT_RECORD_COMMITTED);
	walk(0, true, "a size without the time");
	put(FIRST, RT_RECORD_TIME_EXT, 7, 12, RT_RECORD_COMMITTED);
	walk(0, true, "a size with half of an extended time");
	put(FIRST, 5, 7, 8, RT_RECORD_FREE);
	walk(0, true, "a head without a state");
	put(FIRST, 5, 7, RT_RECORD_BYTES_MAX, RT_RECORD_PENDING);
	walk(0, true, "a pending one as large as can be");
	memset(raw + FIRST, 0xff, BYTES - FIRST * RT_WORD);
	walk(0, true, "all ones");

	fresh();
	put(FIRST, RT_RECORD_TIME_EXT, 0xffff, 16, RT_RECORD_COMMITTED);
	*(rt_payload_u64 *)(raw + FIRST + 2) = 0x123456789abcdefULL;
	put(FIRST + 4, RT_RECORD_TIME_EXT - 1, 1, 8, RT_RECORD_COMMITTED);
	rt_subbuf_open(&r, raw, BYTES, NULL);
	ok(rt_subbuf_next(&r, &rec) && rec.time == 0x123456789abcdefULL && rec.bytes == 0,
	   "an extended time is taken as it is");
	ok(rt_subbuf_next(&r, &rec) && rec.time == 1000ULL + (~0U - 1),
	   "a short one counts from the start");

	/* Records without payload, then the same one word further on. */
	for (i = FIRST; i < WORDS; i += 2)
		put(i, i, i, 8, RT_RECORD_COMMITTED);
	walk((WORDS - FIRST) / 2, false, "a sub-buffer of bare headers");
	fresh();
	for (i = FIRST + 1; i < WORDS - 1; i += 2)
		put(i, i, i, 8, RT_RECORD_COMMITTED);
	walk((WORDS - FIRST) / 2 - 1, false, "a word further on");
	for (i = FIRST; i < WORDS; i++)
		raw[i] = RT_WORD | RT_RECORD_CANCELLED;
	walk(0, false, "nothing but what was given back, word by word");
}

static void live(void)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;

	fresh();
	head->commit = sizeof(*head);
	ok(rt_subbuf_began(head, 9) && !rt_subbuf_began(head, 10), "its number says that it began");
	rt_subbuf_open(&r, raw, BYTES, NULL);
	is_int(rt_subbuf_next_live(&r, &rec), RT_LIVE_WAIT, "an empty one: wait");
	put(FIRST, 1, 1, 12, RT_RECORD_PENDING);
	put(FIRST + 3, 1, 2, 8, RT_RECORD_COMMITTED);
	is_int(rt_subbuf_next_live(&r, &rec), RT_LIVE_WAIT,
	       "a pending record: wait, also for those behind");
	raw[FIRST] ^= RT_RECORD_PENDING ^ RT_RECORD_COMMITTED;
	ok(rt_subbuf_next_live(&r, &rec) == RT_LIVE_RECORD && rec.id == 1,
	   "committed: there it is");
	ok(rt_subbuf_next_live(&r, &rec) == RT_LIVE_RECORD && rec.id == 2, "and the next");
	is_int(rt_subbuf_next_live(&r, &rec), RT_LIVE_WAIT, "no more: wait");
	head->commit = BYTES;
	is_int(rt_subbuf_next_live(&r, &rec), RT_LIVE_END, "complete: the end");
	is_int(r.records, 2, "two records");

	fresh();
	head->commit = BYTES - 16;
	put(FIRST, 1, 1, BYTES - FIRST * RT_WORD, RT_RECORD_COMMITTED);
	rt_subbuf_open(&r, raw, BYTES, NULL);
	is_int(rt_subbuf_next_live(&r, &rec), RT_LIVE_RECORD, "a record up to the last word");
	is_int(rt_subbuf_next_live(&r, &rec), RT_LIVE_WAIT, "not counted yet: its writer is there");
}

int main(void)
{
	headers();
	records();
	live();
	return tap_done();
}
