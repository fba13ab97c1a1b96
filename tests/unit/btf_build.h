/* SPDX-License-Identifier: GPL-2.0 */
/* btf_build.h - write small BTF by hand, for tests and as seeds. */
#ifndef TESTS_BTF_BUILD_H
#define TESTS_BTF_BUILD_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct btf_build {
	uint32_t words[4096];
	size_t count;
	char strings[8192];
	uint32_t length, first; /* first: what the base's strings take */
	uint32_t types;		/* the number of the last type */
};

/* BASE: the number of the last type and the size of the strings of the kernel's part, or 0. */
static inline void btf_begin(struct btf_build *b, uint32_t base_types, uint32_t base_strings)
{
	memset(b, 0, sizeof(*b));
	b->length = 1;
	b->first = base_strings;
	b->types = base_types;
}

static inline void btf_word(struct btf_build *b, uint32_t word)
{
	b->words[b->count++] = word;
}

static inline uint32_t btf_string(struct btf_build *b, const char *text)
{
	uint32_t at = b->length;

	if (!*text)
		return 0;
	strcpy(b->strings + at, text);
	b->length += strlen(text) + 1;
	return b->first + at;
}

/* Begin a type; the caller adds its extra words.  Returns its number. */
static inline uint32_t btf_type(struct btf_build *b, const char *name, uint32_t kind,
				uint32_t count, uint32_t flag, uint32_t size)
{
	btf_word(b, btf_string(b, name));
	btf_word(b, flag << 31 | kind << 24 | count);
	btf_word(b, size);
	return ++b->types;
}

/* ENCODING: 1 signed, 4 bool. */
static inline uint32_t btf_int(struct btf_build *b, const char *name, uint32_t size,
			       uint32_t encoding)
{
	uint32_t id = btf_type(b, name, 1, 0, 0, size);

	btf_word(b, encoding << 24 | 8 * size);
	return id;
}

/* A member of a struct, a parameter (without bits), or an enumerator. */
static inline void btf_member(struct btf_build *b, const char *name, uint32_t type, uint32_t bit,
			      uint32_t bits)
{
	btf_word(b, btf_string(b, name));
	btf_word(b, type);
	btf_word(b, bits << 24 | bit);
}

static inline void btf_pair(struct btf_build *b, const char *name, uint32_t value)
{
	btf_word(b, btf_string(b, name));
	btf_word(b, value);
}

/* The whole, which the caller frees. */
static inline char *btf_end(const struct btf_build *b, size_t *size)
{
	uint32_t bytes = 4 * b->count;
	uint32_t header[6] = { 0x0001eb9f, 24, 0, bytes, bytes, b->length };
	char *data = malloc(24 + bytes + b->length);

	memcpy(data, header, 24);
	memcpy(data + 24, b->words, bytes);
	memcpy(data + 24 + bytes, b->strings, b->length);
	*size = 24 + bytes + b->length;
	return data;
}

/*
 * A kernel with
 *
 *	enum color { RED, GREEN = 5, NEVER = -1 };
 *	struct inner { char name[16]; int low:3, high:5; unsigned int odd:12; };
 *	struct outer { struct inner *next; union { long a; u16 b; }; struct inner in[4]; enum color c; };
 *	long f(struct outer *o, int n, const char *text, bool b, u16 s, unsigned long six, int seven);
 *	int twice(int), twice(long);
 *	DEFINE_PER_CPU(struct outer, cpu_var);
 */
enum {
	T_INT = 1,
	T_LONG,
	T_CHAR,
	T_BOOL,
	T_U16,
	T_ULONG,
	T_UINT,
	T_NAME,
	T_INNER,
	T_INNER_P,
	T_ANON,
	T_FOUR,
	T_COLOR,
	T_OUTER,
	T_OUTER_P,
	T_CONST_CHAR,
	T_TEXT,
};

static inline char *btf_kernel(size_t *size, uint32_t *types, uint32_t *strings)
{
	static struct btf_build b;
	uint32_t u16, proto;

	btf_begin(&b, 0, 0);
	btf_int(&b, "int", 4, 1);
	btf_int(&b, "long int", 8, 1);
	btf_int(&b, "char", 1, 0);
	btf_int(&b, "_Bool", 1, 4);
	u16 = btf_int(&b, "short unsigned int", 2, 0);
	btf_int(&b, "long unsigned int", 8, 0);
	btf_int(&b, "unsigned int", 4, 0);
	btf_type(&b, "", 3, 0, 0, 0); /* T_NAME: char[16] */
	btf_word(&b, T_CHAR);
	btf_word(&b, T_INT);
	btf_word(&b, 16);
	btf_type(&b, "inner", 4, 4, 1, 20); /* T_INNER */
	btf_member(&b, "name", T_NAME, 0, 0);
	btf_member(&b, "low", T_INT, 128, 3);
	btf_member(&b, "high", T_INT, 131, 5);
	btf_member(&b, "odd", T_UINT, 140, 12);
	btf_type(&b, "", 2, 0, 0, T_INNER);
	btf_type(&b, "", 5, 2, 0, 8); /* T_ANON */
	btf_member(&b, "a", T_LONG, 0, 0);
	btf_member(&b, "b", u16, 0, 0);
	btf_type(&b, "", 3, 0, 0, 0); /* T_FOUR */
	btf_word(&b, T_INNER);
	btf_word(&b, T_INT);
	btf_word(&b, 4);
	btf_type(&b, "color", 6, 3, 1, 4);
	btf_pair(&b, "RED", 0);
	btf_pair(&b, "GREEN", 5);
	btf_pair(&b, "NEVER", -1);
	btf_type(&b, "outer", 4, 4, 0, 104); /* T_OUTER */
	btf_member(&b, "next", T_INNER_P, 0, 0);
	btf_member(&b, "", T_ANON, 64, 0);
	btf_member(&b, "in", T_FOUR, 128, 0);
	btf_member(&b, "c", T_COLOR, 768, 0);
	btf_type(&b, "", 2, 0, 0, T_OUTER);
	btf_type(&b, "", 10, 0, 0, T_CHAR);
	btf_type(&b, "", 2, 0, 0, T_CONST_CHAR);
	proto = btf_type(&b, "", 13, 7, 0, T_LONG);
	btf_pair(&b, "o", T_OUTER_P);
	btf_pair(&b, "n", T_INT);
	btf_pair(&b, "text", T_TEXT);
	btf_pair(&b, "b", T_BOOL);
	btf_pair(&b, "s", u16);
	btf_pair(&b, "six", T_ULONG);
	btf_pair(&b, "seven", T_INT);
	btf_type(&b, "f", 12, 1, 0, proto);
	proto = btf_type(&b, "", 13, 1, 0, T_INT);
	btf_pair(&b, "i", T_INT);
	btf_type(&b, "twice", 12, 0, 0, proto);
	proto = btf_type(&b, "", 13, 1, 0, T_INT);
	btf_pair(&b, "i", T_LONG);
	btf_type(&b, "twice", 12, 0, 0, proto);
	proto = btf_type(&b, "", 13, 0, 0, 0);
	btf_type(&b, "nothing", 12, 0, 0, proto);
	btf_type(&b, "cpu_var", 14, 0, 0, T_OUTER);
	btf_word(&b, 1);
	*types = b.types;
	*strings = b.length;
	return btf_end(&b, size);
}

/* A module: struct mine { struct outer out; int m; }; int g(struct mine *m, struct outer *o); */
static inline char *btf_module(size_t *size, uint32_t types, uint32_t strings)
{
	static struct btf_build b;
	uint32_t mine, pointer, proto;

	btf_begin(&b, types, strings);
	/* The first byte of a module's strings is not shared: offset `strings` is its empty one. */
	mine = btf_type(&b, "mine", 4, 2, 0, 112);
	btf_member(&b, "out", T_OUTER, 0, 0);
	btf_member(&b, "m", T_INT, 832, 0);
	pointer = btf_type(&b, "", 2, 0, 0, mine);
	proto = btf_type(&b, "", 13, 2, 0, T_INT);
	btf_pair(&b, "m", pointer);
	btf_pair(&b, "o", T_OUTER_P);
	btf_type(&b, "g", 12, 0, 0, proto);
	return btf_end(&b, size);
}

#endif
