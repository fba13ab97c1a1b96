// SPDX-License-Identifier: GPL-2.0
/*
 * fetch.c - run fetch programs, which write the fields of a record straight into the ring.
 *
 * A record without strings has a fixed size.  Strings take two passes: the first measures them, the
 * second copies them into the reserved space.  Memory may change in between, so the second pass
 * relies on the size of that space only, not on what the first pass has seen.
 */
#include "value.h"

static const char fault_text[] = "(fault)";

/*
 * Strings are read in aligned pieces, so no piece crosses a page boundary.  A string that ends in a
 * readable page can be read even if the next page cannot.
 */
#define PIECE 32

static u32 piece_size(u64 from, u32 room)
{
	u32 size = PIECE - (from & (PIECE - 1));

	return size < room ? size : room;
}
RT_PORT_NOPROBE(piece_size);

static int read_memory(bool user, void *to, u64 from, u32 size)
{
	return user ? rt_port_read_user(to, from, size) : rt_port_read(to, from, size);
}
RT_PORT_NOPROBE(read_memory);

/* The size of the string at FROM with its NUL, at most LIMIT bytes; 0 if it cannot be read. */
static u32 string_size(bool user, u64 from, u32 limit)
{
	char piece[PIECE];
	const char *nul;
	u32 done = 0, size;

	while (done < limit) {
		size = piece_size(from + done, limit - done);
		if (read_memory(user, piece, from + done, size))
			return 0;
		nul = memchr(piece, 0, size);
		if (nul)
			return done + (nul - piece) + 1;
		done += size;
	}
	return limit;
}
RT_PORT_NOPROBE(string_size);

/*
 * Copy the string at FROM to TO, which has ROOM bytes, at least one; returns as string_size() does.
 * A string that does not end within ROOM is cut; if ROOM is less than LIMIT, *GREW becomes true.
 */
static u32 string_copy(bool user, char *to, u64 from, u32 room, u32 limit, bool *grew)
{
	const char *nul;
	u32 done = 0, size;

	while (done < room) {
		size = piece_size(from + done, room - done);
		if (read_memory(user, to + done, from + done, size))
			return 0;
		nul = memchr(to + done, 0, size);
		if (nul)
			return nul - to + 1;
		done += size;
	}
	/* Perhaps the first pass could not read it and left room for "(fault)" only: try again. */
	if (room < limit) {
		if (!string_size(user, from, limit))
			return 0;
		*grew = true;
	}
	to[room - 1] = 0;
	return room;
}
RT_PORT_NOPROBE(string_copy);

u32 rt_fetch_size(const struct rt_code *fetch, const struct rt_program_context *context)
{
	const struct rt_insn *insn = fetch->insns, *end = insn + fetch->measure;
	struct rt_value value = { 0, false };
	u32 size = fetch->fixed, string;

	if (likely(!fetch->measure))
		return size - RT_FIELD_BASE;
	for (; insn < end; insn++) {
		switch (insn->op) {
		case RT_OP_STRING:
		case RT_OP_STRING_USER:
			string = 0;
			if (!value.bad)
				string = string_size(insn->op == RT_OP_STRING_USER, value.v,
						     insn->imm);
			size += string ? string : sizeof(fault_text);
			break;
		default:
			rt_value_step(insn, context, &value);
		}
	}
	return size - RT_FIELD_BASE;
}
RT_PORT_NOPROBE(rt_fetch_size);

static void store(void *to, u64 v, u8 size)
{
	switch (size) {
	case 1:
		*(u8 *)to = v;
		break;
	case 2:
		*(u16 *)to = v;
		break;
	case 4:
		*(u32 *)to = v;
		break;
	default:
		*(rt_payload_u64 *)to = v;
	}
}
RT_PORT_NOPROBE(store);

/* The record being written: offsets count from RT_FIELD_BASE, strings go to [end, limit). */
struct slot {
	u8 *fields;
	u32 end;
	u32 limit;
};

static void *slot_at(const struct slot *slot, u32 offset)
{
	return slot->fields + (offset - RT_FIELD_BASE);
}
RT_PORT_NOPROBE(slot_at);

/* False: the array could not be read. */
static bool store_array(const struct slot *slot, const struct rt_insn *insn,
			const struct rt_value *value)
{
	void *to = slot_at(slot, insn->offset);

	if (!value->bad && !read_memory(insn->op == RT_OP_ARRAY_USER, to, value->v, (u32)insn->imm))
		return true;
	memset(to, 0, (u32)insn->imm);
	return false;
}
RT_PORT_NOPROBE(store_array);

/* False: the string could not be read to its end or its limit. */
static bool store_string(struct slot *slot, const struct rt_insn *insn,
			 const struct rt_value *value)
{
	u32 left = slot->limit - slot->end, limit = insn->imm, size = 0;
	char *to = slot_at(slot, slot->end);
	bool grew = false, good;

	if (left && !value->bad)
		size = string_copy(insn->op == RT_OP_STRING_USER, to, value->v,
				   left < limit ? left : limit, limit, &grew);
	good = size && !grew;
	if (left && !size) {
		size = left < sizeof(fault_text) ? left : sizeof(fault_text);
		memcpy(to, fault_text, size);
		to[size - 1] = 0;
	}
	*(u32 *)slot_at(slot, insn->offset) = size << 16 | slot->end;
	slot->end += size;
	return good;
}
RT_PORT_NOPROBE(store_string);

/* The state of a running program. */
struct run {
	struct slot slot;
	struct rt_value value;
	u64 faults;
};

/* Rare or long operations, kept out of the loop of the others. */
static RT_PORT_NOINLINE void run_insn(struct run *run, const struct rt_insn *insn,
				      const struct rt_program_context *context)
{
	bool good = true;

	switch (insn->op) {
	case RT_OP_ARRAY:
	case RT_OP_ARRAY_USER:
		good = store_array(&run->slot, insn, &run->value);
		break;
	case RT_OP_STRING:
	case RT_OP_STRING_USER:
		good = store_string(&run->slot, insn, &run->value);
		break;
	case RT_OP_COMM:
		memcpy(slot_at(&run->slot, insn->offset), rt_port_comm(), RT_COMM_LEN);
		break;
	case RT_OP_FAULTS:
		store(slot_at(&run->slot, insn->offset), run->faults, insn->size);
		break;
	default:
		rt_value_step(insn, context, &run->value);
	}
	if (!good && insn->arg)
		run->faults |= 1ULL << (insn->arg - 1);
}
RT_PORT_NOPROBE(run_insn);

/* The general interpreter, for programs that are not rt_code.plain. */
static RT_PORT_NOINLINE u32 run_any(const struct rt_code *fetch,
				    const struct rt_program_context *context, void *fields,
				    u32 size)
{
	struct run run = { { fields, fetch->fixed, size + RT_FIELD_BASE }, { 0, false }, 0 };
	const struct rt_insn *insn;

	if (unlikely(fetch->holes))
		memset(fields, 0, fetch->fixed - RT_FIELD_BASE);

	for (insn = fetch->insns; insn->op != RT_OP_RETURN; insn++) {
		if (insn->op == RT_OP_STORE) {
			store(slot_at(&run.slot, insn->offset), run.value.v, insn->size);
			if (run.value.bad && insn->arg)
				run.faults |= 1ULL << (insn->arg - 1);
		} else if (insn->op == RT_OP_REGISTER) {
			run.value.v = ((const u64 *)context->regs)[insn->arg];
			run.value.bad = false;
		} else {
			run_insn(&run, insn, context);
		}
	}
	if (unlikely(run.slot.end < run.slot.limit))
		memset(slot_at(&run.slot, run.slot.end), 0, run.slot.limit - run.slot.end);
	return run.slot.end - RT_FIELD_BASE;
}
RT_PORT_NOPROBE(run_any);

/*
 * Most programs only load registers and store them: nothing can fail, and they write every byte.
 * They have this fast path.  It uses comparisons instead of a switch, because kernels hardened
 * against branch speculation have no jump tables.
 */
u32 rt_fetch_run(const struct rt_code *fetch, const struct rt_program_context *context,
		 void *fields, u32 size)
{
	const struct rt_insn *insn = fetch->insns;
	u8 *base = (u8 *)fields - RT_FIELD_BASE;
	u64 v = 0;

	if (unlikely(!fetch->plain))
		return run_any(fetch, context, fields, size);
	for (;; insn++) {
		if (insn->op == RT_OP_STORE) {
			if (likely(insn->size == 8))
				*(rt_payload_u64 *)(base + insn->offset) = v;
			else
				store(base + insn->offset, v, insn->size);
		} else if (insn->op == RT_OP_REGISTER) {
			v = ((const u64 *)context->regs)[insn->arg];
		} else if (insn->op == RT_OP_CONTEXT) {
			v = context->ip;
		} else {
			return size;
		}
	}
}
RT_PORT_NOPROBE(rt_fetch_run);
