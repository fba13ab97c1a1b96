// SPDX-License-Identifier: GPL-2.0
/* A typed value as values of an event: widths, signs and names come from the type. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/typed.h"

enum {
	STRUCT_DEPTH_MAX = 2, /* structs inside a struct that is recorded member by member */
	ARRAY_DEPTH_MAX = 16, /* arrays in an array */
	LABELS_MAX = 256,     /* an enum with more enumerators is a number */
};

struct writer {
	struct rt_text *out;
	struct rt_value_labels *labels;
	const char *what;
	const char *member; /* what is being written is called so where it is declared */
	struct rt_err *err;
	int depth;
};

static int write_value(struct writer *w, const struct rt_typed *value, const char *name);

static int too_deep(struct writer *w)
{
	return rt_err_set(w->err, E2BIG, "'%.80s' goes through too many pointers", w->what);
}

/* Append one value with the type TYPE. */
static int put(struct writer *w, const struct rt_typed *value, const char *name, const char *type)
{
	char text[RT_TYPED_TEXT];

	if (rt_typed_text(value, text, sizeof(text)))
		return too_deep(w);
	rt_text_printf(w->out, " %s=%s:%s", name, text, type);
	return 0;
}

/* The bits of a bitfield inside the smallest aligned number that contains them. */
static int put_bitfield(struct writer *w, const struct rt_typed *value, const char *name,
			bool is_signed)
{
	struct rt_typed from = *value;
	uint32_t size = value->in == RT_TYPED_REGISTER ? 8 : 1, shift = value->bit;
	char type[48];

	for (; size <= 8; size *= 2) {
		/* Numbers are aligned in the struct, whose own alignment is at least this. */
		uint64_t skip = from.in == RT_TYPED_REGISTER ? 0 : value->offset & (size - 1);

		shift = value->bit + 8 * skip;
		from.offset = value->offset - skip;
		if (shift + value->bits <= 8 * size)
			break;
	}
	if (size > 8)
		return rt_err_set(w->err, EINVAL,
				  "the bits of '%.80s' do not lie in one 64-bit number", w->what);
	snprintf(type, sizeof(type), "%sb%u@%u/%u", is_signed ? "s" : "", value->bits, shift,
		 8 * size);
	return put(w, &from, name, type);
}

/* Whether a member's name ends with a word. */
static bool ends_with(const char *name, const char *word)
{
	size_t size = strlen(name), length = strlen(word);

	return size >= length && !strcmp(name + size - length, word);
}

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}

/* Bits that mean something each: known by the name of the member or of the type. */
static bool is_flags(struct writer *w, const struct rt_typed *value)
{
	static const char *const types[] = {
		"gfp_t",     "fmode_t",	 "slab_flags_t",      "vm_flags_t",
		"blk_opf_t", "__poll_t", "netdev_features_t", "req_flags_t",
	};
	char declared[128];

	rt_types_declare(value->types, value->type, NULL, declared, sizeof(declared));
	return ends_with(w->member, "flags") ||
	       is_one_of(declared, types, sizeof(types) / sizeof(types[0]));
}

/* "be16" for __be16, "" for a number in the machine's own order; of the other order there is the type's name. */
static const char *big_endian(const struct rt_typed *value, rt_type_id type)
{
	static const char *const types[] = { "__be16", "__be32", "__be64" };
	char declared[128];
	size_t i;

	rt_types_declare(value->types, type, NULL, declared, sizeof(declared));
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(declared, types[i]))
			return types[i] + 2;
	return "";
}

static int put_number(struct writer *w, const struct rt_typed *value, const char *name, char letter,
		      uint64_t size)
{
	const char *big;
	char type[16];

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return rt_err_set(w->err, EINVAL,
				  "'%.80s' has %" PRIu64 " bytes; a number has 1, 2, 4 or 8",
				  w->what, size);
	if (value->bits)
		return put_bitfield(w, value, name, letter == 's');
	big = big_endian(value, value->type);
	if (*big)
		return put(w, value, name, big);
	if (is_flags(w, value))
		letter = 'x';
	snprintf(type, sizeof(type), "%c%u", letter, (unsigned int)(8 * size));
	return put(w, value, name, type);
}

static int put_float(struct writer *w, const struct rt_typed *value, const char *name,
		     uint64_t size)
{
	if (size != 4 && size != 8)
		return rt_err_set(w->err, EINVAL,
				  "'%.80s' has %" PRIu64
				  " bytes; floating-point numbers of 4 and 8 "
				  "can be recorded",
				  w->what, size);
	return put(w, value, name, size == 4 ? "f32" : "f64");
}

static int put_string(struct writer *w, const struct rt_typed *value, const char *name)
{
	struct rt_typed at = *value;

	/* The pointer is the value: the text is where it points. */
	if (rt_typed_text(value, at.base, sizeof(at.base)))
		return too_deep(w);
	at.in = RT_TYPED_MEMORY;
	at.offset = 0;
	return put(w, &at, name, "string");
}

static int put_pointer(struct writer *w, const struct rt_typed *value, const char *name,
		       const struct rt_type *type)
{
	struct rt_type target;

	if (rt_types_get(value->types, type->target, &target))
		return rt_err_set(w->err, EINVAL, "the type of '%.80s' is damaged", w->what);
	if (target.is_char)
		return put_string(w, value, name);
	return put(w, value, name, target.kind == RT_TYPE_FUNCTION ? "symbol" : "x64");
}

/* The letter of a number's type in the syntax of -e; 0: it is not a number. */
static char letter_of(const struct rt_type *type)
{
	switch (type->kind) {
	case RT_TYPE_INT:
	case RT_TYPE_ENUM:
		return type->is_signed && !type->is_bool ? 's' : 'u';
	case RT_TYPE_POINTER:
		return 'x';
	case RT_TYPE_FLOAT:
		return type->size == 4 || type->size == 8 ? 'f' : 0;
	default:
		return 0;
	}
}

/* What the elements of an array, or of the arrays in it, are; and how many there are of them. */
static int find_elements(struct writer *w, const struct rt_typed *value,
			 const struct rt_type *array, struct rt_type *element, uint64_t *count)
{
	int depth = 0;

	*count = array->count;
	if (rt_types_get(value->types, array->target, element))
		return rt_err_set(w->err, EINVAL, "the type of '%.80s' is damaged", w->what);
	while (element->kind == RT_TYPE_ARRAY) {
		/* More are too many anyway. */
		if (*count <= RT_PROGRAM_ARRAY_MAX)
			*count *= element->count;
		if (depth++ == ARRAY_DEPTH_MAX ||
		    rt_types_get(value->types, element->target, element))
			return rt_err_set(w->err, EINVAL, "the type of '%.80s' is damaged",
					  w->what);
		if (element->is_char)
			element->kind = RT_TYPE_DECLARED; /* texts: one has to be chosen */
	}
	return 0;
}

/*
 * Bytes are declared as unsigned char also where they are text: the name of the member tells.  Other bytes, such
 * as addresses of the network, are numbers.
 */
static bool is_text(struct writer *w, const struct rt_type *element)
{
	static const char *const words[] = {
		"name",	 "iname", "comm",   "str",   "string", "text",	  "label",
		"title", "path",  "serial", "model", "vendor", "version", "banner",
	};
	const char *last = strrchr(w->member, '_');

	return element->size == 1 && !element->is_signed && !element->is_bool &&
	       is_one_of(last ? last + 1 : w->member, words, sizeof(words) / sizeof(words[0]));
}

static int put_array(struct writer *w, const struct rt_typed *value, const char *name,
		     const struct rt_type *type)
{
	struct rt_type element;
	uint64_t count;
	char text[48];
	const char *big;
	int ret = find_elements(w, value, type, &element, &count);

	if (ret)
		return ret;
	if (value->in == RT_TYPED_REGISTER)
		return rt_err_set(w->err, EINVAL,
				  "'%.80s' is an array in registers; use the registers", w->what);
	if (element.kind == RT_TYPE_INT && (element.is_char || is_text(w, &element))) {
		if (!type->count)
			return put(w, value, name, "string");
		snprintf(text, sizeof(text), "string/%u", type->count);
		return put(w, value, name, text);
	}
	if (!letter_of(&element) || element.size > 8)
		return rt_err_set(w->err, EINVAL,
				  "'%.80s' is an array whose elements are not numbers; choose one: "
				  "%.80s[0]",
				  w->what, w->what);
	if (!count || count * element.size > RT_PROGRAM_ARRAY_MAX)
		return rt_err_set(w->err, E2BIG,
				  "'%.80s' has %" PRIu64
				  " elements; at most %d bytes are recorded; choose "
				  "elements: %.80s[0]",
				  w->what, count, RT_PROGRAM_ARRAY_MAX, w->what);
	big = big_endian(value, type->target);
	if (*big)
		snprintf(text, sizeof(text), "%s[%u]", big, (unsigned int)count);
	else
		snprintf(text, sizeof(text), "%c%u[%u]", letter_of(&element),
			 (unsigned int)(8 * element.size), (unsigned int)count);
	return put(w, value, name, text);
}

/* --- enums --------------------------------------------------------------------------- */

static int add_label(struct writer *w, const char *name, const struct rt_typed *value,
		     const struct rt_type *type)
{
	uint64_t mask = type->size < 8 ? (1ULL << (8 * type->size)) - 1 : ~0ULL;
	struct rt_value_label *grown;
	struct rt_enumerator e;
	struct rt_text text;
	uint32_t i;

	if (!type->count || type->count > LABELS_MAX)
		return 0;
	rt_text_init(&text);
	for (i = 0; i < type->count; i++)
		if (!rt_types_enumerator(value->types, type->id, i, &e) && e.name)
			rt_text_printf(&text, "%s{ 0x%" PRIx64 ", \"%s\" }", text.len ? ", " : "",
				       e.value & mask, e.name);
	rt_text_char(&text, 0);
	grown = realloc(w->labels->list, (w->labels->count + 1) * sizeof(*grown));
	if (grown)
		w->labels->list = grown;
	if (!grown || text.failed) {
		rt_text_free(&text);
		return rt_err_set(w->err, ENOMEM, "out of memory");
	}
	grown += w->labels->count++;
	grown->value = strdup(name);
	grown->names = strdup(text.base);
	rt_text_free(&text);
	return grown->value && grown->names ? 0 : rt_err_set(w->err, ENOMEM, "out of memory");
}

/* --- structs ------------------------------------------------------------------------- */

static int put_struct(struct writer *w, const struct rt_typed *value, const char *name,
		      const struct rt_type *type)
{
	struct rt_typed inner;
	struct rt_member member;
	char longer[128];
	uint32_t i;
	int ret = 0;

	if (w->depth == STRUCT_DEPTH_MAX)
		return 0;
	w->depth++;
	for (i = 0; !ret && i < type->count; i++) {
		if (rt_types_member(value->types, type->id, i, &member))
			return rt_err_set(w->err, EINVAL, "the type of '%.80s' is damaged",
					  w->what);
		inner = *value;
		inner.type = member.type;
		if (value->in == RT_TYPED_REGISTER)
			return rt_err_set(
				w->err, EINVAL,
				"'%.80s' is passed in registers; choose members: %.80s.%s", w->what,
				w->what, member.name ? member.name : "…");
		inner.offset += member.bit / 8;
		inner.bit = member.bit % 8;
		inner.bits = member.bits;
		if (snprintf(longer, sizeof(longer), member.name ? "%s_%s" : "%s", name,
			     member.name) >= (int)sizeof(longer))
			continue;
		w->member = member.name ? member.name : "";
		ret = write_value(w, &inner, longer);
	}
	w->depth--;
	return ret;
}

/* Inside a struct, what cannot be recorded is left out. */
static int unfit(struct writer *w, int ret)
{
	return w->depth && ret && ret != -ENOMEM ? 0 : ret;
}

static int write_value(struct writer *w, const struct rt_typed *value, const char *name)
{
	char declared[128];
	struct rt_type type;
	int ret;

	if (rt_types_get(value->types, value->type, &type))
		return rt_err_set(w->err, EINVAL, "the type of '%.80s' is damaged", w->what);
	rt_types_declare(value->types, value->type, NULL, declared, sizeof(declared));
	switch (type.kind) {
	case RT_TYPE_INT:
		if (type.is_char && !value->bits)
			return put(w, value, name, "char");
		return unfit(w, put_number(w, value, name, letter_of(&type), type.size));
	case RT_TYPE_ENUM:
		ret = put_number(w, value, name, letter_of(&type), type.size);
		return unfit(w, ret ? ret : add_label(w, name, value, &type));
	case RT_TYPE_FLOAT:
		return unfit(w, put_float(w, value, name, type.size));
	case RT_TYPE_POINTER:
		return put_pointer(w, value, name, &type);
	case RT_TYPE_ARRAY:
		return unfit(w, put_array(w, value, name, &type));
	case RT_TYPE_STRUCT:
	case RT_TYPE_UNION:
		return put_struct(w, value, name, &type);
	case RT_TYPE_VOID:
		return rt_err_set(w->err, EINVAL, "'%.80s' is void: there is no value", w->what);
	default:
		ret = rt_err_set(w->err, EINVAL,
				 "'%.80s' is %s, which cannot be recorded; use a register or "
				 "+OFFSET(…) with a type",
				 w->what, declared);
		return unfit(w, ret);
	}
}

int rt_typed_write(const struct rt_typed *value, const char *name, const char *what,
		   struct rt_text *out, struct rt_value_labels *labels, struct rt_err *err)
{
	struct writer w = { .out = out, .labels = labels, .what = what, .err = err };
	size_t before = out->len;
	int ret;

	/* The last member of a->b->c; an element of an array has no name. */
	w.member = what + strlen(what);
	while (w.member > what && (isalnum((unsigned char)w.member[-1]) || w.member[-1] == '_'))
		w.member--;
	ret = write_value(&w, value, name);

	if (!ret && out->len == before)
		return rt_err_set(err, EINVAL, "'%.80s' has no member that can be recorded", what);
	return ret;
}

int rt_typed_write_as(const struct rt_typed *value, const char *name, const char *type,
		      struct rt_text *out, struct rt_err *err)
{
	struct writer w = { .out = out, .what = name, .err = err };
	bool is_text = !strcmp(type, "string") || !strcmp(type, "ustring");
	struct rt_type known;

	/* "as a string" means the text that a pointer points to. */
	if (is_text && !rt_types_get(value->types, value->type, &known) &&
	    known.kind == RT_TYPE_POINTER) {
		struct rt_typed at = *value;

		if (rt_typed_text(value, at.base, sizeof(at.base)))
			return too_deep(&w);
		at.in = RT_TYPED_MEMORY;
		at.offset = 0;
		return put(&w, &at, name, type);
	}
	return put(&w, value, name, type);
}
