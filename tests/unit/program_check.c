// SPDX-License-Identifier: GPL-2.0
/*
 * program_check.c - one program for every reason to refuse it, and beside each a similar program
 * that is just accepted.
 */
#include "memory.h"
#include "tap.h"

#define RETURN(n)                              \
	{                                      \
		.op = RT_OP_RETURN, .imm = (n) \
	}
#define STORE(at, bytes)                                           \
	{                                                          \
		.op = RT_OP_STORE, .size = (bytes), .offset = (at) \
	}

static const struct rt_program_limits limits = {
	.registers = 21,
	.contexts = (1U << RT_CONTEXTS) - 1 - (1U << RT_CONTEXT_OLD),
	.fixed = 64,
	.saved = 6,
};

static struct rt_code code;
static struct rt_program_error error;
static unsigned int reasons_seen;

static int check(enum rt_program_kind kind, const struct rt_insn *insns, unsigned int count,
		 unsigned int text)
{
	memset(&code, 0xff, sizeof(code));
	memset(&error, 0xff, sizeof(error));
	return rt_program_check(kind, insns, count, text, &limits, &code, &error);
}

static void refused(enum rt_program_kind kind, const struct rt_insn *insns, unsigned int count,
		    unsigned int text, unsigned int reason, unsigned int index, const char *what)
{
	int ret = check(kind, insns, count, text);

	reasons_seen |= 1U << error.reason;
	if (!ok(ret == -EINVAL && error.reason == reason && error.index == index, "refused: %s",
		what))
		printf("# ret %d, reason %u at %u; want reason %u at %u\n", ret, error.reason,
		       error.index, reason, index);
}

static void accepted(enum rt_program_kind kind, const struct rt_insn *insns, unsigned int count,
		     unsigned int text, const char *what)
{
	int ret = check(kind, insns, count, text);

	if (!ok(!ret, "accepted: %s", what))
		printf("# reason %u at %u\n", error.reason, error.index);
}

/* One instruction and a return. */
static void one(enum rt_program_kind kind, struct rt_insn insn, unsigned int reason,
		const char *what)
{
	struct rt_insn insns[6] = { insn, RETURN(kind == RT_PROGRAM_FILTER) };
	unsigned int text = kind == RT_PROGRAM_FILTER ? 4 : 0;

	if (reason)
		refused(kind, insns, 2, text, reason, 0, what);
	else
		accepted(kind, insns, 2, text, what);
}

#define FETCH  RT_PROGRAM_FETCH
#define FILTER RT_PROGRAM_FILTER

static void lengths(void)
{
	static struct rt_insn many[RT_PROGRAM_CODE_MAX + RT_PROGRAM_TEXT_MAX + 1];
	unsigned int i;

	for (i = 0; i < COUNT(many); i++)
		many[i].op = RT_OP_IMMEDIATE;
	many[RT_PROGRAM_CODE_MAX - 1].op = RT_OP_RETURN;
	accepted(FETCH, many, RT_PROGRAM_CODE_MAX, 0, "the longest program");
	accepted(FILTER, many, RT_PROGRAM_CODE_MAX, RT_PROGRAM_TEXT_MAX, "the most text");
	refused(FETCH, many, 0, 0, RT_REFUSED_LENGTH, 0, "an empty program");
	refused(FETCH, many, RT_PROGRAM_CODE_MAX + 1, 0, RT_REFUSED_LENGTH, 0, "a longer one");
	refused(FILTER, many, RT_PROGRAM_CODE_MAX, RT_PROGRAM_TEXT_MAX + 1, RT_REFUSED_LENGTH, 0,
		"more text");
	refused(FETCH, many, RT_PROGRAM_CODE_MAX, 1, RT_REFUSED_LENGTH, 0,
		"text in a fetch program");
}

static void operations(void)
{
	struct rt_insn insn;
	unsigned int op, known = 0;

	for (op = 0; op < 256; op++) {
		struct rt_insn insns[] = { { .op = op }, RETURN(0) };

		check(FETCH, insns, 2, 0);
		known += error.reason != RT_REFUSED_OP;
	}
	is_int(known, 16, "operations a fetch program knows");
	for (known = op = 0; op < 256; op++) {
		struct rt_insn insns[] = { { .op = op }, RETURN(0) };

		check(FILTER, insns, 2, 0);
		known += error.reason != RT_REFUSED_OP;
	}
	is_int(known, 13, "operations a filter program knows");

	one(FETCH, (struct rt_insn){ .op = RT_OP_FIELD, .size = 8, .offset = 8 }, RT_REFUSED_OP,
	    "a fetch program that looks at the record");
	one(FILTER, (struct rt_insn)STORE(8, 8), RT_REFUSED_OP, "a filter that stores");

	insn = (struct rt_insn){ .op = RT_OP_IMMEDIATE, .imm = ~0ULL };
	one(FETCH, insn, 0, "an immediate");
	insn.size = 1;
	one(FETCH, insn, RT_REFUSED_UNUSED, "an immediate with a size");
	insn.size = 0;
	insn.arg = 1;
	one(FETCH, insn, RT_REFUSED_UNUSED, "an immediate with an argument");
	insn.arg = 0;
	insn.offset = 1;
	one(FETCH, insn, RT_REFUSED_UNUSED, "an immediate with an offset");
	one(FETCH, (struct rt_insn){ .op = RT_OP_REGISTER, .imm = 1 }, RT_REFUSED_UNUSED,
	    "a register with an immediate");
	one(FILTER, (struct rt_insn){ .op = RT_OP_JUMP, .size = RT_IF_EQ | RT_IF_KEPT, .imm = 1 },
	    RT_REFUSED_UNUSED, "a comparison with both the kept value and a constant");
}

static void values(void)
{
	struct rt_insn insn = { .op = RT_OP_REGISTER, .arg = 20 };
	unsigned int size;

	one(FETCH, insn, 0, "the last register");
	insn.arg = 21;
	one(FETCH, insn, RT_REFUSED_REGISTER, "a register too far");

	insn = (struct rt_insn){ .op = RT_OP_SAVED, .arg = 5 };
	one(FETCH, insn, 0, "the last saved argument");
	one(FILTER, insn, 0, "also in a filter");
	insn.arg = 6;
	one(FETCH, insn, RT_REFUSED_REGISTER, "an argument that is not saved");

	insn = (struct rt_insn){ .op = RT_OP_CONTEXT, .arg = RT_CONTEXT_NEW };
	one(FETCH, insn, 0, "the last context");
	insn.arg = RT_CONTEXT_OLD;
	one(FETCH, insn, RT_REFUSED_CONTEXT, "a context this event does not have");
	insn.arg = RT_CONTEXTS;
	one(FETCH, insn, RT_REFUSED_CONTEXT, "a context that nothing has");
	insn.arg = 40;
	one(FETCH, insn, RT_REFUSED_CONTEXT, "a context beyond any mask");

	for (size = 0; size < 256; size++) {
		unsigned int bytes = size & ~RT_SIGNED;
		bool good = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
		struct rt_insn read[] = { { .op = RT_OP_READ, .size = size }, RETURN(0) };
		struct rt_insn user[] = { { .op = RT_OP_READ_USER, .size = size }, RETURN(0) };
		struct rt_insn field[] = { { .op = RT_OP_FIELD, .size = size, .offset = 8 },
					   RETURN(0) };
		unsigned int want = good ? 0 : RT_REFUSED_SIZE;

		if (check(FETCH, read, 2, 0), error.reason != want)
			break;
		if (check(FETCH, user, 2, 0), error.reason != want)
			break;
		if (check(FILTER, field, 2, 0), error.reason != want)
			break;
	}
	is_int(size, 256, "numbers have 1, 2, 4 or 8 bytes, signed or not");

	insn = (struct rt_insn){ .op = RT_OP_BITS, .size = RT_SIGNED, .arg = 64 };
	one(FETCH, insn, 0, "all 64 bits");
	insn.offset = 1;
	one(FETCH, insn, RT_REFUSED_BITS, "64 bits from bit 1");
	insn = (struct rt_insn){ .op = RT_OP_BITS, .arg = 1, .offset = 63 };
	one(FETCH, insn, 0, "the last bit");
	insn.offset = 64;
	one(FETCH, insn, RT_REFUSED_BITS, "the bit after it");
	insn.offset = -1;
	one(FETCH, insn, RT_REFUSED_BITS, "a negative bit");
	insn.offset = 0;
	insn.arg = 0;
	one(FETCH, insn, RT_REFUSED_BITS, "no bits");
	insn.arg = 8;
	insn.size = 1;
	one(FETCH, insn, RT_REFUSED_SIZE, "bits with a size");
}

static void stores(void)
{
	struct rt_insn insn = STORE(RT_PROGRAM_FIXED_MAX - 8, 8);
	struct rt_insn two[] = { STORE(16, 8), STORE(16, 1), RETURN(0) };
	int distance, overlaps = 0;

	one(FETCH, insn, 0, "a store at the end of the fixed part");
	insn.offset += 8;
	one(FETCH, insn, RT_REFUSED_OFFSET, "a store behind it");
	insn.offset = 0;
	one(FETCH, insn, RT_REFUSED_OFFSET, "a store into the record's header");
	insn.offset = -8;
	one(FETCH, insn, RT_REFUSED_OFFSET, "a store in front of the record");
	insn.offset = 1 << 30;
	one(FETCH, insn, RT_REFUSED_OFFSET, "a store far away");
	insn.offset = 12;
	one(FETCH, insn, RT_REFUSED_ALIGN, "8 bytes at 12");
	insn.size = 4;
	one(FETCH, insn, 0, "4 bytes at 12");
	insn.size = 3;
	one(FETCH, insn, RT_REFUSED_SIZE, "3 bytes");
	insn.size = 4 | RT_SIGNED;
	one(FETCH, insn, RT_REFUSED_SIZE, "a signed store");

	for (distance = -1; distance <= 8; distance++) {
		two[1].offset = 16 + distance;
		overlaps += check(FETCH, two, 3, 0) && error.reason == RT_REFUSED_OVERLAP &&
			    error.index == 1;
	}
	two[1].offset = 17;
	refused(FETCH, two, 3, 0, RT_REFUSED_OVERLAP, 1, "a field over another");
	is_int(overlaps, 8, "a byte overlaps each of the 8 it can overlap, not those beside them");

	insn = (struct rt_insn)STORE(8, 8);
	insn.arg = RT_PROGRAM_FAULTS_MAX;
	one(FETCH, insn, 0, "the last fault bit");
	insn.arg++;
	one(FETCH, insn, RT_REFUSED_FAULT_BIT, "a fault bit too far");
	{
		struct rt_insn late[] = { { .op = RT_OP_FAULTS, .size = 8, .offset = 8 },
					  STORE(16, 8),
					  RETURN(0) };
		struct rt_insn twice[] = { late[0], late[0], RETURN(0) };

		accepted(FETCH, late, 3, 0, "a store without fault bit after the mask");
		late[1].arg = 1;
		refused(FETCH, late, 3, 0, RT_REFUSED_FAULT_BIT, 1, "one with it");
		twice[1].offset = 16;
		refused(FETCH, twice, 3, 0, RT_REFUSED_FAULT_BIT, 1, "the mask twice");
	}

	insn = (struct rt_insn){ .op = RT_OP_ARRAY, .offset = 9, .imm = RT_PROGRAM_ARRAY_MAX };
	one(FETCH, insn, 0, "the longest array, anywhere");
	insn.imm++;
	one(FETCH, insn, RT_REFUSED_LIMIT, "a longer one");
	insn.imm = 0;
	one(FETCH, insn, RT_REFUSED_LIMIT, "an empty one");
	insn.imm = 1ULL << 32 | 1;
	one(FETCH, insn, RT_REFUSED_LIMIT, "one of 4 GB and a byte");
	insn.imm = 8;
	insn.arg = 65;
	one(FETCH, insn, RT_REFUSED_FAULT_BIT, "an array with a fault bit too far");
	insn = (struct rt_insn){ .op = RT_OP_COMM, .offset = RT_PROGRAM_FIXED_MAX - 16 };
	one(FETCH, insn, 0, "the task's name at the end");
	insn.offset++;
	one(FETCH, insn, RT_REFUSED_OFFSET, "the task's name behind it");
}

static void strings(void)
{
	struct rt_insn insn = { .op = RT_OP_STRING, .offset = 8, .imm = RT_PROGRAM_STRING_MAX };
	struct rt_insn many[8];
	unsigned int i;

	one(FETCH, insn, 0, "the longest string");
	insn.imm++;
	one(FETCH, insn, RT_REFUSED_LIMIT, "a longer one");
	insn.imm = 0;
	one(FETCH, insn, RT_REFUSED_LIMIT, "an empty one");
	insn.imm = 1;
	insn.offset = 10;
	one(FETCH, insn, RT_REFUSED_ALIGN, "one whose place is not aligned");
	insn.offset = 8;
	insn.arg = 65;
	one(FETCH, insn, RT_REFUSED_FAULT_BIT, "one with a fault bit too far");

	for (i = 0; i < COUNT(many); i++)
		many[i] = (struct rt_insn){ .op = RT_OP_STRING,
					    .offset = 8 + 4 * i,
					    .imm = RT_PROGRAM_STRING_MAX };
	many[3] = (struct rt_insn)RETURN(0);
	accepted(FETCH, many, 4, 0, "three of the longest strings");
	is_int(code.max, 8 + 12 + 3 * RT_PROGRAM_STRING_MAX, "how long the record can become");
	is_int(code.measure, 3, "measuring goes up to the last string");
	many[3] = (struct rt_insn){ .op = RT_OP_STRING, .offset = 20, .imm = 4096 };
	many[4] = (struct rt_insn)RETURN(0);
	refused(FETCH, many, 5, 0, RT_REFUSED_RECORD, 4, "a fourth does not fit with its place");
	many[4] = (struct rt_insn){ .op = RT_OP_STRING, .offset = 24, .imm = 4096 };
	many[5] = (struct rt_insn)RETURN(0);
	refused(FETCH, many, 6, 0, RT_REFUSED_RECORD, 4, "nor does a fifth at all");
}

static void ends(void)
{
	struct rt_insn none[] = { STORE(8, 8) };
	struct rt_insn early[] = { RETURN(0), RETURN(0) };
	struct rt_insn answer[] = { RETURN(2) };

	refused(FETCH, none, 1, 0, RT_REFUSED_END, 0, "a program without an end");
	refused(FETCH, early, 2, 0, RT_REFUSED_END, 0, "a fetch program that ends twice");
	accepted(FILTER, early, 2, 0, "a filter may end twice");
	refused(FILTER, answer, 1, 0, RT_REFUSED_ANSWER, 0, "a filter that answers 2");
	refused(FETCH, answer, 1, 0, RT_REFUSED_UNUSED, 0, "a fetch program that answers");
}

static void jumps(void)
{
	struct rt_insn insns[] = { { .op = RT_OP_JUMP, .arg = 1 }, RETURN(0), RETURN(1) };
	struct rt_insn insn;
	unsigned int size, good = 0;

	accepted(FILTER, insns, 3, 0, "a jump to the last instruction");
	insns[0].arg = 2;
	refused(FILTER, insns, 3, 1, RT_REFUSED_JUMP, 0, "a jump into the text");
	insns[0].arg = 0xffff;
	refused(FILTER, insns, 3, 1, RT_REFUSED_JUMP, 0, "a jump that would be backward");
	for (size = 0; size < 256; size++) {
		struct rt_insn jump[] = { { .op = RT_OP_JUMP, .size = size }, RETURN(1) };

		good += !check(FILTER, jump, 2, 0);
		if (error.reason && error.reason != RT_REFUSED_CONDITION)
			good = 1000;
	}
	is_int(good, 11 * 4, "eleven conditions, each with two flags, and nothing else");

	insn = (struct rt_insn){ .op = RT_OP_JUMP_TEXT, .offset = 56, .imm = RT_TEXT(0, 64, 8) };
	one(FILTER, insn, 0, "text up to the end of the record, a literal up to that of the text");
	insn.imm = RT_TEXT(0, 65, 8);
	one(FILTER, insn, RT_REFUSED_TEXT, "a literal that is longer than the text");
	insn.imm = RT_TEXT(4, 0, 8);
	one(FILTER, insn, 0, "an empty literal at the end");
	insn.imm = RT_TEXT(5, 0, 8);
	one(FILTER, insn, RT_REFUSED_TEXT, "and behind it");
	insn.imm = RT_TEXT(0, 4, 9);
	one(FILTER, insn, RT_REFUSED_OFFSET, "text that is not in the record");
	insn.imm = RT_TEXT(0, 4, 0xffffffff);
	one(FILTER, insn, RT_REFUSED_OFFSET, "text of 4 GB");
	insn.imm = RT_TEXT(0, 4, 0);
	one(FILTER, insn, RT_REFUSED_SIZE, "a field without size");
	insn.size = RT_TEXT_DYNAMIC;
	insn.offset = 60;
	one(FILTER, insn, 0, "a dynamic string");
	insn.offset = 61;
	one(FILTER, insn, RT_REFUSED_OFFSET, "one whose place is not in the record");
	insn.offset = 60;
	insn.imm = RT_TEXT(0, 4, 1);
	one(FILTER, insn, RT_REFUSED_UNUSED, "one with the size of a fixed one");
	insn.size = RT_TEXT_COMM;
	insn.imm = RT_TEXT(0, 4, 0);
	one(FILTER, insn, RT_REFUSED_UNUSED, "the task's name at an offset");
	insn.offset = 0;
	one(FILTER, insn, 0, "the task's name");
	insn.size = 3;
	one(FILTER, insn, RT_REFUSED_CONDITION, "text from nowhere");
	insn.size = RT_TEXT_COMM | 0x80;
	one(FILTER, insn, RT_REFUSED_CONDITION, "an unknown flag");
	insn.size = RT_TEXT_COMM;
	insn.arg = 1;
	one(FILTER, insn, RT_REFUSED_JUMP, "text that jumps too far");
	{
		struct rt_insn longest[12] = { { .op = RT_OP_JUMP_TEXT, .size = RT_TEXT_COMM },
					       RETURN(1) };

		longest[0].imm = RT_TEXT(0, RT_PROGRAM_LITERAL_MAX, 0);
		accepted(FILTER, longest, 2, 10, "the longest literal");
		longest[0].imm = RT_TEXT(0, RT_PROGRAM_LITERAL_MAX + 1, 0);
		refused(FILTER, longest, 2, 10, RT_REFUSED_TEXT, 0, "a longer one");
	}

	insn = (struct rt_insn){ .op = RT_OP_FIELD, .size = 8, .offset = 56 };
	one(FILTER, insn, 0, "the last field");
	insn.offset = 57;
	one(FILTER, insn, RT_REFUSED_OFFSET, "a field too far");
	insn.offset = 7;
	one(FILTER, insn, RT_REFUSED_OFFSET, "a field in the header");
	insn.offset = -8;
	one(FILTER, insn, RT_REFUSED_OFFSET, "a field in front of the record");
}

/* The cost limit: as many patterns as it allows, and one more. */
static void costs(void)
{
	static struct rt_insn many[RT_PROGRAM_CODE_MAX + RT_PROGRAM_TEXT_MAX];
	const struct rt_insn glob = { .op = RT_OP_JUMP_TEXT,
				      .size = RT_TEXT_DYNAMIC | RT_TEXT_GLOB,
				      .offset = 8,
				      .imm = RT_TEXT(0, RT_PROGRAM_LITERAL_MAX, 0) };
	unsigned int i, most;
	char *text;

	for (i = 0; i < RT_PROGRAM_CODE_MAX - 1; i++)
		many[i] = glob;
	many[i] = (struct rt_insn)RETURN(1);
	text = (char *)&many[RT_PROGRAM_CODE_MAX];
	memset(text, 'a', RT_PROGRAM_LITERAL_MAX);
	text[0] = '*';
	check(FILTER, many, RT_PROGRAM_CODE_MAX, 8);
	most = error.index;
	refused(FILTER, many, RT_PROGRAM_CODE_MAX, 8, RT_REFUSED_COST, most,
		"a filter of 511 patterns over a string");
	ok(most >= 1 && most < 8, "at the %u. of them", most + 1);
	many[most] = (struct rt_insn)RETURN(1);
	text = (char *)&many[most + 1];
	memset(text, 'a', RT_PROGRAM_LITERAL_MAX);
	text[0] = '*';
	accepted(FILTER, many, most + 1, 8, "as many as one run may take");
	ok(code.cost > RT_PROGRAM_COST_MAX / 2 && code.cost <= RT_PROGRAM_COST_MAX,
	   "which nearly use that up");

	/* Patterns as people write them. */
	for (i = 0; i < 16; i++) {
		many[i] = glob;
		many[i].imm = RT_TEXT(0, 10, 0);
	}
	many[i] = (struct rt_insn)RETURN(1);
	memcpy(&many[i + 1], "*/libfoo-*", 10);
	accepted(FILTER, many, i + 1, 1, "sixteen times the name of a library in a path");

	/* For a bracket that is never closed, every comparison searches to the end. */
	for (i = 0; i < 2; i++)
		many[i] = glob;
	many[i] = (struct rt_insn)RETURN(1);
	memset(&many[i + 1], '[', RT_PROGRAM_LITERAL_MAX);
	*(char *)&many[i + 1] = '*';
	refused(FILTER, many, i + 1, 8, RT_REFUSED_COST, 0, "a pattern of brackets");

	for (i = 0; i < RT_PROGRAM_CODE_MAX - 1; i++)
		many[i] = (struct rt_insn){ .op = RT_OP_READ, .size = 8 };
	many[i] = (struct rt_insn)RETURN(1);
	accepted(FILTER, many, RT_PROGRAM_CODE_MAX, 0, "as many reads as a program can have");
}

static void findings(void)
{
	struct rt_insn fetch[] = { { .op = RT_OP_CONTEXT, .arg = RT_CONTEXT_CALLER },
				   STORE(8, 8),
				   STORE(16, 2),
				   STORE(20, 4),
				   RETURN(0) };
	struct rt_insn filter[] = { { .op = RT_OP_CONTEXT, .arg = RT_CONTEXT_LEVEL },
				    { .op = RT_OP_CONTEXT, .arg = RT_CONTEXT_PID },
				    RETURN(1) };
	struct rt_insn late[] = { { .op = RT_OP_FIELD, .size = 4, .offset = 24 }, RETURN(1) };

	accepted(FETCH, fetch, 5, 0, "a small fetch program");
	ok(code.contexts == 1U << RT_CONTEXT_CALLER && code.fixed == 24 && code.max == 24 &&
		   code.measure == 0 && code.holes && !code.early,
	   "what it needs, how long its record is, and that there is a hole");
	fetch[3].size = 2;
	fetch[3].offset = 18;
	accepted(FETCH, fetch, 5, 0, "one without a hole");
	ok(!code.holes && code.fixed == 20, "is known to have none");
	accepted(FILTER, filter, 3, 0, "a filter without record");
	ok(code.early && code.contexts == (1U << RT_CONTEXT_LEVEL | 1U << RT_CONTEXT_PID),
	   "runs before the reserve");
	accepted(FILTER, late, 2, 0, "a filter over the record");
	ok(!code.early && code.fixed == 28, "runs after it, if there are so many bytes");
}

int main(void)
{
	lengths();
	operations();
	values();
	stores();
	strings();
	ends();
	jumps();
	costs();
	findings();
	is_int(reasons_seen, (1U << (RT_REFUSED_COST + 1)) - 2, "every reason was seen");
	return tap_done();
}
