// SPDX-License-Identifier: GPL-2.0
#include "traceformat/format.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "base/array.h"
#include "traceformat/step.h"

static void *own(struct rt_tracefmt *f, size_t size)
{
	struct owned *o = calloc(1, sizeof(*o) + 8 + size);

	if (!o)
		return NULL;
	o->next = f->owned;
	f->owned = o;
	return o + 1;
}

static struct tep_format_field *find_field(const struct rt_tracefmt *f, const char *name)
{
	return tep_find_any_field((struct tep_event *)f->event, name);
}

static bool usable(const struct tep_format_field *field)
{
	return field && field->offset >= 0 && field->size >= 0 && field->offset < RAW_MAX &&
	       field->size <= RAW_MAX;
}

static struct node *build_number(struct rt_tracefmt *f, const struct tep_print_arg *arg, int depth);

static const struct {
	const char *text;
	enum op_kind op;
} operators[] = {
	{ "!", OP_NOT },  { "~", OP_INVERT }, { "||", OP_OR }, { "|", OP_BITOR },
	{ "&&", OP_AND }, { "&", OP_BITAND }, { "<", OP_LT },  { "<=", OP_LE },
	{ "<<", OP_SHL }, { ">", OP_GT },     { ">=", OP_GE }, { ">>", OP_SHR },
	{ "==", OP_EQ },  { "!=", OP_NE },    { "-", OP_SUB }, { "+", OP_ADD },
	{ "/", OP_DIV },  { "%", OP_MOD },    { "*", OP_MUL },
};

static void build_cast(struct node *n, const char *type);

/* array[index]; a cast in front of it gives the type of the elements: ((u8 *)array)[index]. */
static bool build_index(struct rt_tracefmt *f, struct node *n, const struct tep_print_arg *arg,
			int depth)
{
	const struct tep_print_arg *array = arg->op.left;
	const char *type = NULL;
	struct tep_format_field *field;
	struct node *element = n;
	char *name;

	for (; array && array->type == TEP_PRINT_TYPE; array = array->typecast.item)
		if (!type)
			type = array->typecast.type;
	if (!array || array->type != TEP_PRINT_FIELD)
		return false;
	field = find_field(f, array->field.name);
	if (!usable(field) || !field->elementsize)
		return false;
	if (type) {
		size_t len = strlen(type);

		if (len < 3 || strcmp(type + len - 2, " *"))
			return false;
		name = own(f, len);
		element = own(f, sizeof(*element));
		if (!name || !element)
			return false;
		memcpy(name, type, len - 2);
		n->kind = NODE_CAST;
		build_cast(n, name);
		n->left = element;
	}
	element->kind = NODE_INDEX;
	element->offset = (unsigned int)field->offset;
	element->size = field->elementsize;
	element->left = build_number(f, arg->op.right, depth);
	if (!element->left)
		return false;
	/* args[0]: compute the constant address only once. */
	if (element->left->kind == NODE_CONST && element->left->value < RAW_MAX) {
		element->kind = NODE_FIELD;
		element->offset += (unsigned int)element->left->value * element->size;
	}
	return true;
}

static bool build_op(struct rt_tracefmt *f, struct node *n, const struct tep_print_arg *arg,
		     int depth)
{
	const char *op = arg->op.op;
	size_t i;

	if (!strcmp(op, "["))
		return build_index(f, n, arg, depth);
	if (!strcmp(op, "?")) {
		if (!arg->op.right || arg->op.right->type != TEP_PRINT_OP)
			return false;
		n->kind = NODE_CHOOSE;
		n->left = build_number(f, arg->op.left, depth);
		n->right = build_number(f, arg->op.right->op.left, depth);
		n->other = build_number(f, arg->op.right->op.right, depth);
		return n->left && n->right && n->other;
	}
	n->kind = NODE_OP;
	for (i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (!strcmp(op, operators[i].text))
			break;
	if (i == sizeof(operators) / sizeof(*operators))
		return false;
	n->op = operators[i].op;
	/* Unary operators have a null left side, which counts as 0. */
	n->left = build_number(f, arg->op.left, depth);
	n->right = build_number(f, arg->op.right, depth);
	return n->left && n->right;
}

/*
 * The casts that libtraceevent knows cut the value and never extend its sign; it ignores all
 * others.
 */
static void build_cast(struct node *n, const char *type)
{
	static const struct {
		const char *name;
		unsigned int size;
	} types[] = {
		{ "u8", 1 },  { "u16", 2 },  { "u32", 4 },   { "s8", 1 },  { "s16", 2 },
		{ "s32", 4 }, { "char", 1 }, { "short", 2 }, { "int", 4 },
	};
	size_t i;

	if (!strncmp(type, "unsigned ", 9))
		type += 9;
	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(type, types[i].name))
			n->size = types[i].size;
}

static struct node *build_number(struct rt_tracefmt *f, const struct tep_print_arg *arg, int depth)
{
	struct node *n = arg && depth < DEPTH_MAX ? own(f, sizeof(*n)) : NULL;
	const struct tep_format_field *field;

	if (!n)
		return NULL;
	depth++;
	switch (arg->type) {
	case TEP_PRINT_NULL:
		n->kind = NODE_CONST;
		return n;
	case TEP_PRINT_ATOM:
		n->kind = NODE_CONST;
		n->value = strtoull(arg->atom.atom, NULL, 0);
		return n;
	case TEP_PRINT_FIELD:
		field = arg->field.field ? arg->field.field : find_field(f, arg->field.name);
		if (!usable(field))
			return NULL;
		n->kind = NODE_FIELD;
		n->offset = (unsigned int)field->offset;
		n->size = (unsigned int)field->size;
		return n;
	case TEP_PRINT_TYPE:
		n->kind = NODE_CAST;
		build_cast(n, arg->typecast.type);
		n->left = build_number(f, arg->typecast.item, depth);
		return n->left ? n : NULL;
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		field = arg->dynarray.field;
		if (!usable(field) || field->size != 4)
			return NULL;
		n->kind = NODE_LENGTH;
		n->offset = (unsigned int)field->offset;
		return n;
	case TEP_PRINT_OP:
		return build_op(f, n, arg, depth) ? n : NULL;
	default:
		return NULL;
	}
}

/* ---- building strings ------------------------------------------------------ */

/* Names of kernel constants that formats leave unconverted. */
static int64_t flag_value(const char *text)
{
	static const struct {
		const char *name;
		int value;
	} known[] = {
		{ "HI_SOFTIRQ", 0 },	  { "TIMER_SOFTIRQ", 1 },     { "NET_TX_SOFTIRQ", 2 },
		{ "NET_RX_SOFTIRQ", 3 },  { "BLOCK_SOFTIRQ", 4 },     { "IRQ_POLL_SOFTIRQ", 5 },
		{ "TASKLET_SOFTIRQ", 6 }, { "SCHED_SOFTIRQ", 7 },     { "HRTIMER_SOFTIRQ", 8 },
		{ "RCU_SOFTIRQ", 9 },	  { "HRTIMER_NORESTART", 0 }, { "HRTIMER_RESTART", 1 },
	};
	size_t i;

	if (isdigit((unsigned char)text[0]))
		return (int64_t)strtoull(text, NULL, 0);
	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].name, text))
			return known[i].value;
	return -1;
}

static bool build_flags(struct rt_tracefmt *f, struct string *s,
			const struct tep_print_flag_sym *list)
{
	const struct tep_print_flag_sym *flag;
	unsigned int n = 0;

	for (flag = list; flag; flag = flag->next)
		n++;
	s->flags = own(f, n * sizeof(*s->flags));
	if (!s->flags)
		return false;
	for (flag = list; flag; flag = flag->next) {
		if (!flag->value || !flag->str)
			return false;
		s->flags[s->flag_count].value = flag_value(flag->value);
		s->flags[s->flag_count++].text = flag->str;
	}
	return true;
}

/* Find the bytes of __print_hex() and __print_array(). */
static bool build_bytes(struct rt_tracefmt *f, struct string *s, const struct tep_print_arg *arg)
{
	const struct tep_format_field *field;

	if (arg->type == TEP_PRINT_DYNAMIC_ARRAY) {
		field = arg->dynarray.field;
		s->dynamic = true;
		if (!usable(field) || field->size != 4)
			return false;
		s->relative = field->flags & TEP_FIELD_IS_RELATIVE;
		s->size = (unsigned int)field->size;
	} else if (arg->type == TEP_PRINT_FIELD) {
		field = arg->field.field ? arg->field.field : find_field(f, arg->field.name);
		if (!usable(field))
			return false;
	} else {
		return false;
	}
	s->offset = (unsigned int)field->offset;
	return true;
}

static struct string *build_string(struct rt_tracefmt *f, const struct tep_print_arg *arg,
				   int depth)
{
	struct string *s = arg && depth < DEPTH_MAX ? own(f, sizeof(*s)) : NULL;
	const struct tep_format_field *field;

	if (!s)
		return NULL;
	switch (arg->type) {
	case TEP_PRINT_NULL:
	case TEP_PRINT_TYPE: /* (void *)0 */
		s->kind = STRING_TEXT;
		s->text = "";
		return s;
	case TEP_PRINT_ATOM:
		s->kind = STRING_TEXT;
		s->text = arg->atom.atom;
		return s->text ? s : NULL;
	case TEP_PRINT_FIELD:
		field = arg->field.field ? arg->field.field : find_field(f, arg->field.name);
		if (!usable(field))
			return NULL;
		s->kind = STRING_FIELD;
		if (!(field->flags & TEP_FIELD_IS_ARRAY) && field->size == (int)f->long_size)
			s->kind = STRING_POINTER;
		s->offset = (unsigned int)field->offset;
		s->size = (unsigned int)field->size;
		return s;
	case TEP_PRINT_STRING:
		field = arg->string.field ? arg->string.field : find_field(f, arg->string.string);
		if (!usable(field))
			return NULL;
		s->kind = STRING_DYNAMIC;
		s->offset = (unsigned int)field->offset;
		s->size = (unsigned int)field->size;
		s->relative = field->flags & TEP_FIELD_IS_RELATIVE;
		return s;
#ifdef RT_TEP_CPUMASK
	case TEP_PRINT_CPUMASK:
		s->as_list = true;
#endif
	/* fall through */
	case TEP_PRINT_BITMASK:
		field = arg->bitmask.field ? arg->bitmask.field :
					     find_field(f, arg->bitmask.bitmask);
		if (!usable(field) || field->size != 4)
			return NULL;
		s->kind = STRING_BITMASK;
		s->offset = (unsigned int)field->offset;
		s->size = (unsigned int)field->size;
		s->relative = field->flags & TEP_FIELD_IS_RELATIVE;
		return s;
	case TEP_PRINT_FLAGS:
		s->kind = STRING_FLAGS;
		s->text = arg->flags.delim;
		s->number = build_number(f, arg->flags.field, depth);
		return s->number && build_flags(f, s, arg->flags.flags) ? s : NULL;
	case TEP_PRINT_SYMBOL:
		s->kind = STRING_SYMBOL;
		s->number = build_number(f, arg->symbol.field, depth);
		return s->number && build_flags(f, s, arg->symbol.symbols) ? s : NULL;
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		s->kind = STRING_HEX;
		s->text = arg->type == TEP_PRINT_HEX ? " " : "";
		s->count = build_number(f, arg->hex.size, depth);
		return s->count && build_bytes(f, s, arg->hex.field) ? s : NULL;
	case TEP_PRINT_INT_ARRAY:
		s->kind = STRING_NUMBERS;
		s->count = build_number(f, arg->int_array.count, depth);
		s->element = build_number(f, arg->int_array.el_size, depth);
		return s->count && s->element && build_bytes(f, s, arg->int_array.field) ? s : NULL;
	case TEP_PRINT_OP:
		if (strcmp(arg->op.op, "?") || !arg->op.right ||
		    arg->op.right->type != TEP_PRINT_OP)
			return NULL;
		s->kind = STRING_CHOOSE;
		s->number = build_number(f, arg->op.left, depth);
		s->yes = build_string(f, arg->op.right->op.left, depth + 1);
		s->no = build_string(f, arg->op.right->op.right, depth + 1);
		return s->number && s->yes && s->no ? s : NULL;
	default:
		return NULL;
	}
}

/* ---- building steps --------------------------------------------------------- */

static struct step *add_step(struct rt_tracefmt *f, enum step_kind kind)
{
	if (!RT_ARRAY_ROOM(f->steps, f->count, f->room))
		return NULL;
	memset(&f->steps[f->count], 0, sizeof(*f->steps));
	f->steps[f->count].kind = kind;
	return &f->steps[f->count++];
}

/* Take constant text up to the next conversion and resolve its escapes. */
static const char *build_text(struct rt_tracefmt *f, const char *at)
{
	struct step *s = add_step(f, STEP_TEXT);
	char *text = s ? own(f, strlen(at) + RT_BUFFER_BLOCK) : NULL;
	size_t n = 0;

	if (!text)
		return NULL;
	while (*at && (*at != '%' || at[1] == '%')) {
		if (*at == '\\' && at[1]) {
			at++;
			text[n++] = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at == 'r' ? '\r' : *at;
		} else {
			if (*at == '%')
				at++;
			text[n++] = *at;
		}
		at++;
	}
	s->text = text;
	s->len = n;
	return at;
}

/* Parse %p and what follows it. */
static const char *build_pointer(struct rt_tracefmt *f, struct step *s, const char *at,
				 const struct tep_print_arg *arg)
{
	const struct tep_format_field *field;
	unsigned int n = 0;

	if (!*at || !strchr("MmIiUh", *at)) {
		bool function = *at && strchr("FfSs", *at);

		if (!function && isalnum((unsigned char)*at))
			return NULL;
		s->kind = function ? STEP_FUNCTION : STEP_POINTER;
		s->number = build_number(f, arg, 0);
		s->with_offset = *at == 'F' || *at == 'S';
		return s->number ? at + function : NULL;
	}
	s->kind = STEP_BYTES;
	while (arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	if (arg->type == TEP_PRINT_DYNAMIC_ARRAY) {
		field = arg->dynarray.field;
		s->dynamic = true;
	} else if (arg->type == TEP_PRINT_FIELD) {
		field = arg->field.field ? arg->field.field : find_field(f, arg->field.name);
		s->dynamic = field && field->flags & TEP_FIELD_IS_DYNAMIC;
	} else {
		return NULL;
	}
	if (!usable(field) || (s->dynamic && field->size != 4))
		return NULL;
	s->offset = (unsigned int)field->offset;
	s->size = (unsigned int)field->size;
	s->relative = field->flags & TEP_FIELD_IS_RELATIVE;
	s->how[n++] = *at;
	switch (*at++) {
	case 'M':
		if (*at == 'F')
			s->how[n++] = *at++;
		break;
	case 'U':
		if (*at && strchr("bBlL", *at))
			s->how[n++] = *at++;
		break;
	case 'h':
		if (*at && strchr("CDN", *at))
			s->how[n++] = *at++;
		break;
	case 'I':
	case 'i':
		if (*at != '4' && *at != '6' && *at != 'S')
			return NULL;
		s->how[n++] = *at++;
		while (*at &&
		       strchr(s->how[1] == 'S' ? "pfsc" :
			      s->how[1] == '6' ? "c" :
						 "hnbl",
			      *at) &&
		       n < HOW_MAX - 1)
			s->how[n++] = *at++;
	}
	return at;
}

/* The bytes of a float or double, or of an element of an array of them; 0: it is neither. */
static unsigned int float_size(const struct rt_tracefmt *f, const struct tep_print_arg *arg)
{
	const struct tep_format_field *field;

	if (arg->type == TEP_PRINT_OP && !strcmp(arg->op.op, "[") && arg->op.left)
		arg = arg->op.left;
	if (arg->type != TEP_PRINT_FIELD)
		return 0;
	field = arg->field.field ? arg->field.field : find_field(f, arg->field.name);
	if (!field || !field->type)
		return 0;
	return !strncmp(field->type, "float", 5)  ? sizeof(float) :
	       !strncmp(field->type, "double", 6) ? sizeof(double) :
						    0;
}

/* Parse one conversion; NULL if it is unknown. */
static const char *build_conversion(struct rt_tracefmt *f, const char *at,
				    const struct tep_print_arg **arg)
{
	char flags[8], width[8], precision[8], conv;
	unsigned int n = 0, bytes = 4;
	bool minus = false, zero = false;
	struct node *given = NULL;
	struct step *s;

	for (at++; *at && strchr("-#0+ ", *at); at++) {
		if (n == sizeof(flags) - 1)
			return NULL;
		minus |= *at == '-';
		zero |= *at == '0';
		flags[n++] = *at;
	}
	flags[n] = 0;
	for (n = 0; isdigit((unsigned char)*at) && n < sizeof(width) - 1; at++)
		width[n++] = *at;
	width[n] = precision[0] = precision[1] = 0;
	if (*at == '*' && !n) {
		strcpy(width, "*");
		at++;
	}
	if (*at == '.') {
		precision[0] = *at++;
		for (n = 1; isdigit((unsigned char)*at) && n < sizeof(precision) - 1; at++)
			precision[n++] = *at;
		if (*at == '*' && n == 1)
			precision[n++] = *at++;
		precision[n] = 0;
	}
	if (width[0] == '*' || precision[1] == '*') {
		if ((width[0] == '*' && precision[1] == '*') || !*arg)
			return NULL;
		given = build_number(f, *arg, 0);
		if (!given)
			return NULL;
		*arg = (*arg)->next;
	}
	for (; *at == 'l' || *at == 'h' || *at == 'z' || *at == 'Z' || *at == 'L'; at++)
		bytes = *at == 'h' ? bytes / 2 : 8;
	if (!bytes || !*at || !strchr("diuxXoscp", *at) || !*arg)
		return NULL;
	conv = *at++;
	s = add_step(f, STEP_NUMBER);
	if (!s)
		return NULL;
	s->given = given;
	if (conv == 's') {
		s->kind = STEP_STRING;
		s->string = build_string(f, *arg, 0);
		if (!s->string)
			return NULL;
		snprintf(s->spec, sizeof(s->spec), "%%%s%s%ss", flags, width, precision);
		s->simple = !flags[0] && !width[0] && !precision[0];
	} else if (conv == 'p') {
		at = build_pointer(f, s, at, *arg);
		if (!at)
			return NULL;
	} else {
		s->number = build_number(f, *arg, 0);
		if (!s->number)
			return NULL;
		s->size = float_size(f, *arg);
		if (s->size)
			s->kind = STEP_FLOAT;
		snprintf(s->spec, sizeof(s->spec), conv == 'c' ? "%%%s%s%s%c" : "%%%s%s%sll%c",
			 flags, width, precision, conv);
		s->conv = conv == 'i' ? 'd' : conv;
		s->bytes = bytes;
		s->hash = strchr(flags, '#');
		s->pad = zero && !minus ? '0' : ' ';
		s->width = minus ? -atoi(width) : atoi(width);
		s->simple = !given && !precision[0] && strchr("dux", s->conv) &&
			    !strpbrk(flags, "+ ") && !(s->hash && (s->conv != 'x' || s->width));
	}
	*arg = (*arg)->next;
	return at;
}

static bool is_plain_hex(const struct rt_tracefmt *f, const struct step *s)
{
	return s->conv == 'x' && !s->hash && !s->width && s->size == 8 && s->bytes == 8 &&
	       !f->swapped;
}

/*
 * Merge each text into the step behind it; replace simple numbers by steps without an expression.
 */
static void join_steps(struct rt_tracefmt *f)
{
	unsigned int i, n = 0;

	for (i = 0; i < f->count; i++) {
		struct step *s = &f->steps[i];

		if (s->kind == STEP_NUMBER && s->simple && s->number->kind == NODE_FIELD &&
		    s->number->size && s->number->size <= 8 &&
		    !(s->number->size & (s->number->size - 1))) {
			s->offset = s->number->offset;
			s->size = s->number->size;
			s->kind = is_plain_hex(f, s) ? STEP_HEX : STEP_FIELD;
		}
		if (n && f->steps[n - 1].kind == STEP_TEXT && s->kind != STEP_TEXT) {
			s->text = f->steps[n - 1].text;
			s->len = f->steps[n - 1].len;
			n--;
		}
		f->steps[n++] = *s;
	}
	f->count = n;
}

static bool build_steps(struct rt_tracefmt *f)
{
	const struct tep_print_arg *arg = f->event->print_fmt.args;
	const char *at = f->event->print_fmt.format;

	if (!at || f->event->flags & (TEP_EVENT_FL_ISBPRINT | TEP_EVENT_FL_PRINTRAW |
				      (int)TEP_EVENT_FL_FAILED))
		return false;
	while (at && *at)
		at = *at == '%' && at[1] != '%' ? build_conversion(f, at, &arg) : build_text(f, at);
	return at;
}

struct rt_tracefmt *rt_tracefmt_new(const struct tep_event *event)
{
	struct rt_tracefmt *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->event = event;
	f->long_size = (unsigned int)tep_get_long_size(event->tep);
	f->swapped = tep_is_file_bigendian(event->tep) != tep_is_local_bigendian(event->tep);
	f->by_fields = !build_steps(f);
	if (!f->by_fields) {
		join_steps(f);
		rt_tracequick_find(f);
	}
	return f;
}

bool rt_tracefmt_is_whole(const struct rt_tracefmt *f)
{
	return !f->by_fields;
}

void rt_tracefmt_free(struct rt_tracefmt *f)
{
	struct owned *o, *next;

	if (!f)
		return;
	for (o = f->owned; o; o = next) {
		next = o->next;
		free(o);
	}
	free(f->steps);
	free(f->quick);
	free(f);
}
