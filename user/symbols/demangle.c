// SPDX-License-Identifier: GPL-2.0
/*
 * demangle.c - see demangle.h
 *
 * libiberty's cplus_demangle() handles C++ and Rust: it is the only library that leaves out the
 * parameters, as perf prints names, and it reads both manglings of Rust.  There is no library for
 * Java and OCaml; their rules are few.
 */
#include "symbols/demangle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * Distributions put libiberty's headers in different places, so declare here what we use of
 * demangle.h.
 */
#define DMGL_NO_OPTS 0
#define DMGL_PARAMS  (1 << 0)
#define DMGL_ANSI    (1 << 1)
char *cplus_demangle(const char *mangled, int options);

static bool is_ocaml(const char *name)
{
	return !strncmp(name, "caml", 4) && isupper((unsigned char)name[4]);
}

static int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* camlModule__fn_12: "__" is a dot, "$xx" a byte in hex. */
static char *demangle_ocaml(const char *name)
{
	char *out = malloc(strlen(name) + 1), *to = out;
	const char *p = name + 4;

	if (!out)
		return NULL;
	while (*p) {
		if (p[0] == '_' && p[1] == '_') {
			*to++ = '.';
			p += 2;
		} else if (p[0] == '$' && isxdigit((unsigned char)p[1]) &&
			   isxdigit((unsigned char)p[2])) {
			*to++ = hex_digit(p[1]) << 4 | hex_digit(p[2]);
			p += 3;
		} else {
			*to++ = *p++;
		}
	}
	*to = '\0';
	return out;
}

/* Room for the longest expansion of one character: 'Z' to ", boolean". */
#define JAVA_GROWTH 10

struct java {
	char *to;
	int args;
	int arrays;
};

static void java_text(struct java *j, const char *text)
{
	j->to = stpcpy(j->to, text);
}

/* Append a complete type of the argument list, with the pending brackets. */
static void java_type(struct java *j, const char *text)
{
	if (j->args++)
		java_text(j, ", ");
	java_text(j, text);
	for (; j->arrays; j->arrays--)
		java_text(j, "[]");
}

static const char *java_base_type(char c)
{
	switch (c) {
	case 'B':
		return "byte";
	case 'C':
		return "char";
	case 'D':
		return "double";
	case 'F':
		return "float";
	case 'I':
		return "int";
	case 'J':
		return "long";
	case 'S':
		return "short";
	case 'Z':
		return "boolean";
	default:
		return NULL;
	}
}

/* Parse one argument at p; return what follows it, NULL if there is none. */
static const char *java_argument(struct java *j, const char *p)
{
	while (*p == '[') {
		j->arrays++;
		p++;
	}
	if (*p == 'L') {
		/* Like perf, put no brackets after a class: they go to the next base type. */
		if (j->args++)
			java_text(j, ", ");
		for (p++; *p && *p != ';'; p++) {
			if (strchr("()[", *p))
				return NULL;
			*j->to++ = *p == '/' ? '.' : *p;
		}
		return *p ? p + 1 : NULL;
	}
	if (!java_base_type(*p))
		return NULL;
	java_type(j, java_base_type(*p));
	return p + 1;
}

/* "Lcom/acme/Cart;add(ILjava/lang/String;)V" is com.acme.Cart.add(int, java.lang.String) */
static char *demangle_java(const char *name)
{
	const char *p = name;
	struct java j = { 0 };
	char *out;

	if (*p != 'L' || !strrchr(p, ')'))
		return NULL;
	out = malloc(strlen(name) * JAVA_GROWTH + 1);
	if (!out)
		return NULL;
	j.to = out;
	for (p++; *p && *p != ';'; p++) {
		if (strchr("()[", *p))
			goto none;
		*j.to++ = *p == '/' ? '.' : *p;
	}
	if (*p++ != ';')
		goto none;
	if (isalpha((unsigned char)*p))
		*j.to++ = '.';
	for (; *p && *p != '('; p++) {
		if (strchr(";/[)", *p))
			goto none;
		*j.to++ = *p;
	}
	if (*p++ != '(')
		goto none;
	*j.to++ = '(';
	while (*p && *p != ')') {
		p = java_argument(&j, p);
		if (!p)
			goto none;
	}
	if (*p != ')')
		goto none;
	java_text(&j, ")");
	return out;
none:
	free(out);
	return NULL;
}

bool rt_demangle_wants(const char *name)
{
	if (name[0] == '_')
		return name[1] == 'Z' || name[1] == 'R' || !strncmp(name, "_GLOBAL_", 8);
	return is_ocaml(name) || (name[0] == 'L' && strchr(name, ')'));
}

char *rt_demangle(const char *name, bool params)
{
	char *text;

	if (!rt_demangle_wants(name))
		return NULL;
	text = cplus_demangle(name, params ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS);
	if (text)
		return text;
	return is_ocaml(name) ? demangle_ocaml(name) : demangle_java(name);
}
