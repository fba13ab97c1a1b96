// SPDX-License-Identifier: GPL-2.0
/*
 * Arbitrary bytes as a program: whatever passes the check is run, and must stay
 * within the record, write all of it, and keep what the check promised.
 */
#include <stdlib.h>

#include "program/program.h"
#include "events/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Memory is what is left of the input, at two places; the rest is not there. */
static const uint8_t *memory;
static size_t memory_size;
static unsigned int reads;

#define KERNEL 0xffff000000000000ULL

static int fuzz_read(void *to, u64 from, u32 bytes, bool user)
{
	u64 base = user ? 0 : KERNEL;

	/* Now and then memory goes away, or changes, between the two passes. */
	if (++reads % 31 == 0)
		return -EFAULT;
	if (from < base || from - base > memory_size || bytes > memory_size - (from - base))
		return -EFAULT;
	memcpy(to, memory + (from - base), bytes);
	if (reads % 7 == 0)
		((u8 *)to)[reads % bytes] ^= reads;
	return 0;
}

static void run_fetch(const struct rt_code *code, const struct rt_program_context *context)
{
	u32 i, used, size = rt_fetch_size(code, context);
	u64 *room;
	u8 *fields;

	if (size + RT_FIELD_BASE > code->max || size + RT_FIELD_BASE < code->fixed)
		abort();
	/* Exactly as many bytes as were asked for: the sanitizer sees one more. */
	room = malloc(size ? size : 1);
	fields = (u8 *)room;
	used = rt_fetch_run(code, context, fields, size);
	if (used > size)
		abort();
	/* Every byte was written: the sum over them is defined, and the tail is zero. */
	for (i = used; i < size; i++)
		if (fields[i])
			abort();
	free(room);
}

static void run_filter(const struct rt_code *code, const struct rt_program_context *context,
		       u32 fixed)
{
	size_t size = fixed - RT_FIELD_BASE;
	u8 *record = malloc(size ? size : 1);
	size_t part = memory_size < size ? memory_size : size;

	memset(record, 0, size);
	memcpy(record, memory, part);
	rt_filter_run(code, context, code->early ? NULL : record, code->early ? 0 : size);
	free(record);
}

/*
 * Bytes seldom are a program, so half of the inputs are bent into the shape of
 * one: known operations, sizes that exist, offsets and jumps not far off.
 */
static void shape(struct rt_insn *insn, enum rt_program_kind kind, unsigned int left)
{
	static const u8 fetch[] = { 1, 2, 3, 4, 5, 6, 7, 9, 2, 16, 17, 18, 19, 20, 21, 16, 19, 22 };
	static const u8 filter[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 32, 33, 34, 35, 32, 34, 35 };
	static const u8 sizes[] = { 1, 2, 4, 8 };
	struct rt_insn in = *insn;
	u8 size = sizes[in.size & 3];

	memset(insn, 0, sizeof(*insn));
	insn->op = kind == RT_PROGRAM_FETCH ? fetch[in.op % sizeof(fetch)] :
					      filter[in.op % sizeof(filter)];
	switch (insn->op) {
	case RT_OP_IMMEDIATE:
	case RT_OP_ADD:
		insn->imm = in.imm;
		break;
	case RT_OP_REGISTER:
	case RT_OP_SAVED:
		insn->arg = in.arg % 8;
		break;
	case RT_OP_CONTEXT:
		insn->arg = in.arg % RT_CONTEXTS;
		break;
	case RT_OP_READ:
	case RT_OP_READ_USER:
		insn->size = size | (in.size & RT_SIGNED);
		insn->offset = in.offset % 64;
		break;
	case RT_OP_BITS:
		insn->size = in.size & RT_SIGNED;
		insn->arg = in.arg % 64 + 1;
		insn->offset = (u32)in.offset % (65 - insn->arg);
		break;
	case RT_OP_RETURN:
		insn->imm = in.imm & 1;
		break;
	case RT_OP_STORE:
	case RT_OP_FAULTS:
		insn->size = size;
		insn->offset = RT_FIELD_BASE + (u32)in.offset % 128 * 8;
		break;
	case RT_OP_ARRAY:
	case RT_OP_ARRAY_USER:
	case RT_OP_STRING:
	case RT_OP_STRING_USER:
		insn->imm = in.imm % 64 + 1;
		insn->arg = in.arg % 65;
		insn->offset = RT_FIELD_BASE + (u32)in.offset % 256 * 4;
		break;
	case RT_OP_COMM:
		insn->offset = RT_FIELD_BASE + (u32)in.offset % 1024;
		break;
	case RT_OP_FIELD:
		insn->size = size | (in.size & RT_SIGNED);
		insn->offset = RT_FIELD_BASE + (u32)in.offset % 128;
		break;
	case RT_OP_JUMP:
		insn->size = in.size % 11 | (in.size & RT_IF_NOT);
		insn->imm = in.imm;
		insn->arg = left ? in.arg % left : 0;
		break;
	case RT_OP_JUMP_TEXT:
		insn->size = in.size % 3 | (in.size & (RT_IF_NOT | RT_TEXT_GLOB));
		insn->offset = in.size % 3 == 2 ? 0 : RT_FIELD_BASE + (u32)in.offset % 128;
		insn->imm = RT_TEXT(in.imm % 4, in.imm / 4 % 32, in.size % 3 ? 0 : in.arg % 64);
		insn->arg = left ? in.arg % left : 0;
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_program_limits limits = { RT_REGISTERS_ARM64, ~0U, 0, 8 };
	static u64 regs[RT_REGISTERS_ARM64];
	struct rt_program_context context = { .regs = regs, .saved = regs };
	struct rt_program_error error;
	enum rt_program_kind kind;
	struct rt_insn *insns;
	struct rt_code code;
	unsigned int count, text, i;
	bool shaped;
	FILE *out;

	if (size < 4)
		return 0;
	kind = data[0] & 1 ? RT_PROGRAM_FILTER : RT_PROGRAM_FETCH;
	shaped = data[0] & 2;
	text = kind == RT_PROGRAM_FETCH && shaped ? 0 : data[1] % (RT_PROGRAM_TEXT_MAX + 2);
	count = data[2];
	limits.fixed = RT_FIELD_BASE + data[3];
	data += 4;
	size -= 4;
	if ((count + text) * sizeof(*insns) > size)
		count = size / sizeof(*insns) > text ? size / sizeof(*insns) - text : 0;
	if ((count + text) * sizeof(*insns) > size)
		return 0;
	insns = malloc((count + text) * sizeof(*insns) + 1);
	memcpy(insns, data, (count + text) * sizeof(*insns));
	for (i = 0; shaped && i < count; i++)
		shape(&insns[i], kind, count - 1 - i);
	if (shaped && count) {
		memset(&insns[count - 1], 0, sizeof(*insns));
		insns[count - 1].op = RT_OP_RETURN;
	}
	memory = data + (count + text) * sizeof(*insns);
	memory_size = size - (count + text) * sizeof(*insns);
	reads = 0;
	rt_program_host.read = fuzz_read;
	memset(rt_program_host.comm, 'c', RT_COMM_LEN);
	regs[1] = KERNEL;
	regs[2] = KERNEL + memory_size / 2;
	regs[3] = memory_size / 2;

	if (!rt_program_check(kind, insns, count, text, &limits, &code, &error)) {
		if (kind == RT_PROGRAM_FETCH)
			run_fetch(&code, &context);
		else
			run_filter(&code, &context, limits.fixed);
	} else if (error.index >= count && count) {
		abort();
	}
	out = fopen("/dev/null", "w");
	if (out) {
		rt_program_print(out, insns, count, text, RT_ARCH_ARM64);
		fclose(out);
	}
	free(insns);
	return 0;
}
