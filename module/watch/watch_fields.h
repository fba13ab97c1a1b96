/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_fields.h - the fields of a watchpoint's record, written word by word.
 *
 * A fetch program that only stores values of the access, like that of `mem:`, becomes a list of words
 * when the event is armed.  rt_fetch_run() runs every other program.
 */
#ifndef RT_WATCH_FIELDS_H
#define RT_WATCH_FIELDS_H

#include "program/program.h"

#define RT_WATCH_WORDS_MAX 8

/* A value of the hit's context, shifted to its place in a word. */
struct rt_watch_part {
	u16 from; /* offset in the context */
	u8 shift;
	u8 word;
};

struct rt_watch_fields {
	u32 words; /* 0: no list, the program must run */
	u32 more_count;
	u32 bytes; /* of the fields, a multiple of 8 if there is a list */
	u64 constants[RT_WATCH_WORDS_MAX];
	struct rt_watch_part first[RT_WATCH_WORDS_MAX]; /* of each word, in order */
	struct rt_watch_part more[RT_WATCH_WORDS_MAX];	/* further parts of the words */
};

/* LENGTH bytes are watched. */
void rt_watch_fields_make(struct rt_watch_fields *fields, const struct rt_code *fetch, u32 length);

static __always_inline u64 rt_watch_part_of(const struct rt_watch_part *part,
					    const struct rt_program_context *context)
{
	return *(const u64 *)((const char *)context + part->from) << part->shift;
}

/* TO has room for whole words. */
static __always_inline void rt_watch_fields_put(const struct rt_watch_fields *fields,
						const struct rt_program_context *context,
						rt_payload_u64 *to)
{
	const struct rt_watch_part *part;
	u32 i;

	for (i = 0; i < fields->words; i++)
		to[i] = fields->constants[i] | rt_watch_part_of(&fields->first[i], context);
	for (i = 0; i < fields->more_count; i++) {
		part = &fields->more[i];
		to[part->word] |= rt_watch_part_of(part, context);
	}
}

#endif
