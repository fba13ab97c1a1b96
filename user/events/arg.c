// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/arg.h"

#define VALUES \
	"%%register, $retval, $argN, $stack, $stackN, $comm, $cpu, @symbol+off, +off(VALUE) or \\N"
#define TYPES                                                                                                   \
	"u8 to u64, s8 to s64, x8 to x64, f32, f64, be16 to be64, char, symbol, string, ustring, string/SIZE, " \
	"bWIDTH@OFFSET/SIZE, or "                                                                               \
	"an array such as u32[4]"

struct parser {
	struct rt_scan *scan;
	const struct rt_event_env *env;
	enum rt_event_kind kind;
	struct rt_arg *arg;
	bool retval;
	bool context; /* a number of the kernel's own: $cpu */
};

static void emit(struct rt_arg *arg, uint8_t op, uint8_t size, uint16_t extra, int32_t offset,
		 uint64_t imm)
{
	struct rt_insn *insn = &arg->code[arg->count++];

	insn->op = op;
	insn->size = size;
	insn->arg = extra;
	insn->offset = offset;
	insn->imm = imm;
}

/* From now on the value is in memory at V + offset, where V is the previous value. */
static void dereference(struct rt_arg *arg, int32_t offset, bool user)
{
	if (arg->memory)
		emit(arg, arg->user ? RT_OP_READ_USER : RT_OP_READ, 8, 0, arg->offset, 0);
	arg->memory = true;
	arg->offset = offset;
	arg->user = user;
}

static bool is_return(enum rt_event_kind kind)
{
	return kind == RT_SPEC_KRETPROBE || kind == RT_SPEC_URETPROBE;
}

/* All memory that a user probe sees is the task's. */
static bool is_user(enum rt_event_kind kind)
{
	return kind == RT_SPEC_UPROBE || kind == RT_SPEC_URETPROBE;
}

static int parse_register(struct parser *p)
{
	const char *begin = p->scan->at - 1;
	size_t size = rt_scan_identifier(p->scan);
	struct rt_register_slot reg;
	char name[16];

	if (size >= sizeof(name))
		size = sizeof(name) - 1;
	memcpy(name, p->scan->at, size);
	name[size] = 0;
	if (rt_register_find(p->env->arch, name, &reg))
		return rt_scan_fail(p->scan, begin,
				    "there is no register '%%%s' on %s; there are %s", name,
				    rt_arch_name(p->env->arch), rt_register_names(p->env->arch));
	p->scan->at += size;
	/*
	 * In a trap the pc register may already point past the probe, and in a return probe it
	 * points into the trampoline.  The user means the probe's address or the return address, so
	 * fetch that.
	 */
	if (reg.slot == rt_register_pc(p->env->arch) &&
	    (p->kind == RT_SPEC_KPROBE || p->kind == RT_SPEC_KRETPROBE))
		emit(p->arg, RT_OP_CONTEXT, 0,
		     p->kind == RT_SPEC_KPROBE ? RT_CONTEXT_IP : RT_CONTEXT_CALLER, 0, 0);
	else
		emit(p->arg, RT_OP_REGISTER, 0, reg.slot, 0, 0);
	if (reg.bits < 64)
		emit(p->arg, RT_OP_BITS, 0, reg.bits, 0, 0);
	return 0;
}

/* Parse the number directly after $stack or $arg. */
static int parse_index(struct parser *p, const char *begin, uint64_t limit, uint64_t *n)
{
	int ret = rt_scan_number(p->scan, n);

	if (!ret && *n > limit)
		return rt_scan_fail(p->scan, begin, "the number is too large, %llu is the last",
				    (unsigned long long)limit);
	return ret;
}

static int parse_dollar(struct parser *p)
{
	const char *begin = p->scan->at - 1;
	enum rt_arch arch = p->env->arch;
	uint64_t n;
	int slot;

	if (rt_scan_word(p->scan, "retval")) {
		if (!is_return(p->kind))
			return rt_scan_fail(
				p->scan, begin,
				"$retval exists only when a function returns; use %sretprobe:",
				is_user(p->kind) ? "u" : "k");
		p->retval = true;
		emit(p->arg, RT_OP_REGISTER, 0, rt_register_return(arch), 0, 0);
		return 0;
	}
	if (rt_scan_word(p->scan, "stack")) {
		emit(p->arg, RT_OP_REGISTER, 0, rt_register_stack(arch), 0, 0);
		if (!isdigit((unsigned char)rt_scan_peek(p->scan)))
			return 0;
		if (parse_index(p, begin, 4095, &n))
			return -EINVAL;
		emit(p->arg, is_user(p->kind) ? RT_OP_READ_USER : RT_OP_READ, 8, 0, 8 * n, 0);
		return 0;
	}
	if (rt_scan_word(p->scan, "arg")) {
		if (p->kind == RT_SPEC_URETPROBE)
			return rt_scan_fail(
				p->scan, begin,
				"arguments are gone when a function of a program returns; use "
				"uprobe:");
		if (parse_index(p, begin, 64, &n))
			return -EINVAL;
		slot = rt_register_argument(arch, n);
		if (slot < 0)
			return rt_scan_fail(p->scan, begin,
					    "only $arg1 to $arg%d travel in registers on %s",
					    arch == RT_ARCH_ARM64 ? 8 : 6, rt_arch_name(arch));
		/* The module saves arguments when the function is entered. */
		if (is_return(p->kind))
			emit(p->arg, RT_OP_SAVED, 0, n - 1, 0, 0);
		else
			emit(p->arg, RT_OP_REGISTER, 0, slot, 0, 0);
		return 0;
	}
	if (rt_scan_word(p->scan, "comm")) {
		p->arg->comm = true;
		return 0;
	}
	if (rt_scan_word(p->scan, "cpu")) {
		p->context = true;
		emit(p->arg, RT_OP_CONTEXT, 0, RT_CONTEXT_CPU, 0, 0);
		return 0;
	}
	return rt_scan_fail(p->scan, begin, "a value is " VALUES);
}

/* Parse an offset that fits into an instruction. */
static int parse_offset(struct parser *p, bool negative, int32_t *offset)
{
	const char *begin = p->scan->at;
	uint64_t n;
	int ret = rt_scan_number(p->scan, &n);

	if (!ret && n > INT32_MAX)
		return rt_scan_fail(p->scan, begin, "an offset is at most 0x7fffffff");
	*offset = negative ? -(int32_t)n : (int32_t)n;
	return ret;
}

/* @symbol[+off], @0xADDRESS[+off]: memory at that address. */
static int parse_at(struct parser *p)
{
	const char *begin = p->scan->at - 1;
	size_t size = rt_scan_symbol(p->scan);
	uint64_t address, end;
	int32_t offset = 0;
	char *symbol;
	int ret;

	if (size && is_user(p->kind))
		return rt_scan_fail(p->scan, begin,
				    "@symbol is memory of the kernel; a user probe reads the "
				    "task's: +off(VALUE) or @0xADDRESS");
	if (size) {
		symbol = rt_scan_string(p->scan, size);
		if (!symbol)
			return rt_scan_no_memory(p->scan);
		ret = p->env->symbol ? p->env->symbol(p->env->data, NULL, symbol, &address, &end) :
				       -ENOENT;
		if (ret)
			ret = rt_scan_fail(p->scan, begin, "there is no symbol '%s' here", symbol);
		free(symbol);
	} else {
		ret = rt_scan_number(p->scan, &address);
	}
	if (!ret && (rt_scan_peek(p->scan) == '+' || rt_scan_peek(p->scan) == '-'))
		ret = parse_offset(p, *p->scan->at++ == '-', &offset);
	if (ret)
		return ret;
	emit(p->arg, RT_OP_IMMEDIATE, 0, 0, 0, address + (int64_t)offset);
	dereference(p->arg, 0, is_user(p->kind));
	return 0;
}

static int parse_immediate(struct parser *p)
{
	bool negative = rt_scan_take(p->scan, '-');
	uint64_t n;
	int ret = rt_scan_number(p->scan, &n);

	if (!ret)
		emit(p->arg, RT_OP_IMMEDIATE, 0, 0, 0, negative ? -n : n);
	return ret;
}

/* Parse VALUE; the outermost dereference stays pending in the arg. */
static int parse_value(struct parser *p, int depth)
{
	const char *begin = p->scan->at;
	int32_t offset;
	bool user;
	char c = rt_scan_peek(p->scan);
	int ret;

	if (c)
		p->scan->at++;
	switch (c) {
	case '%':
		return parse_register(p);
	case '$':
		return parse_dollar(p);
	case '@':
		return parse_at(p);
	case '\\':
		return parse_immediate(p);
	case '+':
	case '-':
		if (depth == RT_ARG_DEPTH_MAX)
			return rt_scan_fail(p->scan, begin, "at most %d dereferences are possible",
					    RT_ARG_DEPTH_MAX);
		user = rt_scan_take(p->scan, 'u') || is_user(p->kind);
		if (parse_offset(p, c == '-', &offset))
			return -EINVAL;
		if (!rt_scan_take(p->scan, '('))
			return rt_scan_fail(p->scan, p->scan->at,
					    "'(' is missing: a dereference is +off(VALUE)");
		ret = parse_value(p, depth + 1);
		if (ret)
			return ret;
		if (!rt_scan_take(p->scan, ')'))
			return rt_scan_fail(p->scan, p->scan->at,
					    "')' is missing: a dereference is +off(VALUE)");
		if (p->arg->comm)
			return rt_scan_fail(p->scan, begin, "$comm is no address");
		dereference(p->arg, offset, user);
		return 0;
	}
	p->scan->at = begin;
	if (rt_scan_identifier(p->scan))
		return rt_scan_fail(
			p->scan, begin,
			"names of variables are values of probe:, not of kprobe: and uprobe:; here "
			"a value is " VALUES);
	return rt_scan_fail(p->scan, begin, "a value is " VALUES);
}

static const struct {
	const char *name;
	struct rt_arg_type type;
} types[] = {
	{ "u8", { RT_SHOW_UNSIGNED, 1, false } },
	{ "u16", { RT_SHOW_UNSIGNED, 2, false } },
	{ "u32", { RT_SHOW_UNSIGNED, 4, false } },
	{ "u64", { RT_SHOW_UNSIGNED, 8, false } },
	{ "s8", { RT_SHOW_SIGNED, 1, true } },
	{ "s16", { RT_SHOW_SIGNED, 2, true } },
	{ "s32", { RT_SHOW_SIGNED, 4, true } },
	{ "s64", { RT_SHOW_SIGNED, 8, true } },
	{ "x8", { RT_SHOW_HEX, 1, false } },
	{ "x16", { RT_SHOW_HEX, 2, false } },
	{ "x32", { RT_SHOW_HEX, 4, false } },
	{ "x64", { RT_SHOW_HEX, 8, false } },
	{ "f32", { RT_SHOW_FLOAT, 4, false } },
	{ "f64", { RT_SHOW_FLOAT, 8, false } },
	{ "be16", { RT_SHOW_BIG, 2, false } },
	{ "be32", { RT_SHOW_BIG, 4, false } },
	{ "be64", { RT_SHOW_BIG, 8, false } },
	{ "char", { RT_SHOW_CHAR, 1, false } },
	{ "symbol", { RT_SHOW_SYMBOL, 8, false } },
	{ "string", { RT_SHOW_STRING, 4, false, true, false } },
	{ "ustring", { RT_SHOW_STRING, 4, false, true, true } },
};

static const struct rt_arg_type default_type = { RT_SHOW_HEX, 8, false };
static const struct rt_arg_type retval_type = { RT_SHOW_SIGNED, 8, true };
static const struct rt_arg_type context_type = { RT_SHOW_UNSIGNED, 4, false };
static const struct rt_arg_type comm_type = { RT_SHOW_STRING, RT_COMM_LEN, false, true, false };

/* Parse WIDTH@OFFSET/SIZE after the b or sb; the offset counts from the lowest bit. */
static int parse_bitfield(struct parser *p, const char *begin, bool is_signed)
{
	struct rt_arg_type *type = &p->arg->type;
	uint64_t width, offset, size;

	if (rt_scan_number(p->scan, &width))
		return -EINVAL;
	if (!rt_scan_take(p->scan, '@'))
		return rt_scan_fail(p->scan, p->scan->at, "a bitfield is bWIDTH@OFFSET/SIZE");
	if (rt_scan_number(p->scan, &offset))
		return -EINVAL;
	if (!rt_scan_take(p->scan, '/'))
		return rt_scan_fail(p->scan, p->scan->at, "a bitfield is bWIDTH@OFFSET/SIZE");
	if (rt_scan_number(p->scan, &size))
		return -EINVAL;
	if (size != 8 && size != 16 && size != 32 && size != 64)
		return rt_scan_fail(p->scan, begin,
				    "the size of a bitfield's container is 8, 16, 32 or 64 bits");
	if (!width || width > size || offset > size - width)
		return rt_scan_fail(p->scan, begin, "these bits do not fit into %u",
				    (unsigned int)size);
	memset(type, 0, sizeof(*type));
	type->show = is_signed ? RT_SHOW_SIGNED : RT_SHOW_UNSIGNED;
	type->is_signed = is_signed;
	type->size = size / 8;
	type->bits = width;
	type->first_bit = offset;
	return 0;
}

/* string/SIZE: an array of SIZE characters, which may end without a NUL. */
static int parse_string_size(struct parser *p, const char *begin)
{
	uint64_t size;

	if (rt_scan_number(p->scan, &size))
		return -EINVAL;
	if (!size || size >= RT_PROGRAM_STRING_MAX)
		return rt_scan_fail(p->scan, begin, "a string has 1 to %d bytes",
				    RT_PROGRAM_STRING_MAX - 1);
	p->arg->type.length = size;
	return 0;
}

static int parse_type(struct parser *p)
{
	const char *begin = p->scan->at;
	size_t i, size = rt_scan_identifier(p->scan);
	uint64_t count;

	bool is_signed = *begin == 's' && begin[1] == 'b';

	if (begin[is_signed] == 'b' && isdigit((unsigned char)begin[is_signed + 1])) {
		p->scan->at += is_signed + 1;
		return parse_bitfield(p, begin, is_signed);
	}
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strlen(types[i].name) == size && !memcmp(types[i].name, begin, size))
			break;
	if (i == sizeof(types) / sizeof(types[0]))
		return rt_scan_fail(p->scan, begin, "'%.*s' is no type; types are " TYPES,
				    (int)rt_scan_until(p->scan, ""), begin);
	p->arg->type = types[i].type;
	p->scan->at += size;
	if (p->arg->type.is_string && rt_scan_take(p->scan, '/'))
		return parse_string_size(p, begin);
	if (!rt_scan_take(p->scan, '['))
		return 0;
	if (rt_scan_number(p->scan, &count))
		return -EINVAL;
	if (!rt_scan_take(p->scan, ']'))
		return rt_scan_fail(p->scan, p->scan->at, "']' is missing");
	if (p->arg->type.is_string)
		return rt_scan_fail(p->scan, begin, "an array of strings cannot be recorded");
	if (!count || count * p->arg->type.size > RT_PROGRAM_ARRAY_MAX ||
	    count > RT_PROGRAM_ARRAY_MAX)
		return rt_scan_fail(p->scan, begin, "an array has 1 to %u elements of this type",
				    RT_PROGRAM_ARRAY_MAX / p->arg->type.size);
	p->arg->type.count = count;
	return 0;
}

static int check_type(struct parser *p, const char *begin)
{
	const struct rt_arg_type *type = &p->arg->type;

	if (type->show == RT_SHOW_SYMBOL && is_user(p->kind))
		return rt_scan_fail(p->scan, begin,
				    "symbols are the kernel's; use x64 in a user probe");
	if (p->arg->comm && (!type->is_string || type->user))
		return rt_scan_fail(p->scan, begin, "$comm is a string");
	if (!p->arg->comm && !p->arg->memory && (type->is_string || type->count))
		return rt_scan_fail(
			p->scan, begin,
			"a string or an array is in memory: if the value is its address, "
			"write +0(VALUE)");
	return 0;
}

static int parse_name(struct parser *p, int n)
{
	size_t size = rt_scan_identifier(p->scan);
	const char *begin = p->scan->at;
	char number[16];

	if (!size || begin + size == p->scan->end || begin[size] != '=') {
		if (rt_scan_until(p->scan, "=") < rt_scan_until(p->scan, ""))
			return rt_scan_fail(p->scan, begin,
					    "'%.*s' cannot be a name: letters, digits and _ are "
					    "allowed, a letter first",
					    (int)rt_scan_until(p->scan, "="), begin);
		snprintf(number, sizeof(number), "arg%d", n);
		p->arg->name = strdup(number);
	} else {
		p->arg->name = rt_scan_string(p->scan, size);
		p->scan->at++;
	}
	if (!p->arg->name)
		return rt_scan_no_memory(p->scan);
	if (!strncmp(p->arg->name, "__probe_", 8) || !strncmp(p->arg->name, "common_", 7))
		return rt_scan_fail(p->scan, begin, "names with __probe_ and common_ are taken");
	return 0;
}

int rt_arg_parse(struct rt_scan *scan, const struct rt_event_env *env, enum rt_event_kind kind,
		 int n, struct rt_arg *arg)
{
	struct parser p = { .scan = scan, .env = env, .kind = kind, .arg = arg };
	const char *begin;
	int ret;

	memset(arg, 0, sizeof(*arg));
	ret = parse_name(&p, n);
	begin = scan->at;
	if (!ret)
		ret = parse_value(&p, 0);
	if (ret)
		goto failed;
	if (rt_scan_take(scan, ':')) {
		begin = scan->at;
		ret = parse_type(&p);
		/* A task's name has a fixed size, unlike other strings. */
		if (!ret && arg->comm && arg->type.is_string && !arg->type.user)
			arg->type = comm_type;
	} else if (arg->comm) {
		arg->type = comm_type;
	} else {
		arg->type = arg->memory ? default_type :
			    p.retval	? retval_type :
			    p.context	? context_type :
					  default_type;
	}
	if (!ret)
		ret = check_type(&p, begin);
	if (!ret && rt_scan_until(scan, ""))
		ret = rt_scan_fail(scan, scan->at,
				   "'%.*s' is too much; an argument is "
				   "[name=]VALUE[:type]",
				   (int)rt_scan_until(scan, ""), scan->at);
	if (!ret)
		return 0;
failed:
	rt_arg_free(arg);
	return ret;
}

void rt_arg_free(struct rt_arg *arg)
{
	free(arg->name);
	arg->name = NULL;
}
