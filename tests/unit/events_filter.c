// SPDX-License-Identifier: GPL-2.0
/*
 * events_filter.c - filters as the user types them: their meaning, compared with a simple evaluator
 * over random expressions, and the error messages.
 */
#include <stdlib.h>

#include "events/spec.h"
#include "memory.h"
#include "tap.h"

static int find_symbol(void *data, const char *module, const char *symbol, uint64_t *start,
		       uint64_t *end)
{
	if (!strcmp(symbol, "vfs_read") && !module)
		*start = 0xffff800010100000;
	else if (!strcmp(symbol, "ext4_sync") && module && !strcmp(module, "ext4"))
		*start = 0xffff800011000100;
	else
		return -ENOENT;
	*end = *start + 0x80;
	return 0;
}

static int find_module(void *data, const char *module, uint64_t *start, uint64_t *end)
{
	if (strcmp(module, "ext4"))
		return -ENOENT;
	*start = 0xffff800011000000;
	*end = 0xffff800011080000;
	return 0;
}

static const struct rt_event_env env = {
	.arch = RT_ARCH_ARM64,
	.symbol = find_symbol,
	.module = find_module,
};

/* Fields of block_rq_issue, sched_switch and raw_syscalls in one event. */
static const char format[] = "name: test\nID: 1\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
			     "\tfield:s32 ret;\toffset:12;\tsize:4;\tsigned:1;\n"
			     "\tfield:u64 bytes;\toffset:16;\tsize:8;\tsigned:0;\n"
			     "\tfield:u8 flags;\toffset:24;\tsize:1;\tsigned:0;\n"
			     "\tfield:s8 small;\toffset:25;\tsize:1;\tsigned:1;\n"
			     "\tfield:u16 port;\toffset:26;\tsize:2;\tsigned:0;\n"
			     "\tfield:char rwbs[8];\toffset:28;\tsize:8;\tsigned:0;\n"
			     "\tfield:__data_loc char[] name;\toffset:36;\tsize:4;\tsigned:0;\n"
			     "\tfield:unsigned long args[3];\toffset:40;\tsize:24;\tsigned:0;\n"
			     "\tfield:s64 delta;\toffset:64;\tsize:8;\tsigned:1;\n"
			     "\nprint fmt: \"%d\", REC->dev\n";

static struct rt_field_list fields;
static uint64_t aligned[16];
static uint8_t *const record = (uint8_t *)aligned;
static struct rt_program_context context;
static struct rt_err err;

static void put(uint32_t offset, uint64_t value, uint32_t size)
{
	memcpy(record + offset - RT_FIELD_BASE, &value, size);
}

/* The result of the compiled filter for the record; -1 if the module would refuse it. */
static int judge(const struct rt_program_text *program, uint32_t fixed, uint32_t size)
{
	struct rt_program_limits limits = { RT_REGISTERS_ARM64, ~0U, fixed };
	struct rt_program_error error;
	struct rt_code code;

	if (rt_program_check(RT_PROGRAM_FILTER, program->slots, program->code, program->text,
			     &limits, &code, &error))
		return -1;
	if (code.early)
		return rt_filter_run(&code, &context, NULL, 0);
	return rt_filter_run(&code, &context, record, size);
}

static int filter(const char *text)
{
	struct rt_program_text program;
	int ret;

	if (rt_event_filter(text, &fields, NULL, &env, &program, &err)) {
		printf("# %s\n", err.text);
		return -1;
	}
	ret = judge(&program, fields.fixed, sizeof(aligned));
	rt_program_text_free(&program);
	return ret;
}

static void fill(void)
{
	put(8, 8 << 20 | 0, 4);
	put(12, -11, 4);
	put(16, 5000000000, 8);
	put(24, 0xf0, 1);
	put(25, -1, 1);
	put(26, 443, 2);
	memcpy(record + 20, "WS\0\0\0\0\0", 8);
	put(36, 8 << 16 | 80, 4);
	memcpy(record + 72, "eth0:12", 8);
	put(40, 3, 8);
	put(48, -100, 8);
	put(56, 7, 8);
	put(64, -5000000000, 8);
}

static void meanings(void)
{
	static const struct {
		const char *text;
		int want;
	} cases[] = {
		{ "ret == -11", 1 },
		{ "ret == 0xfffffff5", 1 },
		{ "ret < 0", 1 },
		{ "ret > -11", 0 },
		{ "ret >= -11 && ret <= -11", 1 },
		{ "bytes == 5000000000", 1 },
		{ "bytes < 10", 0 },
		{ "bytes != 5000000000", 0 },
		{ "flags & 0x10", 1 },
		{ "flags & 0x0f", 0 },
		{ "!(flags & 0x0f)", 1 },
		{ "flags == 240", 1 },
		{ "flags == -16", 1 },
		{ "small == -1", 1 },
		{ "small == 255", 1 },
		{ "small < 0", 1 },
		{ "flags == 'A'", 0 },
		{ "flags > 'A'", 1 },
		{ "dev == 8:0", 1 },
		{ "dev == 8:1", 0 },
		{ "dev != 259:3", 1 },
		{ "rwbs ~ \"*W*\"", 1 },
		{ "rwbs ~ '*R*'", 0 },
		{ "rwbs !~ \"*R*\"", 1 },
		{ "rwbs == WS", 1 },
		{ "rwbs != \"WS\"", 0 },
		{ "name == \"eth0:12\"", 1 },
		{ "name ~ eth?:*", 1 },
		{ "args[0] == 3", 1 },
		{ "args[2] == 7 && args[1] > 100", 1 },
		{ "delta < -4999999999", 1 },
		{ "delta < ret", 1 },
		{ "ret < port", 1 },
		{ "port > ret", 1 },
		{ "bytes > port", 1 },
		{ "args[0] < args[2]", 1 },
		{ "pid == 100", 1 },
		{ "tid == 101 && common_pid == 101", 1 },
		{ "cpu == 3", 1 },
		{ "prio == -2", 1 },
		{ "comm == \"worker/1:2\"", 1 },
		{ "comm ~ work*", 1 },
		{ "comm != bash", 1 },
		{ "context == softirq", 1 },
		{ "context != task", 1 },
		{ "context == nmi", 0 },
		{ "caller == vfs_read", 1 },
		{ "caller != vfs_read", 0 },
		{ "caller == [ext4]", 0 },
		{ "caller == ext4:ext4_sync", 0 },
		{ "caller == 0xffff800010100000-0xffff800010100080", 1 },
		{ "caller == 0xffff800010100000", 0 },
		{ "caller == 0xffff80001010007f", 1 },
		{ "ret == 0 || bytes > 1 && port == 443", 1 },
		{ "(ret == 0 || bytes > 1) && port == 80", 0 },
		{ "ret == 0 && port == 443 || flags & 0x80", 1 },
		{ "!ret == 0", 1 },
		{ "!!(port == 443)", 1 },
		{ "port==443&&ret<0", 1 },
		{ "  port == 443  ", 1 },
		{ "comm ~ \"[!a-v]*\"", 1 },
	};
	size_t i;

	fill();
	context.caller = 0xffff80001010007f;
	context.level = RT_LEVEL_SOFTIRQ;
	for (i = 0; i < COUNT(cases); i++)
		ok(filter(cases[i].text) == cases[i].want, "%s is %s", cases[i].text,
		   cases[i].want ? "true" : "false");
	context.caller = 0xffff800011000100;
	ok(filter("caller == [ext4]") == 1 && filter("caller == ext4:ext4_sync") == 1,
	   "a caller in a module");
	context.caller = 0xffff800010100080;
	ok(filter("caller == vfs_read") == 0, "a range ends before its end");
}

/* --- random expressions ------------------------------------------------------------ */

/* The fields in use, and the simplest comparison: 128 bits hold every value. */
static const struct {
	const char *name;
	uint32_t offset, size;
	bool is_signed;
} numbers[] = {
	{ "ret", 12, 4, true },	  { "bytes", 16, 8, false }, { "flags", 24, 1, false },
	{ "small", 25, 1, true }, { "port", 26, 2, false },  { "args[1]", 48, 8, false },
	{ "delta", 64, 8, true },
};

static __int128 value_of(unsigned int n)
{
	uint64_t raw = 0;
	unsigned int shift = 64 - 8 * numbers[n].size;

	memcpy(&raw, record + numbers[n].offset - RT_FIELD_BASE, numbers[n].size);
	if (numbers[n].is_signed)
		return (int64_t)(raw << shift) >> shift;
	return raw;
}

static char text[8192];
static size_t length;

static void say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	length += vsnprintf(text + length, sizeof(text) - length, fmt, ap);
	va_end(ap);
}

/* A constant the field can have, small ones more often. */
static int64_t constant_for(unsigned int n)
{
	int64_t v = rand() % 4 - 1;

	if (v < 0 && !numbers[n].is_signed)
		v = 1;
	return v;
}

static bool random_test(void)
{
	static const char *const operators[] = { "==", "!=", "<", "<=", ">", ">=", "&" };
	unsigned int n = rand() % COUNT(numbers), op = rand() % COUNT(operators), m;
	__int128 a = value_of(n), b;

	if (rand() % 4 == 0) {
		m = rand() % COUNT(numbers);
		b = value_of(m);
		/* A negative number and one of 64 unsigned bits have no common type. */
		if ((numbers[n].is_signed || numbers[m].is_signed) &&
		    ((numbers[n].size == 8 && !numbers[n].is_signed) ||
		     (numbers[m].size == 8 && !numbers[m].is_signed)))
			op = 6;
		say("%s %s %s", numbers[n].name, operators[op], numbers[m].name);
	} else {
		b = constant_for(n);
		say("%s%s%s%lld", numbers[n].name, operators[op], rand() % 2 ? " " : "",
		    (long long)b);
	}
	switch (op) {
	case 0:
		return a == b;
	case 1:
		return a != b;
	case 2:
		return a < b;
	case 3:
		return a <= b;
	case 4:
		return a > b;
	case 5:
		return a >= b;
	}
	return ((uint64_t)a & (uint64_t)b) != 0;
}

/* Print a random expression and return what it is.  LEVEL 0: or, 1: and, 2: not. */
static bool random_expression(int level, int depth)
{
	bool value, other;
	int i, n;

	if (level == 2) {
		if (depth <= 0 || rand() % 3)
			return random_test();
		if (rand() % 2) {
			say("!(");
			value = !random_expression(0, depth - 1);
		} else {
			say("( ");
			value = random_expression(0, depth - 1);
		}
		say(")");
		return value;
	}
	value = random_expression(level + 1, depth - 1);
	n = rand() % 3;
	for (i = 0; i < n && depth > 0; i++) {
		say(level ? " && " : " || ");
		other = random_expression(level + 1, depth - 1);
		value = level ? value && other : value || other;
	}
	return value;
}

static void randoms(void)
{
	int i, j, good = 0, compiled = 0, yes = 0;

	srand(2);
	for (i = 0; i < 20000; i++) {
		struct rt_program_text program;
		bool want;

		for (j = 0; j < (int)COUNT(numbers); j++)
			put(numbers[j].offset, rand() % 5 - 2, numbers[j].size);
		length = 0;
		want = random_expression(0, 5);
		if (rt_event_filter(text, &fields, NULL, &env, &program, &err)) {
			good += !!strstr(err.text, "too long");
			continue;
		}
		compiled++;
		yes += want;
		if (judge(&program, fields.fixed, sizeof(aligned)) == want)
			good++;
		else
			printf("# %s should be %d\n", text, want);
		rt_program_text_free(&program);
	}
	is_int(good, 20000, "random expressions mean what they say");
	ok(compiled > 19000 && yes > 4000 && yes < compiled - 4000, "%d of %d are true", yes,
	   compiled);
}

/* --- values of a probe ----------------------------------------------------------------- */

static uint64_t regs[RT_REGISTERS_ARM64];

/* The result of the filter if the probe fires now; *EARLY: it ran without a record. */
static int fire(const char *probe, const char *expression, bool *early)
{
	struct rt_program_limits limits = { RT_REGISTERS_ARM64, ~0U, 0 };
	struct rt_event_list list = { 0 };
	struct rt_program_text program;
	struct rt_program_error error;
	struct rt_code fetch, code;
	uint32_t size;
	int ret = -1;

	if (rt_event_parse(&list, probe, &env, &err) ||
	    rt_event_filter(expression, &list.specs[0].fields, &list.specs[0], &env, &program,
			    &err)) {
		printf("# %s\n", err.text);
		return -1;
	}
	context.regs = regs;
	if (!rt_program_check(RT_PROGRAM_FETCH, list.specs[0].fetch.slots, list.specs[0].fetch.code,
			      0, &limits, &fetch, &error)) {
		limits.fixed = fetch.fixed;
		size = rt_fetch_size(&fetch, &context);
		rt_fetch_run(&fetch, &context, record, size);
		if (!rt_program_check(RT_PROGRAM_FILTER, program.slots, program.code, program.text,
				      &limits, &code, &error)) {
			*early = code.early;
			ret = judge(&program, fetch.fixed, size);
		}
	}
	rt_program_text_free(&program);
	rt_event_list_free(&list);
	return ret;
}

#define PROBE                                                                                 \
	"kprobe:f size=%x2 low=%w2:s16 path=+0(%x1):string far=+8(%x3):s32 bits=%x2:b4@4/32 " \
	"s2=$stack2:s16"

static void probes(void)
{
	bool early;

	regs[1] = KERNEL + 64;
	regs[2] = 0x1ffff;
	regs[3] = KERNEL;
	regs[31] = KERNEL + 200;
	strcpy((char *)kernel_memory + 64, "/etc/passwd");
	memcpy(kernel_memory + 8, "\xff\xff\xff\xff", 4);
	memcpy(kernel_memory + 216, "\xfe\xff\x01\x00\0\0\0", 8);
	ok(fire(PROBE, "size == 0x1ffff", &early) == 1 && early, "a register, before the record");
	ok(fire(PROBE, "low == -1", &early) == 1 && early, "cut and signed as the record has it");
	ok(fire(PROBE, "far == -1", &early) == 1 && early, "memory, before the record");
	ok(fire(PROBE, "bits == 15", &early) == 1 && early, "a bitfield");
	ok(fire(PROBE, "s2 == -2", &early) == 1 && early, "a word of the stack, cut and signed");
	ok(fire(PROBE, "path ~ \"/etc/*\"", &early) == 1 && !early, "a string, in the record");
	ok(fire(PROBE, "size > 100 && path == /etc/shadow", &early) == 0 && !early, "both");

	regs[1] = regs[3] = KERNEL_HOLE;
	ok(fire(PROBE, "far == 0", &early) == 0, "what could not be read is not 0");
	ok(fire(PROBE, "far != 0", &early) == 0, "nor anything else");
	ok(fire(PROBE, "!(far == 0)", &early) == 1, "so it is not equal to 0");
	ok(fire(PROBE, "path == \"(fault)\"", &early) == 0, "the fault mark is no text");
	ok(fire(PROBE, "path ~ *", &early) == 0, "whatever the pattern");
	ok(fire(PROBE, "path != x", &early) == 0, "or the comparison");
	context.old_value = 5;
	context.new_value = 0x100000006;
	ok(fire("mem:0x1000/4:w", "old != new && new == 6", &early) == 1 && early,
	   "old and new value of a watch");
}

/* --- errors ---------------------------------------------------------------------------- */

static void errors(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "", "'', column 1: the filter ends where a comparison is expected" },
		{ "port",
		  "'port', column 5: a comparison is expected here: == != < <= > >= & ~ !~" },
		{ "port = 3",
		  "'port = 3', column 5: a comparison is expected here: == != < <= > >= & ~ !~" },
		{ "port ==", "'port ==', column 8: a number is expected here, decimal or 0x…" },
		{ "port == 3 &&",
		  "'port == 3 &&', column 13: the filter ends where a comparison is expected" },
		{ "port == 3 port",
		  "'port == 3 port', column 11: && or || is expected here, or the end" },
		{ "(port == 3", "'(port == 3', column 11: ')' is missing for the '(' of column 1" },
		{ "port == 3)", "'port == 3)', column 10: && or || is expected here, or the end" },
		{ "nport == 3",
		  "'nport == 3', column 1: 'nport' is no field of this event; there are dev ret bytes "
		  "flags small port rwbs name args delta and pid tid cpu comm prio caller context" },
		{ "port == 70000",
		  "'port == 70000', column 9: this does not fit into the 16 bits of the field" },
		{ "small == -129",
		  "'small == -129', column 10: this does not fit into the 8 bits of the field" },
		{ "bytes == 99999999999999999999",
		  "'bytes == 99999999999999999999', column 10: this number does not fit into 64 bits" },
		{ "port < -1",
		  "'port < -1', column 8: this field is unsigned and never less than 0" },
		{ "port ~ 3",
		  "'port ~ 3', column 5: ~ is for strings; a number compares by == != < <= > >= &" },
		{ "comm < 3", "'comm < 3', column 5: a string compares by == != ~ or !~" },
		{ "comm == \"x", "'comm == \"x', column 9: the closing \" is missing" },
		{ "args == 1",
		  "'args == 1', column 1: 'args' is an array: choose one element, args[N]" },
		{ "args[3] == 1", "'args[3] == 1', column 1: 'args' has only 3 elements" },
		{ "port[0] == 1", "'port[0] == 1', column 1: 'port' is no array of numbers" },
		{ "context == idle",
		  "'context == idle', column 12: the context is task, softirq, hardirq or nmi" },
		{ "caller == nowhere",
		  "'caller == nowhere', column 11: there is no symbol 'nowhere' here; the caller is "
		  "SYMBOL, MODULE:SYMBOL, [MODULE] or ADDRESS-ADDRESS" },
		{ "caller < vfs_read",
		  "'caller < vfs_read', column 10: the caller compares by == or !=" },
		{ "old == 1", "'old == 1', column 1: only a watch has an old and a new value" },
		{ "dev == 5000:1", "'dev == 5000:1', column 8: there is no such device number" },
		{ "port == 0x12g",
		  "'port == 0x12g', column 9: '0x12g' is not a number; write decimal or 0x…" },
	};
	struct rt_program_text program;
	char deep[200];
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		err.text[0] = 0;
		if (!rt_event_filter(cases[i].text, &fields, NULL, &env, &program, &err))
			rt_program_text_free(&program);
		is_str(err.text, cases[i].want, "%s", cases[i].text);
	}
	memset(deep, '(', 199);
	deep[199] = 0;
	ok(rt_event_filter(deep, &fields, NULL, &env, &program, &err) == -EINVAL &&
		   strstr(err.text, "column 65: this is nested too deeply"),
	   "too many parentheses");
	strcpy(deep, "name ~ \"*");
	memset(deep + 9, '[', 120);
	strcpy(deep + 129, "\"");
	ok(rt_event_filter(deep, &fields, NULL, &env, &program, &err) == -E2BIG &&
		   strstr(err.text, "one hit could take too long; use fewer patterns"),
	   "a pattern that takes too long is the user's mistake");
}

int main(void)
{
	memory_begin();
	if (!ok(!rt_field_list_parse(&fields, format, &err) && fields.count == 10 &&
			fields.fixed == 72,
		"the fields of the format"))
		return tap_done();
	meanings();
	randoms();
	probes();
	errors();
	rt_field_list_free(&fields);
	return tap_done();
}
