// SPDX-License-Identifier: GPL-2.0
/*
 * program_fetch.c - every operation of fetch programs, with memory that can be read and memory that
 * cannot.
 */
#include "memory.h"
#include "tap.h"

#define RETURN                     \
	{                          \
		.op = RT_OP_RETURN \
	}
#define STORE(at, bytes, bit)                                                    \
	{                                                                        \
		.op = RT_OP_STORE, .size = (bytes), .offset = (at), .arg = (bit) \
	}
#define IMMEDIATE(value)                              \
	{                                             \
		.op = RT_OP_IMMEDIATE, .imm = (value) \
	}

static uint64_t regs[RT_REGISTERS_ARM64];
static const uint64_t saved[8] = { 70, 71, 72, 73, 74, 75, 76, 77 };
static const struct rt_program_context context = {
	.regs = regs,
	.saved = saved,
	.ip = 0xffff800010001000,
	.caller = 0xffff800010002000,
	.old_value = 0x01d,
	.addr = 0xffff800010003004,
	.rw = RT_ACCESS_WRITE,
	.watch = RT_WATCH_UNCERTAIN,
	.new_value = 0x2e3,
	.level = RT_LEVEL_HARDIRQ,
};

#define GUARD 64
#define ROOM  (RT_PROGRAM_RECORD_MAX + GUARD)

static uint64_t aligned[(ROOM + GUARD) / 8];
static uint8_t *const fields = (uint8_t *)aligned;
static struct rt_code code;
static uint32_t size, used;

/* Check and run.  It must write every byte of the record and no byte behind it. */
static bool run(const struct rt_insn *insns, unsigned int count)
{
	struct rt_program_limits limits = { RT_REGISTERS_ARM64, ~0U, 0, 8 };
	struct rt_program_error error;
	unsigned int i;

	if (rt_program_check(RT_PROGRAM_FETCH, insns, count, 0, &limits, &code, &error)) {
		printf("# refused: reason %u at %u\n", error.reason, error.index);
		return false;
	}
	size = rt_fetch_size(&code, &context);
	memset(fields, 0xee, size + GUARD);
	used = rt_fetch_run(&code, &context, fields, size);
	for (i = 0; i < GUARD; i++)
		if (fields[size + i] != 0xee)
			return false;
	return used <= size && size + RT_FIELD_BASE <= code.max;
}

#define RUN(insns) run(insns, COUNT(insns))

static uint64_t number(uint32_t offset, uint32_t bytes)
{
	uint64_t n = 0;

	memcpy(&n, fields + offset - RT_FIELD_BASE, bytes);
	return n;
}

static const char *string(uint32_t offset)
{
	uint32_t loc = number(offset, 4), at = loc & 0xffff, length = loc >> 16;

	if (!length || at + length > size + RT_FIELD_BASE ||
	    fields[at + length - 1 - RT_FIELD_BASE] ||
	    strlen((char *)fields + at - 8) != length - 1)
		return "(broken)";
	return (const char *)fields + at - RT_FIELD_BASE;
}

static void numbers(void)
{
	struct rt_insn stores[] = { { .op = RT_OP_REGISTER, .arg = 2 },
				    STORE(8, 8, 0),
				    STORE(16, 4, 0),
				    STORE(20, 2, 0),
				    STORE(22, 1, 0),
				    STORE(23, 1, 0),
				    RETURN };
	struct rt_insn add[] = {
		IMMEDIATE(5), { .op = RT_OP_ADD, .imm = -7ULL }, STORE(8, 8, 0), RETURN
	};
	struct rt_insn last[] = { { .op = RT_OP_REGISTER, .arg = 33 }, STORE(8, 8, 0), RETURN };

	regs[2] = 0x1122334455667788;
	regs[33] = 99;
	ok(RUN(stores) && size == 16, "a record of registers has the size of its fields");
	ok(number(8, 8) == 0x1122334455667788 && number(16, 4) == 0x55667788 &&
		   number(20, 2) == 0x7788 && number(22, 1) == 0x88 && number(23, 1) == 0x88,
	   "stores of 8, 4, 2 and 1 bytes");
	ok(RUN(add) && number(8, 8) == -2ULL, "immediate and addition");
	ok(RUN(last) && number(8, 8) == 99, "the last register");
}

static void bits(void)
{
	static const struct {
		uint16_t width;
		int32_t from;
		uint8_t sign;
		uint64_t want;
	} cases[] = {
		{ 4, 4, 0, 0xe },
		{ 4, 4, RT_SIGNED, -2ULL },
		{ 64, 0, 0, 0x80000000000000ef },
		{ 1, 63, 0, 1 },
		{ 1, 63, RT_SIGNED, -1ULL },
		{ 8, 0, RT_SIGNED, (uint64_t)(int8_t)0xef },
		{ 32, 0, 0, 0xef },
		{ 32, 32, RT_SIGNED, (uint64_t)(int32_t)0x80000000 },
	};
	unsigned int i;

	for (i = 0; i < COUNT(cases); i++) {
		struct rt_insn insns[] = { IMMEDIATE(0x80000000000000ef),
					   { .op = RT_OP_BITS,
					     .size = cases[i].sign,
					     .arg = cases[i].width,
					     .offset = cases[i].from },
					   STORE(8, 8, 0),
					   RETURN };

		ok(RUN(insns) && number(8, 8) == cases[i].want, "%u bits from %d%s", cases[i].width,
		   cases[i].from, cases[i].sign ? ", signed" : "");
	}
}

static void contexts(void)
{
	static const uint64_t want[RT_CONTEXTS] = {
		100,
		101,
		3,
		-2ULL,
		RT_LEVEL_HARDIRQ,
		0xffff800010001000,
		0xffff800010002000,
		0x01d,
		0x2e3,
		0xffff800010003004,
		RT_ACCESS_WRITE,
		RT_WATCH_UNCERTAIN,
	};
	struct rt_insn comm[] = { { .op = RT_OP_COMM, .offset = 9 }, RETURN };
	unsigned int i;

	for (i = 0; i < RT_CONTEXTS; i++) {
		struct rt_insn insns[] = { { .op = RT_OP_CONTEXT, .arg = i },
					   STORE(8, 8, 0),
					   RETURN };

		ok(RUN(insns) && number(8, 8) == want[i], "context %u", i);
	}
	for (i = 0; i < 8; i++) {
		struct rt_insn insns[] = { { .op = RT_OP_SAVED, .arg = i },
					   STORE(8, 8, 0),
					   RETURN };

		ok(RUN(insns) && number(8, 8) == 70 + i, "saved argument %u", i);
	}
	ok(RUN(comm) && !memcmp(fields + 1, "worker/1:2\0\0\0\0\0\0", 16) && fields[0] == 0,
	   "the task's name, and zeros in the hole before it");
}

static void reads(void)
{
	static const struct {
		uint8_t size;
		uint64_t want;
	} cases[] = {
		{ 1, 0x88 },
		{ 1 | RT_SIGNED, -0x78ULL },
		{ 2, 0x9988 },
		{ 2 | RT_SIGNED, -0x6678ULL },
		{ 4, 0xbbaa9988 },
		{ 4 | RT_SIGNED, (uint64_t)(int32_t)0xbbaa9988 },
		{ 8, 0xffeeddccbbaa9988 },
		{ 8 | RT_SIGNED, 0xffeeddccbbaa9988 },
	};
	uint64_t value = 0xffeeddccbbaa9988, pointer = USER + 24;
	unsigned int i, user;

	memcpy(kernel_memory + 16, &value, 8);
	memcpy(user_memory + 16, &value, 8);
	for (user = 0; user < 2; user++)
		for (i = 0; i < COUNT(cases); i++) {
			struct rt_insn insns[] = { IMMEDIATE((user ? USER : KERNEL) + 20),
						   { .op = user ? RT_OP_READ_USER : RT_OP_READ,
						     .size = cases[i].size,
						     .offset = -4 },
						   STORE(8, 8, 1),
						   { .op = RT_OP_FAULTS, .size = 1, .offset = 16 },
						   RETURN };

			ok(RUN(insns) && number(8, 8) == cases[i].want && !number(16, 1),
			   "%s memory, %u bytes%s", user ? "user" : "kernel", cases[i].size & 15,
			   cases[i].size & RT_SIGNED ? ", signed" : "");
		}

	/* kernel pointer to user memory to a number */
	memcpy(kernel_memory + 100, &pointer, 8);
	memcpy(user_memory + 32, "\x2a\0\0", 4);
	{
		struct rt_insn chain[] = { { .op = RT_OP_REGISTER, .arg = 0 },
					   { .op = RT_OP_READ, .size = 8, .offset = 100 },
					   { .op = RT_OP_READ_USER, .size = 4, .offset = 8 },
					   STORE(8, 4, 1),
					   RETURN };

		regs[0] = KERNEL;
		ok(RUN(chain) && number(8, 4) == 42, "a chain through kernel and user memory");
	}
}

static void faults(void)
{
	struct rt_insn chain[] = { IMMEDIATE(KERNEL_HOLE - 4),
				   { .op = RT_OP_READ, .size = 8 },
				   { .op = RT_OP_ADD, .imm = KERNEL },
				   { .op = RT_OP_READ, .size = 8, .offset = 8 },
				   { .op = RT_OP_BITS, .arg = 32 },
				   STORE(8, 8, 1),
				   STORE(16, 8, 64),
				   IMMEDIATE(7),
				   STORE(24, 8, 2),
				   { .op = RT_OP_FAULTS, .size = 8, .offset = 32 },
				   RETURN };
	struct rt_insn unmarked[] = { IMMEDIATE(USER),
				      { .op = RT_OP_READ, .size = 4 },
				      STORE(8, 4, 0),
				      { .op = RT_OP_FAULTS, .size = 1, .offset = 12 },
				      RETURN };
	unsigned long before;

	memory_reads = 0;
	ok(RUN(chain) && number(8, 8) == 0 && number(16, 8) == 0,
	   "what hangs on a failed read is 0, not garbage");
	is_int(memory_reads, 1, "and nothing is read after the failure");
	ok(number(24, 8) == 7 && number(32, 8) == (1ULL << 63 | 1),
	   "only the fields it concerns are marked");
	before = memory_reads;
	ok(RUN(unmarked) && number(8, 4) == 0 && number(12, 1) == 0 && memory_reads == before + 1,
	   "user memory is not kernel memory; a field without a bit sets none");
}

static void arrays(void)
{
	struct rt_insn insns[] = { IMMEDIATE(KERNEL + 2 * PAGE - 16),
				   { .op = RT_OP_ARRAY, .offset = 8, .imm = 16, .arg = 1 },
				   IMMEDIATE(KERNEL + 2 * PAGE - 15),
				   { .op = RT_OP_ARRAY, .offset = 24, .imm = 16, .arg = 2 },
				   IMMEDIATE(USER),
				   { .op = RT_OP_ARRAY_USER, .offset = 40, .imm = 3, .arg = 3 },
				   { .op = RT_OP_READ, .size = 8 },
				   { .op = RT_OP_ARRAY, .offset = 43, .imm = 5, .arg = 4 },
				   { .op = RT_OP_FAULTS, .size = 2, .offset = 48 },
				   RETURN };
	uint8_t zeros[16] = { 0 };

	memset(kernel_memory + 2 * PAGE - 16, 'k', 16);
	memcpy(user_memory, "abc", 3);
	ok(RUN(insns) && !memcmp(fields, kernel_memory + 2 * PAGE - 16, 16), "an array");
	ok(!memcmp(fields + 16, zeros, 16), "one that reaches into a hole is all zero");
	ok(!memcmp(fields + 32, "abc", 3), "one from user memory");
	ok(!memcmp(fields + 35, zeros, 5), "one whose address could not be read");
	is_int(number(48, 2), 1 << 1 | 1 << 3, "those that failed are marked");
}

static void strings(void)
{
	struct rt_insn insns[] = { IMMEDIATE(KERNEL + 5),
				   { .op = RT_OP_STRING, .offset = 8, .imm = 64, .arg = 1 },
				   IMMEDIATE(USER + 100),
				   { .op = RT_OP_STRING_USER, .offset = 12, .imm = 64, .arg = 2 },
				   IMMEDIATE(KERNEL_HOLE),
				   { .op = RT_OP_STRING, .offset = 16, .imm = 64, .arg = 3 },
				   IMMEDIATE(KERNEL + 5),
				   { .op = RT_OP_STRING, .offset = 20, .imm = 4, .arg = 4 },
				   { .op = RT_OP_READ, .size = 8, .offset = -64 },
				   { .op = RT_OP_STRING, .offset = 24, .imm = 1, .arg = 5 },
				   IMMEDIATE(KERNEL),
				   { .op = RT_OP_STRING, .offset = 28, .imm = 1, .arg = 6 },
				   { .op = RT_OP_FAULTS, .size = 1, .offset = 32 },
				   RETURN };

	memset(kernel_memory, 'x', 5);
	strcpy((char *)kernel_memory + 5, "a string longer than one piece of 32 bytes, say");
	strcpy((char *)user_memory + 100, "");
	ok(RUN(insns), "a program with strings runs");
	is_str(string(8), "a string longer than one piece of 32 bytes, say", "a kernel string");
	is_str(string(12), "", "an empty user string");
	is_str(string(16), "(fault)", "a string that is not there");
	is_str(string(20), "a s", "a string is cut at its limit");
	is_str(string(24), "(fault)", "a string whose address could not be read");
	is_str(string(28), "", "a limit of one byte leaves the NUL");
	is_int(number(32, 1), 1 << 2 | 1 << 4, "those that failed are marked");
	is_int(used, size, "measured and used are the same");
	is_int(size, 25 + 48 + 1 + 8 + 4 + 8 + 1, "and as long as it takes");
}

/* A string at every distance from the end of readable memory, with every length. */
static void string_edges(void)
{
	unsigned int length, distance, good = 0, tried = 0;

	for (distance = 1; distance <= 80; distance++)
		for (length = 0; length <= 80; length++) {
			struct rt_insn insns[] = {
				IMMEDIATE(KERNEL_HOLE - distance),
				{ .op = RT_OP_STRING, .offset = 8, .imm = 70, .arg = 1 },
				{ .op = RT_OP_FAULTS, .size = 1, .offset = 12 },
				RETURN
			};
			char want[128] = "";
			bool fault = length >= distance && distance < 70;

			memset(kernel_memory + 2 * PAGE - distance, 'e', distance);
			if (length < distance)
				kernel_memory[2 * PAGE - distance + length] = 0;
			memset(want, 'e', length < 69 ? length : 69);
			if (fault)
				strcpy(want, "(fault)");
			tried++;
			good += RUN(insns) && !strcmp(string(8), want) && number(12, 1) == fault;
		}
	is_int(good, tried, "strings near a hole: whole, cut or marked");
}

/* --- memory that changes between the two passes ---------------------------------- */

static unsigned int passes;
static const char *first_text, *then_text;

static int changing_read(void *to, uint64_t from, uint32_t bytes, bool user)
{
	int ret;

	/* Memory changes before the first read of the second pass. */
	if (from == KERNEL && passes++ == 1) {
		memset(kernel_memory, 'z', 256);
		strcpy((char *)kernel_memory, then_text);
	}
	ret = memory_read(to, from, bytes, user);
	return ret;
}

static void changing(void)
{
	struct rt_insn insns[] = { IMMEDIATE(KERNEL),
				   { .op = RT_OP_STRING, .offset = 8, .imm = 4096, .arg = 1 },
				   IMMEDIATE(USER),
				   { .op = RT_OP_STRING_USER, .offset = 12, .imm = 4096, .arg = 2 },
				   { .op = RT_OP_FAULTS, .size = 1, .offset = 16 },
				   RETURN };

	rt_program_host.read = changing_read;
	strcpy((char *)user_memory, "after");

	strcpy((char *)kernel_memory, "short");
	then_text = "much longer than it was";
	passes = 0;
	ok(RUN(insns) && used == size, "a string that grew takes no more than the room there is");
	is_str(string(8), "much longer", "it is cut");
	is_int(number(12, 4), size + 8, "nothing is left for the next one");
	is_int(number(16, 1), 3, "both are marked as not whole");

	strcpy((char *)kernel_memory, first_text = "long at first");
	then_text = "s";
	passes = 0;
	ok(RUN(insns) && used + strlen(first_text) - 1 == size, "a string that shrank");
	is_str(string(8), "s", "is what it is now");
	is_str(string(12), "after", "and the next one follows it");
	is_int(number(16, 1), 0, "and nothing is marked");
	{
		unsigned int i, zeros = 0;

		for (i = used; i < size; i++)
			zeros += fields[i] == 0;
		is_int(zeros, size - used, "the rest of the record is zero");
	}
	rt_program_host.read = memory_read;
}

int main(void)
{
	memory_begin();
	numbers();
	bits();
	contexts();
	reads();
	faults();
	arrays();
	strings();
	string_edges();
	changing();
	return tap_done();
}
