// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/filter_parser.h"

#define COUNT(a)  (sizeof(a) / sizeof((a)[0]))
#define OPERATORS "== != < <= > >= & ~ !~"

/* The kernel's layout of a dev_t. */
#define DEV_MINOR_BITS 20

/* Words that stand for a number of one operand; the last entry has no name. */
struct word {
	const char *name;
	uint8_t value;
};

static const struct word levels[] = {
	{ "task", RT_LEVEL_TASK },	 { "softirq", RT_LEVEL_SOFTIRQ },
	{ "hardirq", RT_LEVEL_HARDIRQ }, { "irq", RT_LEVEL_HARDIRQ },
	{ "nmi", RT_LEVEL_NMI },	 { NULL, 0 },
};

static const struct word accesses[] = {
	{ "r", RT_ACCESS_READ },
	{ "w", RT_ACCESS_WRITE },
	{ "rw", RT_ACCESS_READ | RT_ACCESS_WRITE },
	{ "x", RT_ACCESS_EXECUTE },
	{ NULL, 0 },
};

/* Longer operators come first. */
static const struct comparison {
	const char *text;
	uint8_t unsigned_if, signed_if;
	bool equality, text_only, inverted;
} comparisons[] = {
	{ "==", RT_IF_EQ, RT_IF_EQ, true, false, false },
	{ "!=", RT_IF_NE, RT_IF_NE, true, false, true },
	{ "!~", 0, 0, false, true, true },
	{ "<=", RT_IF_LE, RT_IF_SLE, false, false, false },
	{ ">=", RT_IF_GE, RT_IF_SGE, false, false, false },
	{ "<", RT_IF_LT, RT_IF_SLT, false, false, false },
	{ ">", RT_IF_GT, RT_IF_SGT, false, false, false },
	{ "&", RT_IF_AND, RT_IF_AND, false, false, false },
	{ "~", 0, 0, false, true, false },
};

int rt_filter_test(struct rt_filter_parser *p, const struct rt_operand *operand, uint8_t condition,
		   uint64_t value, int *out)
{
	struct rt_node *node = rt_filter_node(p, RT_NODE_NUMBER, out);

	if (!node)
		return -EINVAL;
	node->operand = *operand;
	node->condition = condition;
	node->value = value;
	return 0;
}

static bool is_watch(const struct rt_filter_parser *p)
{
	return p->spec && p->spec->kind == RT_SPEC_WATCH;
}

static const struct comparison *take_comparison(struct rt_filter_parser *p)
{
	size_t i;

	rt_scan_blanks(p->scan);
	/* && starts the next condition. */
	if (p->scan->end - p->scan->at >= 2 && p->scan->at[0] == '&' && p->scan->at[1] == '&')
		return NULL;
	for (i = 0; i < COUNT(comparisons); i++)
		if (rt_scan_word(p->scan, comparisons[i].text))
			return &comparisons[i];
	return NULL;
}

/* --- text ------------------------------------------------------------------------------ */

/* Parse a quoted string or a bare word; the caller frees *OUT. */
static int parse_literal(struct rt_filter_parser *p, char **out, size_t *length)
{
	const char *begin = p->scan->at;
	char quote = rt_scan_peek(p->scan);
	char *to;

	if (quote != '"' && quote != '\'') {
		*length = rt_scan_until(p->scan, "()&|!<>=\"'");
		if (!*length)
			return rt_scan_fail(p->scan, begin, "a string is expected here: \"text\"");
		*out = rt_scan_string(p->scan, *length);
		return *out ? 0 : rt_scan_no_memory(p->scan);
	}
	p->scan->at++;
	to = *out = malloc(p->scan->end - begin + 1);
	if (!to)
		return rt_scan_no_memory(p->scan);
	while (rt_scan_peek(p->scan) && rt_scan_peek(p->scan) != quote) {
		/* \" is the quote itself; any other backslash belongs to the pattern. */
		if (p->scan->at[0] == '\\' && p->scan->at + 1 < p->scan->end &&
		    p->scan->at[1] == quote)
			p->scan->at++;
		*to++ = *p->scan->at++;
	}
	*to = 0;
	*length = to - *out;
	if (rt_scan_take(p->scan, quote))
		return 0;
	free(*out);
	return rt_scan_fail(p->scan, begin, "the closing %c is missing", quote);
}

/* A string that could not be read must compare as false, so test its fault bit first. */
static int guard_fault(struct rt_filter_parser *p, const struct rt_field *field, int *index)
{
	struct rt_operand faults = { .from = RT_FROM_FIELD, .index = -1 };
	int test;

	if (!field || field->fault_bit < 0 || !p->spec || !p->spec->faults)
		return 0;
	faults.field = p->spec->faults;
	faults.size = p->spec->faults->size;
	if (rt_filter_test(p, &faults, RT_IF_AND, 1ULL << field->fault_bit, &test) ||
	    rt_filter_invert(p, &test))
		return -EINVAL;
	return rt_filter_join(p, RT_NODE_AND, test, *index, index);
}

static int parse_text_test(struct rt_filter_parser *p, const struct rt_field *field, int *out)
{
	const char *at = p->scan->at;
	const struct comparison *op = take_comparison(p);
	struct rt_node *node;
	int ret;

	if (!op || (!op->equality && !op->text_only))
		return rt_scan_fail(p->scan, at, "a string compares by == != ~ or !~");
	rt_scan_blanks(p->scan);
	at = p->scan->at;
	node = rt_filter_node(p, RT_NODE_TEXT, out);
	if (!node)
		return -EINVAL;
	node->field = field;
	node->glob = op->text_only;
	ret = parse_literal(p, &node->literal, &node->length);
	if (ret) {
		node->literal = NULL;
		return ret;
	}
	if (node->length > RT_PROGRAM_LITERAL_MAX)
		return rt_scan_fail(p->scan, at, "a string to compare with has at most %d bytes",
				    RT_PROGRAM_LITERAL_MAX);
	if (op->inverted && rt_filter_invert(p, out))
		return -EINVAL;
	return guard_fault(p, field, out);
}

/* --- numbers --------------------------------------------------------------------------- */

/* N, -N, MAJOR:MINOR, 'c'. */
static int parse_constant(struct rt_filter_parser *p, uint64_t *value, bool *negative)
{
	const char *at = p->scan->at;
	uint64_t minor;

	if (p->scan->end - at >= 3 && at[0] == '\'' && at[2] == '\'') {
		*negative = false;
		*value = (unsigned char)at[1];
		p->scan->at += 3;
		return 0;
	}
	*negative = rt_scan_take(p->scan, '-');
	if (rt_scan_number(p->scan, value))
		return -EINVAL;
	if (*negative)
		*value = -*value;
	else if (rt_scan_take(p->scan, ':')) {
		if (rt_scan_number(p->scan, &minor))
			return -EINVAL;
		if (*value >> 12 || minor >> DEV_MINOR_BITS)
			return rt_scan_fail(p->scan, at, "there is no such device number");
		*value = *value << DEV_MINOR_BITS | minor;
	}
	return 0;
}

/* Convert a constant to the form in which the filter program sees the operand. */
static int fit(struct rt_filter_parser *p, const char *at, const struct rt_operand *operand,
	       const struct comparison *op, bool negative, uint64_t *value)
{
	unsigned int bits = 8 * operand->size;
	uint64_t mask = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
	int64_t v = *value;

	if (negative && bits < 64 && v < -(1LL << (bits - 1)))
		goto too_large;
	if (negative && v >= 0 && *value)
		goto too_large;
	if (!negative && *value & ~mask)
		goto too_large;
	if (negative && !operand->is_signed && !op->equality && op->unsigned_if != RT_IF_AND)
		return rt_scan_fail(p->scan, at, "this field is unsigned and never less than 0");
	if (operand->is_signed && bits < 64)
		*value = (uint64_t)((int64_t)(*value << (64 - bits)) >> (64 - bits));
	else
		*value &= mask;
	return 0;
too_large:
	return rt_scan_fail(p->scan, at, "this does not fit into the %u bits of the field", bits);
}

/* Whether the bytes of the operand are in the other order than those of the machine. */
static bool is_big(const struct rt_operand *operand)
{
	return operand->from == RT_FROM_FIELD && operand->field->show == RT_SHOW_BIG;
}

/* The module compares bytes as they are: equal, or with common bits, is the same in both orders. */
static int check_order(struct rt_filter_parser *p, const char *at, const struct rt_operand *operand,
		       const struct comparison *op)
{
	if (op->equality || op->unsigned_if == RT_IF_AND)
		return 0;
	return rt_scan_fail(p->scan, at,
			    "'%s' is big-endian, and the kernel compares such a number only by "
			    "== != &",
			    operand->field->name);
}

static uint64_t swap_bytes(uint64_t value, uint32_t size)
{
	return __builtin_bswap64(value) >> (64 - 8 * size);
}

/* Compare values of different width and sign by numeric value, as far as 64 bits allow. */
static bool compare_signed(const struct rt_operand *a, const struct rt_operand *b)
{
	return (a->is_signed || a->size < 8) && (b->is_signed || b->size < 8);
}

static int parse_two(struct rt_filter_parser *p, const struct rt_operand *operand,
		     const struct comparison *op, int *out)
{
	const char *at = p->scan->at;
	size_t size = rt_scan_identifier(p->scan);
	struct rt_operand other;
	struct rt_node *node;
	int ret = rt_operand_number(p, &other);

	if (ret == -ENOENT)
		return rt_operand_unknown(p, at, size);
	if (ret)
		return ret;
	if (is_big(operand) != is_big(&other))
		return rt_scan_fail(p->scan, at,
				    "one of the two is big-endian, and the kernel compares bytes");
	node = rt_filter_node(p, RT_NODE_NUMBER, out);
	if (!node)
		return -EINVAL;
	node->operand = *operand;
	node->other = other;
	node->has_other = true;
	node->condition = compare_signed(operand, &other) ? op->signed_if : op->unsigned_if;
	return 0;
}

static int parse_word(struct rt_filter_parser *p, const struct comparison *op,
		      const struct rt_operand *operand, const struct word *word,
		      const char *expected, int *out)
{
	const char *at = p->scan->at;
	size_t size = rt_scan_identifier(p->scan);

	while (word->name && !rt_filter_word_is(at, size, word->name))
		word++;
	if (!word->name)
		return rt_scan_fail(p->scan, at, "%s", expected);
	p->scan->at += size;
	return rt_filter_test(p, operand, op->unsigned_if, word->value, out);
}

/* --- grammar ---------------------------------------------------------------------------- */

static int parse_number_test(struct rt_filter_parser *p, int *out)
{
	const char *at = p->scan->at;
	size_t size = rt_scan_identifier(p->scan);
	struct rt_operand operand;
	const struct comparison *op;
	uint64_t value;
	bool negative;
	char next;
	int ret = rt_operand_number(p, &operand);

	if (ret == -ENOENT)
		return rt_operand_unknown(p, at, size);
	if (ret)
		return ret;
	at = p->scan->at;
	op = take_comparison(p);
	if (!op)
		return rt_scan_fail(p->scan, at, "a comparison is expected here: " OPERATORS);
	if (op->text_only)
		return rt_scan_fail(p->scan, at,
				    "~ is for strings; a number compares by == != < <= > "
				    ">= &");
	if (is_big(&operand) && check_order(p, at, &operand, op))
		return -EINVAL;
	rt_scan_blanks(p->scan);
	at = p->scan->at;
	if (operand.from == RT_FROM_CONTEXT && operand.context == RT_CONTEXT_CALLER)
		return op->equality ? rt_caller_parse(p, &operand, op->inverted, out) :
				      rt_scan_fail(p->scan, at, "the caller compares by == or !=");
	next = rt_scan_peek(p->scan);
	if (operand.from == RT_FROM_CONTEXT && operand.context == RT_CONTEXT_LEVEL &&
	    !isdigit((unsigned char)next))
		return parse_word(p, op, &operand, levels,
				  "the context is task, softirq, hardirq or nmi", out);
	if (operand.from == RT_FROM_FIELD && operand.field->show == RT_SHOW_ACCESS &&
	    rt_scan_identifier(p->scan))
		return parse_word(p, op, &operand, accesses, "the access is r, w, rw or x", out);
	if (rt_scan_identifier(p->scan))
		return parse_two(p, &operand, op, out);
	if (parse_constant(p, &value, &negative) || fit(p, at, &operand, op, negative, &value))
		return -EINVAL;
	if (is_big(&operand))
		value = swap_bytes(value, operand.size);
	return rt_filter_test(p, &operand, operand.is_signed ? op->signed_if : op->unsigned_if,
			      value, out);
}

int rt_condition_parse(struct rt_filter_parser *p, int *out)
{
	const char *at = p->scan->at;
	size_t size = rt_scan_identifier(p->scan);
	const struct rt_field *field = rt_operand_field(p, at, size);

	if (!size)
		return rt_scan_fail(p->scan, at,
				    at == p->scan->end ?
					    "the filter ends where a comparison is expected" :
					    "a field is expected here, as in 'FIELD == VALUE'");
	if (field ? field->is_string :
		    rt_filter_word_is(at, size, "comm") ||
			    rt_filter_word_is(at, size, "common_comm") ||
			    rt_filter_word_is(at, size, "COMM")) {
		p->scan->at += size;
		return parse_text_test(p, field, out);
	}
	if (!field && !is_watch(p) &&
	    (rt_filter_word_is(at, size, "old") || rt_filter_word_is(at, size, "new")))
		return rt_scan_fail(p->scan, at, "only a watch has an old and a new value");
	return parse_number_test(p, out);
}
