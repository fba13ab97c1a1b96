// SPDX-License-Identifier: GPL-2.0
/*
 * Every operation and condition of filter programs.
 */
#include "memory.h"
#include "tap.h"

static uint64_t regs[RT_REGISTERS_ARM64];
static const struct rt_program_context context = { .regs = regs, .caller = 0xffff800010002000 };
static uint8_t record[64];

/* The result of the program, or -1 if it is refused. */
static int run(const struct rt_insn *insns, unsigned int code_count, unsigned int text)
{
	struct rt_program_limits limits = { RT_REGISTERS_ARM64, ~0U, sizeof(record) + 8 };
	struct rt_program_error error;
	struct rt_code code;

	if (rt_program_check(RT_PROGRAM_FILTER, insns, code_count, text, &limits, &code, &error)) {
		printf("# refused: reason %u at %u\n", error.reason, error.index);
		return -1;
	}
	if (code.early)
		return rt_filter_run(&code, &context, NULL, 0);
	return rt_filter_run(&code, &context, record, sizeof(record));
}

/* The result of a jump that compares VALUE with OTHER. */
static int decide(uint64_t value, uint8_t condition, uint64_t other)
{
	struct rt_insn constant[] = {
		{ .op = RT_OP_IMMEDIATE, .imm = value },
		{ .op = RT_OP_JUMP, .size = condition, .imm = other, .arg = 1 },
		{ .op = RT_OP_RETURN, .imm = 0 },
		{ .op = RT_OP_RETURN, .imm = 1 },
	};
	struct rt_insn kept[] = {
		{ .op = RT_OP_IMMEDIATE, .imm = other },
		{ .op = RT_OP_KEEP },
		{ .op = RT_OP_IMMEDIATE, .imm = value },
		{ .op = RT_OP_JUMP, .size = condition | RT_IF_KEPT, .arg = 1 },
		{ .op = RT_OP_RETURN, .imm = 0 },
		{ .op = RT_OP_RETURN, .imm = 1 },
	};
	int a = run(constant, COUNT(constant), 0), b = run(kept, COUNT(kept), 0);

	return a == b ? a : -2;
}

static bool expect(uint8_t condition, uint64_t a, uint64_t b)
{
	int64_t sa = a, sb = b;

	switch (condition) {
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
		return sa < sb;
	case RT_IF_SLE:
		return sa <= sb;
	case RT_IF_SGT:
		return sa > sb;
	case RT_IF_SGE:
		return sa >= sb;
	}
	return (a & b) != 0;
}

static void conditions(void)
{
	static const uint64_t edges[] = { 0,	 1,    2, 0x7fffffffffffffff, 0x8000000000000000,
					  -1ULL, -2ULL };
	unsigned int condition, i, j, good, tried;

	for (condition = RT_IF_EQ; condition <= RT_IF_AND; condition++) {
		for (good = tried = i = 0; i < COUNT(edges); i++)
			for (j = 0; j < COUNT(edges); j++, tried++) {
				bool want = expect(condition, edges[i], edges[j]);

				good += decide(edges[i], condition, edges[j]) == want &&
					decide(edges[i], condition | RT_IF_NOT, edges[j]) == !want;
			}
		is_int(good, tried, "condition %u", condition);
	}
}

static void bad_values(void)
{
	unsigned int condition, good = 0;

	for (condition = RT_IF_EQ; condition <= RT_IF_AND; condition++) {
		struct rt_insn insns[] = {
			{ .op = RT_OP_IMMEDIATE, .imm = KERNEL_HOLE },
			{ .op = RT_OP_READ, .size = 8 },
			{ .op = RT_OP_JUMP, .size = condition, .arg = 1 },
			{ .op = RT_OP_RETURN, .imm = 0 },
			{ .op = RT_OP_RETURN, .imm = 1 },
		};
		struct rt_insn kept[] = {
			{ .op = RT_OP_IMMEDIATE, .imm = KERNEL_HOLE },
			{ .op = RT_OP_READ, .size = 8 },
			{ .op = RT_OP_KEEP },
			{ .op = RT_OP_IMMEDIATE, .imm = 0 },
			{ .op = RT_OP_JUMP, .size = condition | RT_IF_KEPT, .arg = 1 },
			{ .op = RT_OP_RETURN, .imm = 0 },
			{ .op = RT_OP_RETURN, .imm = 1 },
		};

		good += run(insns, COUNT(insns), 0) == 0 && run(kept, COUNT(kept), 0) == 0;
		insns[2].size |= RT_IF_NOT;
		kept[4].size |= RT_IF_NOT;
		good += run(insns, COUNT(insns), 0) == 1 && run(kept, COUNT(kept), 0) == 1;
	}
	is_int(good, 22, "a value that could not be read compares as false, whatever is asked");
}

static void fields(void)
{
	static const uint8_t bytes[] = { 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	unsigned int size, good = 0;

	/* Not aligned: formats of the kernel may be packed. */
	memcpy(record + 3, bytes, 8);
	for (size = 1; size <= 8; size *= 2) {
		uint64_t plain = size == 8 ? -2ULL : (1ULL << 8 * size) - 2;
		struct rt_insn insns[] = {
			{ .op = RT_OP_FIELD, .size = size, .offset = 11 },
			{ .op = RT_OP_JUMP, .size = RT_IF_EQ, .imm = plain, .arg = 1 },
			{ .op = RT_OP_RETURN, .imm = 0 },
			{ .op = RT_OP_RETURN, .imm = 1 },
		};

		good += run(insns, COUNT(insns), 0) == 1;
		insns[0].size |= RT_SIGNED;
		insns[1].imm = -2ULL;
		good += run(insns, COUNT(insns), 0) == 1;
	}
	is_int(good, 8, "fields of every size, signed and not, at any offset");
}

/* Compare the text that SIZE and OFFSET name with LITERAL. */
static int text(uint8_t how, int32_t offset, uint32_t bytes, const char *literal)
{
	struct rt_insn insns[3 + 8] = {
		{ .op = RT_OP_JUMP_TEXT,
		  .size = how,
		  .offset = offset,
		  .arg = 1,
		  .imm = RT_TEXT(0, strlen(literal), bytes) },
		{ .op = RT_OP_RETURN, .imm = 0 },
		{ .op = RT_OP_RETURN, .imm = 1 },
	};

	memcpy(insns + 3, literal, strlen(literal));
	return run(insns, 3, 8);
}

static void texts(void)
{
	uint32_t loc;

	ok(text(RT_TEXT_COMM, 0, 0, "worker/1:2") == 1, "the task's name");
	ok(text(RT_TEXT_COMM, 0, 0, "worker/1:") == 0, "not a part of it");
	ok(text(RT_TEXT_COMM | RT_TEXT_GLOB, 0, 0, "worker/*") == 1, "by pattern");
	ok(text(RT_TEXT_COMM | RT_TEXT_GLOB | RT_IF_NOT, 0, 0, "worker/*") == 0, "or not");
	memset(rt_program_host.comm, 'n', RT_COMM_LEN);
	ok(text(RT_TEXT_COMM, 0, 0, "nnnnnnnnnnnnnnnn") == 1, "a name without NUL");

	memcpy(record + 8, "fixed\0xx", 8);
	ok(text(RT_TEXT_FIXED, 16, 8, "fixed") == 1, "a fixed field ends at its NUL");
	ok(text(RT_TEXT_FIXED, 16, 5, "fixed") == 1, "or at its size");
	ok(text(RT_TEXT_FIXED, 16, 4, "fixed") == 0, "whichever comes first");
	ok(text(RT_TEXT_FIXED, 16, 8, "") == 0 && text(RT_TEXT_FIXED, 21, 1, "") == 1,
	   "an empty literal is an empty string");

	memcpy(record + 40, "dynamic", 8);
	loc = 8 << 16 | 48;
	memcpy(record + 20, &loc, 4);
	ok(text(RT_TEXT_DYNAMIC, 28, 0, "dynamic") == 1, "a dynamic string");
	loc = 24 << 16 | 48;
	memcpy(record + 20, &loc, 4);
	ok(text(RT_TEXT_DYNAMIC, 28, 0, "dynamic") == 1, "one up to the end of the record");
	loc = 25 << 16 | 48;
	memcpy(record + 20, &loc, 4);
	ok(text(RT_TEXT_DYNAMIC | RT_TEXT_GLOB, 28, 0, "*") == 0, "one byte longer: not believed");
	loc = 1 << 16 | 7;
	memcpy(record + 20, &loc, 4);
	ok(text(RT_TEXT_DYNAMIC | RT_TEXT_GLOB, 28, 0, "*") == 0, "in the header: not believed");
	loc = 0xffffffff;
	memcpy(record + 20, &loc, 4);
	ok(text(RT_TEXT_DYNAMIC | RT_TEXT_GLOB, 28, 0, "*") == 0, "far away: not believed");
	loc = 72;
	memcpy(record + 20, &loc, 4);
	ok(text(RT_TEXT_DYNAMIC, 28, 0, "") == 1, "an empty one at the very end");
}

static void short_records(void)
{
	struct rt_insn insns[] = { { .op = RT_OP_FIELD, .size = 8, .offset = 16 },
				   { .op = RT_OP_RETURN, .imm = 1 } };
	struct rt_program_limits limits = { 0, 0, 64 };
	struct rt_program_error error;
	struct rt_code code;

	rt_program_check(RT_PROGRAM_FILTER, insns, 2, 0, &limits, &code, &error);
	ok(rt_filter_run(&code, &context, record, 16), "a record with just the field");
	ok(!rt_filter_run(&code, &context, record, 15), "a shorter one is not looked at");
}

int main(void)
{
	memory_begin();
	conditions();
	bad_values();
	fields();
	texts();
	short_records();
	return tap_done();
}
