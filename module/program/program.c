// SPDX-License-Identifier: GPL-2.0
/*
 * program.c - check a program before it runs for the first time.  At run time the interpreters then
 * check only what depends on the contents of memory.
 */
#include "glob.h"
#include "program.h"

#define FIXED_BYTES  (RT_PROGRAM_FIXED_MAX - RT_FIELD_BASE)
#define FAULT_SIZE   8 /* "(fault)" */
#define BITS_PER_MAP 32

/* The state of a check. */
struct check {
	enum rt_program_kind kind;
	const struct rt_program_limits *limits;
	const struct rt_insn *insns;
	struct rt_code *out;
	u32 index;	  /* of the instruction being checked */
	u32 written;	  /* fetch: bytes of fields */
	bool mask_stored; /* fetch: RT_OP_FAULTS was seen */
	u32 map[(FIXED_BYTES + BITS_PER_MAP - 1) / BITS_PER_MAP];
};

/* Which parts of an instruction an operation uses. */
#define SIZE   1
#define ARG    2
#define OFFSET 4
#define IMM    8

#define VALUE  1 /* allowed in both kinds */
#define FETCH  2
#define FILTER 3

static const struct {
	u8 kind;
	u8 uses;
} operations[] = {
	[RT_OP_IMMEDIATE] = { VALUE, IMM },
	[RT_OP_REGISTER] = { VALUE, ARG },
	[RT_OP_CONTEXT] = { VALUE, ARG },
	[RT_OP_READ] = { VALUE, SIZE | OFFSET },
	[RT_OP_READ_USER] = { VALUE, SIZE | OFFSET },
	[RT_OP_ADD] = { VALUE, IMM },
	[RT_OP_BITS] = { VALUE, SIZE | ARG | OFFSET },
	[RT_OP_RETURN] = { VALUE, IMM },
	[RT_OP_SAVED] = { VALUE, ARG },
	[RT_OP_STORE] = { FETCH, SIZE | ARG | OFFSET },
	[RT_OP_ARRAY] = { FETCH, ARG | OFFSET | IMM },
	[RT_OP_ARRAY_USER] = { FETCH, ARG | OFFSET | IMM },
	[RT_OP_STRING] = { FETCH, ARG | OFFSET | IMM },
	[RT_OP_STRING_USER] = { FETCH, ARG | OFFSET | IMM },
	[RT_OP_COMM] = { FETCH, OFFSET },
	[RT_OP_FAULTS] = { FETCH, SIZE | OFFSET },
	[RT_OP_FIELD] = { FILTER, SIZE | OFFSET },
	[RT_OP_KEEP] = { FILTER, 0 },
	[RT_OP_JUMP] = { FILTER, SIZE | ARG | IMM },
	[RT_OP_JUMP_TEXT] = { FILTER, SIZE | ARG | OFFSET | IMM },
};

#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

static u32 check_shape(const struct check *check, const struct rt_insn *insn)
{
	u8 kind, uses;

	kind = insn->op < OPERATIONS ? operations[insn->op].kind : 0;
	if (kind != VALUE && kind != (check->kind == RT_PROGRAM_FETCH ? FETCH : FILTER))
		return RT_REFUSED_OP;
	uses = operations[insn->op].uses;
	if ((!(uses & SIZE) && insn->size) || (!(uses & ARG) && insn->arg) ||
	    (!(uses & OFFSET) && insn->offset) || (!(uses & IMM) && insn->imm))
		return RT_REFUSED_UNUSED;
	return 0;
}

/* The size of a number in bytes, or 0 if SIZE is invalid.  ALLOWED: flags that SIZE may have. */
static u32 number_size(u8 size, u8 allowed)
{
	u8 bytes = size & ~allowed;

	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 ? bytes : 0;
}

/* --- fetch --------------------------------------------------------------------- */

/* Reserve SIZE bytes of the record for a field that is aligned to ALIGN. */
static u32 program_take(struct check *check, const struct rt_insn *insn, u32 size, u32 align)
{
	u32 i, begin;

	if (insn->offset < RT_FIELD_BASE || insn->offset > (s32)(RT_PROGRAM_FIXED_MAX - size))
		return RT_REFUSED_OFFSET;
	if (insn->offset % align)
		return RT_REFUSED_ALIGN;
	begin = insn->offset - RT_FIELD_BASE;
	for (i = begin; i < begin + size; i++) {
		u32 *word = &check->map[i / BITS_PER_MAP], bit = 1U << i % BITS_PER_MAP;

		if (*word & bit)
			return RT_REFUSED_OVERLAP;
		*word |= bit;
	}
	check->written += size;
	if (insn->offset + size > check->out->fixed)
		check->out->fixed = insn->offset + size;
	return 0;
}

static u32 check_fault_bit(const struct check *check, const struct rt_insn *insn)
{
	if (insn->arg > RT_PROGRAM_FAULTS_MAX || (insn->arg && check->mask_stored))
		return RT_REFUSED_FAULT_BIT;
	return 0;
}

static u32 check_store(struct check *check, const struct rt_insn *insn)
{
	u32 size = number_size(insn->size, 0), reason;

	if (!size)
		return RT_REFUSED_SIZE;
	if (insn->op == RT_OP_FAULTS) {
		if (check->mask_stored)
			return RT_REFUSED_FAULT_BIT;
		check->mask_stored = true;
	} else {
		reason = check_fault_bit(check, insn);
		if (reason)
			return reason;
	}
	return program_take(check, insn, size, size);
}

static u32 check_array(struct check *check, const struct rt_insn *insn)
{
	u32 reason = check_fault_bit(check, insn);

	if (reason)
		return reason;
	if (!insn->imm || insn->imm > RT_PROGRAM_ARRAY_MAX)
		return RT_REFUSED_LIMIT;
	return program_take(check, insn, insn->imm, 1);
}

static u32 check_string(struct check *check, const struct rt_insn *insn)
{
	u32 reason = check_fault_bit(check, insn);

	if (reason)
		return reason;
	if (!insn->imm || insn->imm > RT_PROGRAM_STRING_MAX)
		return RT_REFUSED_LIMIT;
	check->out->measure = check->index + 1;
	check->out->max += insn->imm < FAULT_SIZE ? FAULT_SIZE : insn->imm;
	if (check->out->max > RT_PROGRAM_RECORD_MAX)
		return RT_REFUSED_RECORD;
	return program_take(check, insn, 4, 4);
}

/* --- filter -------------------------------------------------------------------- */

static u32 program_look_at(struct check *check, const struct rt_insn *insn, u32 size)
{
	u32 fixed = check->limits->fixed;

	if (insn->offset < RT_FIELD_BASE || fixed < size || insn->offset > (s64)fixed - size)
		return RT_REFUSED_OFFSET;
	check->out->early = false;
	if (insn->offset + size > check->out->fixed)
		check->out->fixed = insn->offset + size;
	return 0;
}

static u32 check_target(const struct check *check, const struct rt_insn *insn)
{
	return check->index + 1 + insn->arg < check->out->code ? 0 : RT_REFUSED_JUMP;
}

static u32 check_jump(struct check *check, const struct rt_insn *insn)
{
	if ((insn->size & ~(RT_IF_MASK | RT_IF_KEPT | RT_IF_NOT)) ||
	    (insn->size & RT_IF_MASK) > RT_IF_AND)
		return RT_REFUSED_CONDITION;
	if ((insn->size & RT_IF_KEPT) && insn->imm)
		return RT_REFUSED_UNUSED;
	return check_target(check, insn);
}

static u32 check_jump_text(struct check *check, const struct rt_insn *insn)
{
	u32 slot = insn->imm & 0xffff, length = (insn->imm >> 16) & 0xffff, size = insn->imm >> 32;
	u32 from = insn->size & RT_TEXT_FROM_MASK, reason = 0;

	if ((insn->size & ~(RT_TEXT_FROM_MASK | RT_TEXT_GLOB | RT_IF_NOT)) || from > RT_TEXT_COMM)
		return RT_REFUSED_CONDITION;
	if (length > RT_PROGRAM_LITERAL_MAX || slot > check->out->text ||
	    length > (check->out->text - slot) * sizeof(struct rt_insn))
		return RT_REFUSED_TEXT;
	if (from != RT_TEXT_FIXED && size)
		return RT_REFUSED_UNUSED;
	if (from == RT_TEXT_FIXED && !size)
		return RT_REFUSED_SIZE;
	if (from == RT_TEXT_COMM && insn->offset)
		return RT_REFUSED_UNUSED;
	if (from != RT_TEXT_COMM)
		reason = program_look_at(check, insn, from == RT_TEXT_FIXED ? size : 4);
	return reason ? reason : check_target(check, insn);
}

/* --- cost ---------------------------------------------------------------------- */

/*
 * Prices in processor instructions, measured and rounded up.  A read that faults includes the
 * kernel's fixup; a string is read twice, in pieces; memchr() and memcmp() go byte by byte.
 */
#define COST_STEP	 16 /* any instruction of a program */
#define COST_GLOB_STEP	 24
#define COST_READ	 1000
#define COST_STRING_BYTE 16
#define COST_TEXT_BYTE	 8

static u64 text_cost(const struct check *check, const struct rt_insn *insn)
{
	const char *literal =
		(const char *)(check->insns + check->out->code + (insn->imm & 0xffff));
	u32 literal_size = (insn->imm >> 16) & 0xffff, size;

	switch (insn->size & RT_TEXT_FROM_MASK) {
	case RT_TEXT_COMM:
		size = RT_COMM_LEN;
		break;
	case RT_TEXT_FIXED:
		size = insn->imm >> 32;
		break;
	default:
		size = RT_PROGRAM_STRING_MAX;
	}
	if (!(insn->size & RT_TEXT_GLOB))
		return (u64)size * COST_TEXT_BYTE;
	return (u64)size * COST_TEXT_BYTE +
	       rt_glob_cost(literal, literal_size, size) * COST_GLOB_STEP;
}

static u64 insn_cost(const struct check *check, const struct rt_insn *insn)
{
	switch (insn->op) {
	case RT_OP_READ:
	case RT_OP_READ_USER:
		return COST_READ;
	case RT_OP_ARRAY:
	case RT_OP_ARRAY_USER:
		return COST_READ + insn->imm;
	case RT_OP_STRING:
	case RT_OP_STRING_USER:
		return COST_READ + insn->imm * COST_STRING_BYTE;
	case RT_OP_JUMP_TEXT:
		return text_cost(check, insn);
	}
	return 0;
}

/* Call it last: it relies on the other checks of the instruction. */
static u32 check_cost(struct check *check, const struct rt_insn *insn)
{
	u64 cost = check->out->cost + COST_STEP + insn_cost(check, insn);

	if (cost > RT_PROGRAM_COST_MAX)
		return RT_REFUSED_COST;
	check->out->cost = cost;
	return 0;
}

/* --- both ---------------------------------------------------------------------- */

static u32 check_bits(const struct rt_insn *insn)
{
	if (insn->size & ~RT_SIGNED)
		return RT_REFUSED_SIZE;
	if (insn->offset < 0 || insn->offset > 63 || !insn->arg || insn->arg > 64 - insn->offset)
		return RT_REFUSED_BITS;
	return 0;
}

static u32 check_return(const struct check *check, const struct rt_insn *insn)
{
	bool last = check->index + 1 == check->out->code;

	if (check->kind == RT_PROGRAM_FETCH)
		return !last ? RT_REFUSED_END : insn->imm ? RT_REFUSED_UNUSED : 0;
	return insn->imm > 1 ? RT_REFUSED_ANSWER : 0;
}

static u32 check_insn(struct check *check, const struct rt_insn *insn)
{
	switch (insn->op) {
	case RT_OP_REGISTER:
		if (insn->arg >= check->limits->registers)
			return RT_REFUSED_REGISTER;
		check->out->registers |= 1ULL << insn->arg;
		return 0;
	case RT_OP_SAVED:
		if (insn->arg >= check->limits->saved)
			return RT_REFUSED_REGISTER;
		return 0;
	case RT_OP_CONTEXT:
		if (insn->arg >= RT_CONTEXTS || !(check->limits->contexts & 1U << insn->arg))
			return RT_REFUSED_CONTEXT;
		check->out->contexts |= 1U << insn->arg;
		return 0;
	case RT_OP_READ:
	case RT_OP_READ_USER:
		return number_size(insn->size, RT_SIGNED) ? 0 : RT_REFUSED_SIZE;
	case RT_OP_BITS:
		return check_bits(insn);
	case RT_OP_RETURN:
		return check_return(check, insn);
	case RT_OP_STORE:
	case RT_OP_FAULTS:
		return check_store(check, insn);
	case RT_OP_ARRAY:
	case RT_OP_ARRAY_USER:
		return check_array(check, insn);
	case RT_OP_STRING:
	case RT_OP_STRING_USER:
		return check_string(check, insn);
	case RT_OP_COMM:
		return program_take(check, insn, RT_COMM_LEN, 1);
	case RT_OP_FIELD:
		if (!number_size(insn->size, RT_SIGNED))
			return RT_REFUSED_SIZE;
		return program_look_at(check, insn, insn->size & RT_SIZE_MASK);
	case RT_OP_JUMP:
		return check_jump(check, insn);
	case RT_OP_JUMP_TEXT:
		return check_jump_text(check, insn);
	}
	return 0;
}

static int program_refuse(struct rt_program_error *error, u32 reason, u32 index)
{
	error->reason = reason;
	error->index = index;
	return -EINVAL;
}

/* True: all operations are in the fast path of rt_fetch_run(). */
static bool is_plain(const struct rt_insn *insns)
{
	for (; insns->op != RT_OP_RETURN; insns++)
		if (insns->op != RT_OP_REGISTER && insns->op != RT_OP_STORE &&
		    !(insns->op == RT_OP_CONTEXT && insns->arg == RT_CONTEXT_IP))
			return false;
	return true;
}

int rt_program_check(enum rt_program_kind kind, const struct rt_insn *insns, u32 code, u32 text,
		     const struct rt_program_limits *limits, struct rt_code *out,
		     struct rt_program_error *error)
{
	struct check check;
	u32 reason;

	memset(error, 0, sizeof(*error));
	memset(out, 0, sizeof(*out));
	if (!code || code > RT_PROGRAM_CODE_MAX || text > RT_PROGRAM_TEXT_MAX ||
	    (text && kind == RT_PROGRAM_FETCH))
		return program_refuse(error, RT_REFUSED_LENGTH, 0);

	memset(&check, 0, sizeof(check));
	check.kind = kind;
	check.limits = limits;
	check.insns = insns;
	check.out = out;
	out->insns = insns;
	out->code = code;
	out->text = text;
	out->early = kind == RT_PROGRAM_FILTER;
	out->fixed = RT_FIELD_BASE;

	/* Jumps go forward and stay inside the code, so every path reaches the last return. */
	if (insns[code - 1].op != RT_OP_RETURN)
		return program_refuse(error, RT_REFUSED_END, code - 1);
	for (; check.index < code; check.index++) {
		reason = check_shape(&check, &insns[check.index]);
		if (!reason)
			reason = check_insn(&check, &insns[check.index]);
		if (!reason)
			reason = check_cost(&check, &insns[check.index]);
		if (reason)
			return program_refuse(error, reason, check.index);
	}

	out->plain = kind == RT_PROGRAM_FETCH && is_plain(insns);
	out->holes = kind == RT_PROGRAM_FETCH && check.written != out->fixed - RT_FIELD_BASE;
	out->plain = out->plain && !out->holes;
	out->max += out->fixed;
	if (out->max > RT_PROGRAM_RECORD_MAX)
		return program_refuse(error, RT_REFUSED_RECORD, code - 1);
	return 0;
}
