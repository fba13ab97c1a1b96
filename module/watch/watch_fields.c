// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "watch_fields.h"

/* The values of a context, and the bytes that hold each of them. */
static const struct {
	u16 from;
	u8 bytes; /* 0: as many as are watched */
} values[RT_CONTEXTS] = {
	[RT_CONTEXT_IP] = { offsetof(struct rt_program_context, ip), 8 },
	[RT_CONTEXT_ADDR] = { offsetof(struct rt_program_context, addr), 8 },
	[RT_CONTEXT_OLD] = { offsetof(struct rt_program_context, old_value), 0 },
	[RT_CONTEXT_NEW] = { offsetof(struct rt_program_context, new_value), 0 },
	[RT_CONTEXT_RW] = { offsetof(struct rt_program_context, rw), 1 },
	[RT_CONTEXT_FLAGS] = { offsetof(struct rt_program_context, watch), 1 },
};

/* The part for a store of context VALUE; false if VALUE is not listed, or would be truncated. */
static bool make_part(struct rt_watch_part *part, u16 value, const struct rt_insn *store,
		      u32 length)
{
	u32 bytes;

	if (!values[value].from)
		return false;
	bytes = values[value].bytes ? values[value].bytes : length;
	if (bytes > store->size)
		return false;
	part->from = values[value].from;
	part->shift = store->offset % 8 * 8;
	return true;
}

/* Each word must begin with a value of its own, and the words must be contiguous. */
static bool add_value(struct rt_watch_fields *fields, const struct rt_insn *load,
		      const struct rt_insn *store, u32 length)
{
	u32 word = (store->offset - RT_FIELD_BASE) / 8;
	struct rt_watch_part part = { .word = word };

	if (!make_part(&part, load->arg, store, length))
		return false;
	if (word == fields->words)
		fields->first[fields->words++] = part;
	else if (word < fields->words && fields->more_count < RT_WATCH_WORDS_MAX)
		fields->more[fields->more_count++] = part;
	else
		return false;
	return true;
}

static void add_constant(struct rt_watch_fields *fields, const struct rt_insn *load,
			 const struct rt_insn *store)
{
	u64 mask = store->size == 8 ? ~0ULL : (1ULL << 8 * store->size) - 1;

	fields->constants[(store->offset - RT_FIELD_BASE) / 8] |= (load->imm & mask)
								  << store->offset % 8 * 8;
}

static bool fields_make(struct rt_watch_fields *fields, const struct rt_insn *insn, u32 length)
{
	for (; insn->op != RT_OP_RETURN; insn += 2) {
		if (insn[1].op != RT_OP_STORE ||
		    insn[1].offset >= RT_FIELD_BASE + 8 * RT_WATCH_WORDS_MAX)
			return false;
		if (insn->op == RT_OP_IMMEDIATE)
			add_constant(fields, insn, &insn[1]);
		else if (insn->op != RT_OP_CONTEXT || !add_value(fields, insn, &insn[1], length))
			return false;
	}
	return true;
}

void rt_watch_fields_make(struct rt_watch_fields *fields, const struct rt_code *fetch, u32 length)
{
	BUILD_BUG_ON(sizeof(((struct rt_program_context *)0)->rw) != sizeof(u64) ||
		     sizeof(((struct rt_program_context *)0)->watch) != sizeof(u64));
	memset(fields, 0, sizeof(*fields));
	if (!fetch->insns || fetch->measure)
		return;
	/* The last word is written whole, because a record ends at a word boundary. */
	fields->bytes = round_up(fetch->fixed - RT_FIELD_BASE, sizeof(u64));
	/* A word that has only constants would be missing at the end. */
	if (!fields_make(fields, fetch->insns, length) ||
	    fields->bytes / sizeof(u64) != fields->words)
		fields->words = 0;
}
