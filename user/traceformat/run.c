// SPDX-License-Identifier: GPL-2.0
/*
 * run.c - apply a print format made by compile.c to the raw data of an event.  It reads nothing
 * outside the data, whatever offsets that contains.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traceformat/format.h"
#include "traceformat/step.h"

static uint64_t number(const struct run *r, const struct node *n);

uint64_t rt_tracerun_number(const struct run *r, uint64_t offset, unsigned int size)
{
	return trace_number(r, offset, size);
}

/* Find the data of a dynamic field from the word at `offset`. */
static uint64_t dynamic_at(const struct run *r, unsigned int offset, unsigned int size,
			   bool relative)
{
	return (trace_number(r, offset, 4) & 0xffff) + (relative ? offset + size : 0);
}

/* Limit a width or precision: nobody needs more, and printf takes an int. */
static int given(const struct run *r, const struct step *step)
{
	int64_t v = (int32_t)number(r, step->given);

	return v > RAW_MAX ? RAW_MAX : v < -RAW_MAX ? -RAW_MAX : (int)v;
}

static uint64_t operate(enum op_kind op, uint64_t a, uint64_t b)
{
	switch (op) {
	case OP_NOT:
		return !b;
	case OP_INVERT:
		return ~b;
	case OP_OR:
		return a || b;
	case OP_BITOR:
		return a | b;
	case OP_AND:
		return a && b;
	case OP_BITAND:
		return a & b;
	case OP_LT:
		return a < b;
	case OP_LE:
		return a <= b;
	case OP_SHL:
		return b < 64 ? a << b : 0;
	case OP_GT:
		return a > b;
	case OP_GE:
		return a >= b;
	case OP_SHR:
		return b < 64 ? a >> b : 0;
	case OP_EQ:
		return a == b;
	case OP_NE:
		return a != b;
	case OP_SUB:
		return a - b;
	case OP_ADD:
		return a + b;
	case OP_DIV:
		return b ? a / b : 0;
	case OP_MOD:
		return b ? a % b : 0;
	case OP_MUL:
		return a * b;
	}
	return 0;
}

static uint64_t number(const struct run *r, const struct node *n)
{
	switch (n->kind) {
	case NODE_CONST:
		return n->value;
	case NODE_FIELD:
		return trace_number(r, n->offset, n->size);
	case NODE_INDEX: {
		uint64_t index = number(r, n->left);

		return index < RAW_MAX ? trace_number(r, n->offset + index * n->size, n->size) : 0;
	}
	case NODE_CAST:
		return trace_cast(number(r, n->left), n->size, false);
	case NODE_LENGTH:
		return trace_number(r, n->offset, 4) >> 16;
	case NODE_CHOOSE:
		return number(r, n->left) ? number(r, n->right) : number(r, n->other);
	case NODE_OP:
		return operate(n->op, number(r, n->left), number(r, n->right));
	}
	return 0;
}

static void put_piece(const struct run *r, const struct step *step, const char *text, size_t len)
{
	char *copy;

	if (step->simple) {
		rt_text_put(r->out, text, len);
		return;
	}
	copy = strndup(text, len);
	if (copy && step->given)
		rt_text_printf(r->out, step->spec, given(r, step), copy);
	else if (copy)
		rt_text_printf(r->out, step->spec, copy);
	free(copy);
}

static void put_flags(const struct run *r, const struct step *step, const struct string *s)
{
	int64_t v = (int64_t)number(r, s->number);
	bool printed = false;
	unsigned int i;

	for (i = 0; i < s->flag_count; i++) {
		const struct flag *flag = &s->flags[i];

		if (!v && flag->value < 0) {
			put_piece(r, step, flag->text, strlen(flag->text));
			break;
		}
		if (flag->value > 0 && (v & flag->value) == flag->value) {
			if (printed && s->text)
				rt_text_str(r->out, s->text);
			put_piece(r, step, flag->text, strlen(flag->text));
			printed = true;
			v &= ~flag->value;
		}
	}
	if (v) {
		if (printed && s->text)
			rt_text_str(r->out, s->text);
		rt_text_lit(r->out, "0x");
		rt_text_hex(r->out, (uint64_t)v);
	}
}

static void put_symbol(const struct run *r, const struct step *step, const struct string *s)
{
	int64_t v = (int64_t)number(r, s->number);
	unsigned int i;

	for (i = 0; i < s->flag_count; i++) {
		if (s->flags[i].value == v) {
			put_piece(r, step, s->flags[i].text, strlen(s->flags[i].text));
			return;
		}
	}
	rt_text_lit(r->out, "0x");
	rt_text_hex(r->out, (uint64_t)v);
}

static void put_bytes(const struct run *r, const struct string *s)
{
	uint64_t at = s->dynamic ? dynamic_at(r, s->offset, s->size, s->relative) : s->offset;
	uint64_t count = number(r, s->count), i;
	unsigned int size = s->element ? (unsigned int)number(r, s->element) : 1;

	if (s->element && size != 1 && size != 2 && size != 4 && size != 8)
		return;
	for (i = 0; i < count && at + size <= r->size; i++, at += size) {
		if (s->element) {
			if (i)
				rt_text_char(r->out, ' ');
			rt_text_u64(r->out, trace_number(r, at, size));
		} else {
			if (i)
				rt_text_str(r->out, s->text);
			rt_text_hex_width(r->out, r->raw[at], 2, '0');
		}
	}
}

/* Byte i of a bitmask, the lowest bits first. */
static unsigned int mask_byte(const struct run *r, uint64_t at, uint64_t size, uint64_t i)
{
	/* In the other byte order, the bytes of each 64-bit word are reversed. */
	uint64_t byte = r->swapped ? (i & ~7ull) + 7 - (i & 7) : i;

	return byte < size ? r->raw[at + byte] : 0;
}

/* Print as 0-3,5. */
static void put_bit_list(const struct run *r, uint64_t at, uint64_t size, struct rt_text *out)
{
	uint64_t bits = size * 8, first = bits, i;

	for (i = 0; i <= bits; i++) {
		bool set = i < bits && mask_byte(r, at, size, i / 8) >> (i % 8) & 1;

		if (set && first == bits)
			first = i;
		if (set || first == bits)
			continue;
		if (out->len)
			rt_text_char(out, ',');
		rt_text_u64(out, first);
		if (i - first > 1) {
			rt_text_char(out, '-');
			rt_text_u64(out, i - 1);
		}
		first = bits;
	}
}

/* Print in hexadecimal, the highest bits first, with a comma after each 32 bits. */
static void put_bit_words(const struct run *r, uint64_t at, uint64_t size, struct rt_text *out)
{
	uint64_t i;

	for (i = size; i-- > 0;) {
		rt_text_hex_width(out, mask_byte(r, at, size, i), 2, '0');
		if (i && !(i & 3))
			rt_text_char(out, ',');
	}
}

static void put_bitmask(const struct run *r, const struct step *step, const struct string *s)
{
	uint64_t at = dynamic_at(r, s->offset, s->size, s->relative);
	uint64_t size = trace_number(r, s->offset, 4) >> 16;
	struct rt_text text;

	if (at >= r->size)
		return;
	if (size > r->size - at)
		size = r->size - at;
	rt_text_init(&text);
	if (s->as_list)
		put_bit_list(r, at, size, &text);
	else
		put_bit_words(r, at, size, &text);
	if (text.len)
		put_piece(r, step, text.base, text.len);
	rt_text_free(&text);
}

static void put_kernel_text(const struct run *r, uint64_t address)
{
	const char *text =
		r->names && r->names->text ? r->names->text(r->names->arg, address) : NULL;

	if (text)
		rt_text_str(r->out, text);
	else
		rt_text_hex(r->out, address);
}

static void put_string(const struct run *r, const struct step *step, const struct string *s)
{
	uint64_t at, room;

	switch (s->kind) {
	case STRING_TEXT:
		put_piece(r, step, s->text, strlen(s->text));
		break;
	case STRING_FIELD:
		if (s->offset >= r->size)
			break;
		room = r->size - s->offset;
		if (s->size && s->size < room)
			room = s->size;
		put_piece(r, step, (const char *)r->raw + s->offset,
			  strnlen((const char *)r->raw + s->offset, room));
		break;
	case STRING_DYNAMIC:
		at = dynamic_at(r, s->offset, s->size, s->relative);
		if (at < r->size)
			put_piece(r, step, (const char *)r->raw + at,
				  strnlen((const char *)r->raw + at, r->size - at));
		break;
	case STRING_FLAGS:
		put_flags(r, step, s);
		break;
	case STRING_SYMBOL:
		put_symbol(r, step, s);
		break;
	case STRING_HEX:
	case STRING_NUMBERS:
		put_bytes(r, s);
		break;
	case STRING_BITMASK:
		put_bitmask(r, step, s);
		break;
	case STRING_POINTER:
		put_kernel_text(r, trace_number(r, s->offset, s->size));
		break;
	case STRING_CHOOSE:
		put_string(r, step, number(r, s->number) ? s->yes : s->no);
		break;
	}
}

static void put_simple(const struct run *r, const struct step *s, uint64_t v)
{
	v = trace_cast(v, s->bytes, s->conv == 'd');
	if (s->conv == 'd')
		rt_text_s64_width(r->out, (int64_t)v, s->width, s->pad);
	else if (s->conv == 'u')
		rt_text_u64_width(r->out, v, s->width, s->pad);
	else {
		if (s->hash && v)
			rt_text_lit(r->out, "0x");
		rt_text_hex_width(r->out, v, s->width, s->pad);
	}
}

/* Do not print a NUL: many readers take it as the end of the text. */
static void put_char(const struct run *r, const struct step *s, int v)
{
	if (!(char)v)
		return;
	if (s->given)
		rt_text_printf(r->out, s->spec, given(r, s), v);
	else
		rt_text_printf(r->out, s->spec, v);
}

static void put_number(const struct run *r, const struct step *s)
{
	uint64_t v = number(r, s->number);

	if (s->simple)
		put_simple(r, s, v);
	else if (s->conv == 'c')
		put_char(r, s, (int)v);
	else if (s->given)
		rt_text_printf(r->out, s->spec, given(r, s),
			       (long long)trace_cast(v, s->bytes, s->conv == 'd'));
	else
		rt_text_printf(r->out, s->spec, (long long)trace_cast(v, s->bytes, s->conv == 'd'));
}

/* With the fewest digits that mean this number. */
static void put_float(const struct run *r, uint64_t v, unsigned int size)
{
	int digits, most = size == sizeof(float) ? 9 : 17;
	char text[40];
	double value;
	uint32_t low = (uint32_t)v;
	float single;

	if (size == sizeof(float)) {
		memcpy(&single, &low, sizeof(single));
		value = single;
	} else {
		memcpy(&value, &v, sizeof(value));
	}
	for (digits = most - 3; digits <= most; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (size == sizeof(float) ? strtof(text, NULL) == single :
					    strtod(text, NULL) == value)
			break;
	}
	rt_text_str(r->out, text);
}

static void put_field_bytes(const struct run *r, const struct step *s)
{
	uint64_t at = s->offset, size = s->size;

	if (s->dynamic) {
		size = trace_number(r, s->offset, 4) >> 16;
		at = dynamic_at(r, s->offset, s->size, s->relative);
	}
	if (s->given && s->how[0] == 'h') {
		int want = given(r, s);

		if (want >= 0 && (uint64_t)want < size)
			size = (uint64_t)want;
	}
	rt_tracebytes_put(r->out, s->how,
			  at <= r->size && size <= r->size - at ? r->raw + at : NULL, size);
}

static void put_function(const struct run *r, const struct step *s)
{
	uint64_t v = number(r, s->number), offset = 0;
	const char *function = r->names && r->names->function ?
				       r->names->function(r->names->arg, v, &offset) :
				       NULL;

	if (function)
		rt_text_str(r->out, function);
	if (!function || s->with_offset) {
		rt_text_str(r->out, function ? "+0x" : "0x");
		rt_text_hex(r->out, function ? offset : v);
	}
}

void rt_tracefmt_print(const struct rt_tracefmt *f, struct rt_text *out, const void *raw,
		       size_t size, const struct rt_trace_names *names)
{
	struct run r = {
		.raw = raw, .size = size, .out = out, .names = names, .swapped = f->swapped
	};
	unsigned int i;
	uint64_t v;

	if (f->by_fields) {
		rt_tracefields_put(&r, f);
		return;
	}
	for (i = rt_tracequick_put(f, &r); i < f->count; i++) {
		const struct step *s = &f->steps[i];

		if (s->len)
			rt_text_block(out, s->text, s->len);
		switch (s->kind) {
		case STEP_TEXT:
			break;
		case STEP_FIELD:
			put_simple(&r, s, trace_number(&r, s->offset, s->size));
			break;
		case STEP_HEX:
			v = 0;
			if (size >= sizeof(v) && s->offset <= size - sizeof(v))
				memcpy(&v, r.raw + s->offset, sizeof(v));
			rt_text_hex(out, v);
			break;
		case STEP_NUMBER:
			put_number(&r, s);
			break;
		case STEP_FLOAT:
			put_float(&r, number(&r, s->number), s->size);
			break;
		case STEP_STRING:
			put_string(&r, s, s->string);
			break;
		case STEP_POINTER:
			v = number(&r, s->number);
			if (v) {
				rt_text_lit(out, "0x");
				rt_text_hex(out, v);
			} else {
				rt_text_lit(out, "(nil)");
			}
			break;
		case STEP_FUNCTION:
			put_function(&r, s);
			break;
		case STEP_BYTES:
			put_field_bytes(&r, s);
			break;
		}
	}
}
