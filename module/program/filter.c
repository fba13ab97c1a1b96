// SPDX-License-Identifier: GPL-2.0
/*
 * filter.c - run filter programs.  Every comparison with a value that could not be read is false;
 * RT_IF_NOT inverts the result afterwards.
 */
#include "glob.h"
#include "value.h"

static bool filter_compare(u8 how, u64 a, u64 b)
{
	switch (how & RT_IF_MASK) {
	case RT_IF_EQ:
		return a == b;
	case RT_IF_NE:
		return a != b;
	case RT_IF_LT:
		return a < b;
	case RT_IF_LE:
		return a <= b;
	case RT_IF_GT:
		return a > b;
	case RT_IF_GE:
		return a >= b;
	case RT_IF_SLT:
		return (s64)a < (s64)b;
	case RT_IF_SLE:
		return (s64)a <= (s64)b;
	case RT_IF_SGT:
		return (s64)a > (s64)b;
	case RT_IF_SGE:
		return (s64)a >= (s64)b;
	default:
		return (a & b) != 0;
	}
}
RT_PORT_NOPROBE(filter_compare);

/* The record's bytes; offsets count from RT_FIELD_BASE. */
struct record {
	const u8 *fields;
	u32 size;
};

static const void *record_at(const struct record *record, u32 offset)
{
	return record->fields + (offset - RT_FIELD_BASE);
}
RT_PORT_NOPROBE(record_at);

/* The text that INSN compares, *SIZE bytes; NULL if it is not inside the record. */
static const char *find_text(const struct rt_insn *insn, const struct record *record, u32 *size)
{
	u32 loc, offset;

	switch (insn->size & RT_TEXT_FROM_MASK) {
	case RT_TEXT_COMM:
		*size = RT_COMM_LEN;
		return rt_port_comm();
	case RT_TEXT_FIXED:
		*size = insn->imm >> 32;
		return record_at(record, insn->offset);
	default:
		loc = rt_value_at(record_at(record, insn->offset), 4);
		offset = loc & 0xffff;
		*size = loc >> 16;
		if (offset < RT_FIELD_BASE || offset - RT_FIELD_BASE > record->size ||
		    *size > record->size - (offset - RT_FIELD_BASE))
			return NULL;
		/* A tracepoint's text may be longer, but the checker budgets for this much. */
		if (*size > RT_PROGRAM_STRING_MAX)
			*size = RT_PROGRAM_STRING_MAX;
		return record_at(record, offset);
	}
}
RT_PORT_NOPROBE(find_text);

static bool compare_text(const struct rt_code *filter, const struct rt_insn *insn,
			 const struct record *record)
{
	const char *literal = (const char *)(filter->insns + filter->code + (insn->imm & 0xffff));
	u32 literal_size = (insn->imm >> 16) & 0xffff, size;
	const char *text = find_text(insn, record, &size), *nul;

	if (!text)
		return false;
	nul = memchr(text, 0, size);
	if (nul)
		size = nul - text;
	if (insn->size & RT_TEXT_GLOB)
		return rt_glob_match(literal, literal_size, text, size);
	return size == literal_size && !memcmp(text, literal, size);
}
RT_PORT_NOPROBE(compare_text);

bool rt_filter_run(const struct rt_code *filter, const struct rt_program_context *context,
		   const void *fields, u32 size)
{
	struct rt_value value = { 0, false }, kept = { 0, false };
	struct record record = { fields, size };
	const struct rt_insn *insn;
	bool holds;
	u64 other;

	/* Drop a record that is shorter than the fields that the filter uses. */
	if (!filter->early && size < filter->fixed - RT_FIELD_BASE)
		return false;

	for (insn = filter->insns;; insn++) {
		switch (insn->op) {
		case RT_OP_FIELD:
			value.v = rt_value_at(record_at(&record, insn->offset), insn->size);
			value.bad = false;
			break;
		case RT_OP_KEEP:
			kept = value;
			break;
		case RT_OP_JUMP:
			other = insn->imm;
			holds = !value.bad;
			if (insn->size & RT_IF_KEPT) {
				other = kept.v;
				holds = holds && !kept.bad;
			}
			holds = holds && filter_compare(insn->size, value.v, other);
			if (holds == !(insn->size & RT_IF_NOT))
				insn += insn->arg;
			break;
		case RT_OP_JUMP_TEXT:
			holds = compare_text(filter, insn, &record);
			if (holds == !(insn->size & RT_IF_NOT))
				insn += insn->arg;
			break;
		case RT_OP_RETURN:
			return insn->imm;
		default:
			rt_value_step(insn, context, &value);
		}
	}
}
RT_PORT_NOPROBE(rt_filter_run);
