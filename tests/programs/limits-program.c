// SPDX-License-Identifier: GPL-2.0
/*
 * limits-program: every limit of programs at its maximum, and one beyond, in TAP.
 * limits-program cost: run the worst filter that the module accepts, on the worst text; print the
 *	cost of one hit in nanoseconds, which are instructions under -icount, and the limit.
 */
#include <time.h>

#include "limits.h"

#ifdef __aarch64__
#define STACK_POINTER 31
#define ARGUMENT      0
#else
#define STACK_POINTER 19
#define ARGUMENT      14 /* di */
#endif

static struct rt_insn code[RT_PROGRAM_CODE_MAX + RT_PROGRAM_TEXT_MAX];

/* --- each limit ------------------------------------------------------------------ */

static const struct rt_event_add call = { .kind = RT_KIND_SYSCALL_ENTER,
					  .syscall.number = SYS_getppid };

/* The instructions in `code` as an event's fetch program, or as its filter. */
static struct rt_event_add with(uint32_t insns, uint32_t text, int filter)
{
	struct rt_event_add event = call;
	struct rt_program *program = filter ? &event.filter : &event.fetch;

	program->slots = (uintptr_t)code;
	program->code = insns;
	program->text = text;
	return event;
}

static void clear(void)
{
	memset(code, 0, sizeof(code));
}

/* One instruction, then the return. */
static struct rt_event_add one(struct rt_insn insn)
{
	clear();
	code[0] = insn;
	code[1].op = RT_OP_RETURN;
	return with(2, 0, 0);
}

/* N steps that do nothing, then the answer. */
static struct rt_event_add steps(uint32_t n)
{
	uint32_t i;

	clear();
	for (i = 0; i + 1 < n; i++)
		code[i].op = RT_OP_KEEP;
	code[i] = (struct rt_insn){ .op = RT_OP_RETURN, .imm = 1 };
	return with(n, 0, 1);
}

/* Adjacent numbers from the first byte of a record to its byte END. */
static struct rt_event_add fields(uint32_t end)
{
	uint32_t at, n = 0;

	clear();
	for (at = RT_FIELD_BASE; at < end; at += 8)
		code[n++] = (struct rt_insn){ .op = RT_OP_STORE, .size = 8, .offset = at };
	code[n++].op = RT_OP_RETURN;
	return with(n, 0, 0);
}

/* Strings that make the record at most BYTES long, including their __data_loc fields. */
static struct rt_event_add strings(uint32_t bytes)
{
	uint32_t left = bytes - RT_FIELD_BASE - 4 * 4, n;

	clear();
	for (n = 0; n < 4; n++) {
		uint32_t size = n < 3 ? RT_PROGRAM_STRING_MAX : left;

		code[n] = (struct rt_insn){ .op = RT_OP_STRING_USER,
					    .offset = RT_FIELD_BASE + 4 * n,
					    .imm = size };
		left -= size;
	}
	code[n++].op = RT_OP_RETURN;
	return with(n, 0, 0);
}

/* A comparison of the task's name with LENGTH bytes, in SLOTS slots of text. */
static struct rt_event_add literal(uint32_t length, uint32_t slots)
{
	clear();
	code[0] = (struct rt_insn){ .op = RT_OP_JUMP_TEXT,
				    .size = RT_TEXT_COMM,
				    .imm = RT_TEXT(0, length, 0) };
	code[1] = (struct rt_insn){ .op = RT_OP_RETURN, .imm = 1 };
	return with(2, slots, 1);
}

static void lengths(void)
{
	struct rt_insn array = { .op = RT_OP_ARRAY_USER,
				 .offset = RT_FIELD_BASE,
				 .imm = RT_PROGRAM_ARRAY_MAX };
	struct rt_insn string = { .op = RT_OP_STRING_USER,
				  .offset = RT_FIELD_BASE,
				  .imm = RT_PROGRAM_STRING_MAX };
	struct rt_insn store = { .op = RT_OP_STORE, .size = 8, .offset = RT_FIELD_BASE };
	uint32_t id, events = 8;

	open_session();
	accept(steps(RT_PROGRAM_CODE_MAX), "as many instructions as there can be");
	refuse(steps(RT_PROGRAM_CODE_MAX + 1), RT_REFUSED_LENGTH, "one more");
	accept(fields(RT_PROGRAM_FIXED_MAX), "fields up to the end of the fixed part");
	refuse(fields(RT_PROGRAM_FIXED_MAX + 8), RT_REFUSED_OFFSET, "one more");
	accept(one(array), "the longest array");
	array.imm++;
	refuse(one(array), RT_REFUSED_LIMIT, "a longer one");
	accept(one(string), "the longest string");
	string.imm++;
	refuse(one(string), RT_REFUSED_LIMIT, "a longer one");
	accept(strings(RT_PROGRAM_RECORD_MAX), "the longest record");
	refuse(strings(RT_PROGRAM_RECORD_MAX + 1), RT_REFUSED_RECORD, "a longer one");
	store.arg = RT_PROGRAM_FAULTS_MAX;
	accept(one(store), "the last bit for a field that cannot be read");
	store.arg++;
	refuse(one(store), RT_REFUSED_FAULT_BIT, "the bit behind it");
	accept(literal(RT_PROGRAM_LITERAL_MAX, RT_PROGRAM_LITERAL_MAX / sizeof(*code)),
	       "the longest text to compare with");
	refuse(literal(RT_PROGRAM_LITERAL_MAX + 1, RT_PROGRAM_LITERAL_MAX / sizeof(*code) + 1),
	       RT_REFUSED_TEXT, "a longer one");
	accept(literal(1, RT_PROGRAM_TEXT_MAX), "the most text");
	refuse(literal(1, RT_PROGRAM_TEXT_MAX + 1), RT_REFUSED_LENGTH, "more of it");
	check(!toggle(RT_IOC_ENABLE), "what was accepted is enabled");
	syscall(SYS_getppid);
	check(!toggle(RT_IOC_DISABLE), "and disabled");
	for (id = 1; id <= events && counts_of(id).written + counts_of(id).filtered == 1; id++)
		;
	check(id == events + 1, "each was hit once, and none lost");
	close(fd);
}

/* --- cost ------------------------------------------------------------------------ */

/* The longest strings that fit into a record, then as many instructions as a program can have. */
static struct rt_event_add longest_program(void)
{
	struct rt_event_add event = { .kind = RT_KIND_SYSCALL_ENTER,
				      .syscall.number = SYS_getppid };
	int i, strings = RT_PROGRAM_RECORD_MAX / RT_PROGRAM_STRING_MAX - 1;

	memset(code, 0, sizeof(code));
	code[0] = (struct rt_insn){ .op = RT_OP_REGISTER, .arg = STACK_POINTER };
	for (i = 0; i < strings; i++)
		code[1 + i] = (struct rt_insn){ .op = RT_OP_STRING_USER,
						.offset = RT_FIELD_BASE + 4 * i,
						.arg = 1 + i,
						.imm = RT_PROGRAM_STRING_MAX };
	for (i++; i < RT_PROGRAM_CODE_MAX - 1; i++)
		code[i] = (struct rt_insn){ .op = RT_OP_READ_USER, .size = 8, .offset = 8 };
	code[i].op = RT_OP_RETURN;
	event.fetch.slots = (uintptr_t)code;
	event.fetch.code = RT_PROGRAM_CODE_MAX;
	return event;
}

/* Filters of N patterns, each of the most expensive kind, over the string that is the argument. */
static struct rt_event_add patterns(int n)
{
	static const struct rt_insn fetch[] = {
		{ .op = RT_OP_REGISTER, .arg = ARGUMENT },
		{ .op = RT_OP_STRING_USER,
		  .offset = RT_FIELD_BASE,
		  .arg = 1,
		  .imm = RT_PROGRAM_STRING_MAX },
		{ .op = RT_OP_RETURN },
	};
	struct rt_event_add event = { .kind = RT_KIND_SYSCALL_ENTER,
				      .syscall.number = SYS_getppid };
	char *text = (char *)&code[n + 1];
	int i;

	memset(code, 0, sizeof(code));
	for (i = 0; i < n; i++)
		code[i] = (struct rt_insn){ .op = RT_OP_JUMP_TEXT,
					    .size = RT_TEXT_DYNAMIC | RT_TEXT_GLOB,
					    .offset = RT_FIELD_BASE,
					    .imm = RT_TEXT(0, RT_PROGRAM_LITERAL_MAX, 0) };
	code[i] = (struct rt_insn){ .op = RT_OP_RETURN, .imm = 1 };
	memset(text, 'a', RT_PROGRAM_LITERAL_MAX);
	text[0] = '*';
	text[RT_PROGRAM_LITERAL_MAX - 1] = 'b';
	event.fetch.slots = (uintptr_t)fetch;
	event.fetch.code = 3;
	event.filter.slots = (uintptr_t)code;
	event.filter.code = n + 1;
	event.filter.text = RT_PROGRAM_LITERAL_MAX / sizeof(*code);
	return event;
}

static void programs(void)
{
	struct rt_event_add event;
	int n, crowd = 0;

	open_session();
	accept(longest_program(), "the longest program");
	refuse(patterns(510), RT_REFUSED_COST, "510 patterns over 4096 bytes");
	for (n = 1; event = patterns(n + 1), !add(&event); n++)
		;
	printf("# %d patterns at most\n", n);
	check(event.refusal.reason == RT_REFUSED_COST && n < 16, "and less is too much");
	do
		event = patterns(n);
	while (!add(&event) && ++crowd < 1000);
	printf("# %d times at one place\n", crowd);
	check(event.refusal.reason == RT_REFUSED_CROWDED && errno == ENOSPC,
	      "so are many of what is allowed, at one place");
	event.syscall.number = SYS_getpid;
	check(!add(&event), "another place has room");
	check(!toggle(RT_IOC_ENABLE), "what was accepted is enabled");
	syscall(SYS_getppid);
	check(!toggle(RT_IOC_DISABLE), "and disabled");
	check(counts_of(1).entered == 1, "and was hit");
	close(fd);
}

/* Only of this task: kernel threads may run before the call returns. */
static long long cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Every run of a's almost matches the pattern, at every position. */
static int cost(void)
{
	static char text[RT_PROGRAM_STRING_MAX];
	struct rt_event_add event;
	long long begin, took = 0;
	int n = 0, i;

	open_session();
	memset(text, 'a', sizeof(text) - 1);
	for (n = RT_PROGRAM_CODE_MAX - 1; event = patterns(n), n && add(&event); n--)
		;
	if (!n || toggle(RT_IOC_ENABLE))
		return 1;
	/* The first run fills the emulator's caches and faults pages in. */
	for (i = 0; i < 2; i++) {
		begin = cpu_time();
		syscall(SYS_getppid, text);
		took = cpu_time() - begin;
	}
	toggle(RT_IOC_DISABLE);
	printf("patterns %d took %lld allowed %u written %llu filtered %llu\n", n, took,
	       RT_PROGRAM_COST_MAX, (unsigned long long)counts_of(1).written,
	       (unsigned long long)counts_of(1).filtered);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "cost"))
		return cost();
	lengths();
	programs();
	printf("1..%d\n", tests);
	return failed != 0;
}
