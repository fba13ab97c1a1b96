// SPDX-License-Identifier: GPL-2.0
/*
 * tracerun.c - a print format made by tracefmt.c, applied to the raw data of an event.
 * Nothing outside of the data is read, whatever offsets it holds.
 */
#include <stdlib.h>
#include <string.h>

#include "script/tracefmt.h"
#include "script/tracestep.h"

struct run {
	const uint8_t *raw;
	size_t size;
	struct rt_text *out;
};

static uint64_t read_number(const struct run *r, uint64_t offset, unsigned int size)
{
	uint16_t v16;
	uint32_t v32;
	uint64_t v64;

	if (offset >= r->size || size > r->size - offset)
		return 0;
	switch (size) {
	case 1:
		return r->raw[offset];
	case 2:
		memcpy(&v16, r->raw + offset, 2);
		return v16;
	case 4:
		memcpy(&v32, r->raw + offset, 4);
		return v32;
	case 8:
		memcpy(&v64, r->raw + offset, 8);
		return v64;
	default:
		return 0;
	}
}

static uint64_t cast(uint64_t v, unsigned int size, bool is_signed)
{
	switch (size) {
	case 1:
		return is_signed ? (uint64_t)(int64_t)(int8_t)v : (uint8_t)v;
	case 2:
		return is_signed ? (uint64_t)(int64_t)(int16_t)v : (uint16_t)v;
	case 4:
		return is_signed ? (uint64_t)(int64_t)(int32_t)v : (uint32_t)v;
	default:
		return v;
	}
}

static uint64_t number(const struct run *r, const struct node *n);

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
		return read_number(r, n->offset, n->size);
	case NODE_INDEX: {
		uint64_t index = number(r, n->left);

		return index < RAW_MAX ? read_number(r, n->offset + index * n->size, n->size) : 0;
	}
	case NODE_CAST:
		return cast(number(r, n->left), n->size, false);
	case NODE_LENGTH:
		return read_number(r, n->offset, 4) >> 16;
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
	if (copy)
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
	uint64_t at = s->dynamic ? read_number(r, s->offset, 4) & 0xffff : s->offset;
	uint64_t count = number(r, s->count), i;
	unsigned int size = s->element ? (unsigned int)number(r, s->element) : 1;

	if (s->element && size != 1 && size != 2 && size != 4 && size != 8)
		return;
	for (i = 0; i < count && at + size <= r->size; i++, at += size) {
		if (s->element) {
			if (i)
				rt_text_char(r->out, ' ');
			rt_text_u64(r->out, read_number(r, at, size));
		} else {
			if (i)
				rt_text_str(r->out, s->text);
			rt_text_hex_width(r->out, r->raw[at], 2, '0');
		}
	}
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
		at = read_number(r, s->offset, 4) & 0xffff;
		if (s->relative)
			at += s->offset + s->size;
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
	case STRING_CHOOSE:
		put_string(r, step, number(r, s->number) ? s->yes : s->no);
		break;
	}
}

static void put_simple(const struct run *r, const struct step *s, uint64_t v)
{
	v = cast(v, s->bytes, s->conv == 'd');
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

static void put_number(const struct run *r, const struct step *s)
{
	uint64_t v = number(r, s->number);

	if (s->simple)
		put_simple(r, s, v);
	else
		rt_text_printf(r->out, s->spec, (long long)cast(v, s->bytes, s->conv == 'd'));
}

void rt_tracefmt_print(const struct rt_tracefmt *f, struct rt_text *out, const void *raw,
		       size_t size, rt_function_name name, void *arg)
{
	struct run r = { .raw = raw, .size = size, .out = out };
	unsigned int i;

	for (i = 0; i < f->count; i++) {
		const struct step *s = &f->steps[i];
		const char *function;
		uint64_t v, offset;

		if (s->len)
			rt_text_block(out, s->text, s->len);
		switch (s->kind) {
		case STEP_TEXT:
			break;
		case STEP_FIELD:
			put_simple(&r, s, read_number(&r, s->offset, s->size));
			break;
		case STEP_NUMBER:
			put_number(&r, s);
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
			v = number(&r, s->number);
			function = name ? name(arg, v, &offset) : NULL;
			if (function)
				rt_text_str(out, function);
			if (!function || s->with_offset) {
				rt_text_str(out, function ? "+0x" : "0x");
				rt_text_hex(out, function ? offset : v);
			}
			break;
		}
	}
}
