// SPDX-License-Identifier: GPL-2.0
#include "events/marker.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_MAX = 64 };

/* One operand as it is written in assembly; AT ends at a blank. */
struct operand {
	const char *at, *end;
	char *value; /* VALUE_MAX bytes */
};

static bool take(struct operand *o, char c)
{
	while (o->at < o->end && *o->at == ' ')
		o->at++;
	if (o->at == o->end || *o->at != c)
		return false;
	o->at++;
	return true;
}

static bool take_number(struct operand *o, long long *n)
{
	char *end;

	while (o->at < o->end && (*o->at == ' ' || *o->at == '#'))
		o->at++;
	if (o->at == o->end || !(isdigit((unsigned char)*o->at) || *o->at == '-'))
		return false;
	*n = strtoll(o->at, &end, 0);
	if (end == o->at || end > o->end)
		return false;
	o->at = end;
	return true;
}

static size_t take_word(struct operand *o, char *word, size_t room)
{
	size_t n = 0;

	while (o->at < o->end && isalnum((unsigned char)*o->at) && n + 1 < room)
		word[n++] = *o->at++;
	word[n] = 0;
	return n;
}

static void immediate(struct operand *o, long long n)
{
	snprintf(o->value, VALUE_MAX, "\\%lld", n);
}

static void memory(struct operand *o, long long offset, const char *reg)
{
	snprintf(o->value, VALUE_MAX, "%+lld(%%%s)", offset, reg);
}

/* --- x86_64: %eax, $5, 8(%rbp) ------------------------------------------------------- */

/* The name of the whole register of which this is a part; false if there is none. */
static bool x86_register(const char *name, char *whole)
{
	static const char *const words[] = { "ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "ip" };
	size_t i;

	if (name[0] == 'r' && isdigit((unsigned char)name[1])) {
		i = strspn(name + 1, "0123456789");
		snprintf(whole, 8, "r%.*s", (int)i, name + 1);
		return true;
	}
	if ((name[0] == 'r' || name[0] == 'e') && name[1])
		name++;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		/* al is the first byte of ax, sil that of si; ah is not a beginning. */
		if (!strncmp(name, words[i], 2) ||
		    (words[i][1] == 'x' && name[0] == words[i][0] && !strcmp(name + 1, "l"))) {
			strcpy(whole, words[i]);
			return true;
		}
	}
	return false;
}

static bool x86_name(struct operand *o, char *whole)
{
	char name[8];

	return take(o, '%') && take_word(o, name, sizeof(name)) && x86_register(name, whole);
}

static bool x86_operand(struct operand *o)
{
	long long n = 0;
	char reg[8];

	if (take(o, '$')) {
		if (!take_number(o, &n))
			return false;
		immediate(o, n);
		return true;
	}
	if (o->at < o->end && *o->at == '%') {
		if (!x86_name(o, reg))
			return false;
		snprintf(o->value, VALUE_MAX, "%%%s", reg);
		return true;
	}
	take_number(o, &n);
	if (!take(o, '(') || !x86_name(o, reg) || !take(o, ')'))
		return false;
	memory(o, n, reg);
	return true;
}

/* --- arm64: x0, w1, 5, [sp, 8] ------------------------------------------------------- */

static bool arm64_operand(struct operand *o)
{
	long long n = 0;
	char name[8];

	if (take(o, '[')) {
		if (!take_word(o, name, sizeof(name)) || (name[0] != 'x' && strcmp(name, "sp")))
			return false;
		if (take(o, ',') && !take_number(o, &n))
			return false;
		if (!take(o, ']'))
			return false;
		memory(o, n, name);
		return true;
	}
	if (take_number(o, &n)) {
		immediate(o, n);
		return true;
	}
	if (!take_word(o, name, sizeof(name)))
		return false;
	if (!strcmp(name, "xzr") || !strcmp(name, "wzr"))
		immediate(o, 0);
	else if (name[0] == 'x' || name[0] == 'w' || !strcmp(name, "sp"))
		snprintf(o->value, VALUE_MAX, "%%%s", name);
	else
		return false;
	return true;
}

/* --- the list -------------------------------------------------------------------- */

/* Where the argument at ARGS ends: at a blank outside brackets. */
static const char *end_of(const char *args)
{
	int depth = 0;

	for (; *args && (*args != ' ' || depth); args++) {
		depth += *args == '[' || *args == '(';
		depth -= *args == ']' || *args == ')';
	}
	return args;
}

/* SIZE@OPERAND, where a negative size is signed. */
static bool convert(const char *at, const char *end, enum rt_arch arch, char *value,
		    const char **type)
{
	static const char *const types[][2] = {
		[1] = { "u8", "s8" },
		[2] = { "u16", "s16" },
		[4] = { "u32", "s32" },
		[8] = { "u64", "s64" },
	};
	struct operand o = { .value = value, .end = end };
	bool negative = *at == '-';
	unsigned int size;

	at += negative;
	if (end - at < 3 || at[1] != '@')
		return false;
	size = at[0] - '0';
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return false;
	*type = types[size][negative];
	o.at = at + 2;
	return (arch == RT_ARCH_X86_64 ? x86_operand(&o) : arm64_operand(&o)) && o.at == end;
}

char *rt_marker_values(const char *args, enum rt_arch arch)
{
	char *text = NULL, value[VALUE_MAX];
	const char *end, *type;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int n;

	if (!out)
		return NULL;
	for (n = 1;; n++, args = end) {
		args += strspn(args, " ");
		if (!*args)
			break;
		end = end_of(args);
		if (convert(args, end, arch, value, &type))
			fprintf(out, " arg%d=%s:%s", n, value, type);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
