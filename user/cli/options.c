// SPDX-License-Identifier: GPL-2.0
#include "cli/options.h"

#include "base/nearest.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELP_COLUMN 30 /* where the explanations begin */
#define HELP_WIDTH  92

struct parser {
	const struct rt_option *options;
	const struct rt_usage *usage;
	int argc, at;
	char **argv;
	struct rt_err *err;
};

static bool has_value(const struct rt_option *o)
{
	return o->kind == RT_OPT_STRING || o->kind == RT_OPT_INT || o->kind == RT_OPT_UINT ||
	       o->kind == RT_OPT_TAKE;
}

/* Count columns, not bytes: help texts contain dashes and dots outside ASCII. */
static int columns(const char *text, size_t len)
{
	int n = 0;

	while (len--)
		n += (*text++ & 0xc0) != 0x80;
	return n;
}

static void new_line(int *column)
{
	printf("\n%*s", HELP_COLUMN, "");
	*column = HELP_COLUMN;
}

static void print_wrapped(const char *text)
{
	int column = HELP_COLUMN, width;
	size_t len;

	for (; *text; text += len) {
		len = strcspn(text, " \n");
		width = columns(text, len);
		if (column > HELP_COLUMN) {
			if (column + 1 + width > HELP_WIDTH)
				new_line(&column);
			else
				column += printf(" ");
		}
		printf("%.*s", (int)len, text);
		column += width;
		if (text[len] == '\n')
			new_line(&column);
		if (text[len])
			len++;
	}
	putchar('\n');
}

static void print_option(const struct rt_option *o)
{
	char left[128];
	int width;

	snprintf(left, sizeof(left), "  %c%c%s--%s%s%s%s", o->letter ? '-' : ' ',
		 o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
		 o->kind == RT_OPT_MAYBE ? "[=" :
		 o->arg			 ? " " :
					   "",
		 o->arg ? o->arg : "", o->kind == RT_OPT_MAYBE ? "]" : "");
	width = columns(left, strlen(left));
	if (width >= HELP_COLUMN)
		printf("%s\n%*s", left, HELP_COLUMN, "");
	else
		printf("%s%*s", left, HELP_COLUMN - width, "");
	print_wrapped(o->help);
}

static void print_help(const struct parser *p)
{
	const struct rt_option *o = p->options;

	printf("usage: ringtail %s %s\n\n%s\n", p->usage->command, p->usage->line, p->usage->about);
	if (o->kind != RT_OPT_GROUP)
		putchar('\n');
	for (; o->kind != RT_OPT_END; o++) {
		if (o->kind == RT_OPT_GROUP)
			printf("\n%s:\n", o->help);
		else if (o->help)
			print_option(o);
	}
	printf("\n  -h, --help%*sshow this help\n", HELP_COLUMN - 12, "");
	if (p->usage->more)
		printf("\n%s\n", p->usage->more);
}

/* Whether WORD of LEN characters is in the blank-separated LIST. */
static bool is_listed(const char *list, const char *word, size_t len)
{
	size_t size;

	for (; *list; list += size + strspn(list + size, " ")) {
		size = strcspn(list, " ");
		if (size == len && !strncmp(list, word, len))
			return true;
	}
	return false;
}

/* Why ringtail lacks this option of perf, by its name or its letter; NULL: perf has no such option. */
static const struct rt_perf_lacks *lacks(const struct parser *p, const char *name, size_t len,
					 char letter)
{
	const struct rt_perf_lacks *l = p->usage->perf_lacks;

	for (; l && l->names; l++)
		if (name ? is_listed(l->names, name, len) : strchr(l->letters, letter) != NULL)
			return l;
	return NULL;
}

static int unknown_long(struct parser *p, const char *name, size_t len)
{
	char asked[RT_NEAREST_LEN + 1], text[256];
	const struct rt_perf_lacks *lack;
	const struct rt_option *o;
	struct rt_nearest near;
	const char *bare = name;
	size_t bare_len = len;

	snprintf(asked, sizeof(asked), "%.*s", (int)len, name);
	if (len > 3 && !strncmp(name, "no-", 3)) {
		bare += 3;
		bare_len -= 3;
	}
	lack = lacks(p, name, len, 0);
	if (!lack)
		lack = lacks(p, bare, bare_len, 0);
	if (lack)
		return rt_err_set(p->err, EINVAL,
				  "perf %s has '--%s'; ringtail does not, because %s",
				  p->usage->command, asked, lack->because);
	rt_nearest_begin(&near, asked);
	for (o = p->options; o->kind != RT_OPT_END; o++)
		if (o->name)
			rt_nearest_offer(&near, o->name);
	if (near.count) {
		/* Suggest only one, with its dashes. */
		snprintf(text, sizeof(text), "%s", near.name[0]);
		return rt_err_set(p->err, EINVAL, "there is no option '--%s'; did you mean '--%s'?",
				  asked, text);
	}
	return rt_err_set(p->err, EINVAL,
			  "there is no option '--%s'; 'ringtail %s --help' lists them", asked,
			  p->usage->command);
}

static int take_number(const struct rt_option *o, const char *value, struct rt_err *err)
{
	char *end;
	long long v;

	errno = 0;
	v = strtoll(value, &end, 0);
	if (errno || end == value || *end)
		return rt_err_set(err, EINVAL, "'--%s' wants a number, not '%s'", o->name, value);
	if (o->kind == RT_OPT_UINT) {
		if (v < 0 || v > UINT_MAX)
			return rt_err_set(err, EINVAL, "'--%s %s' is not between 0 and %u", o->name,
					  value, UINT_MAX);
		*(unsigned int *)o->value = (unsigned int)v;
		return 0;
	}
	if (v < INT_MIN || v > INT_MAX)
		return rt_err_set(err, EINVAL, "'--%s %s' is not between %d and %d", o->name, value,
				  INT_MIN, INT_MAX);
	*(int *)o->value = (int)v;
	return 0;
}

static int apply(struct parser *p, const struct rt_option *o, const char *value, bool off)
{
	if (o->present)
		*o->present = true;
	switch (o->kind) {
	case RT_OPT_SWITCH:
		*(bool *)o->value = !off;
		return 0;
	case RT_OPT_COUNT:
		if (off)
			*(int *)o->value = 0;
		else
			++*(int *)o->value;
		return 0;
	case RT_OPT_STRING:
		*(const char **)o->value = off ? NULL : value;
		return 0;
	case RT_OPT_INT:
	case RT_OPT_UINT:
		return take_number(o, value, p->err);
	default:
		return o->take(o, value, off, p->err);
	}
}

static int missing_value(struct parser *p, const struct rt_option *o)
{
	return rt_err_set(p->err, EINVAL, "'--%s' wants a value: --%s %s", o->name, o->name,
			  o->arg);
}

/* Whether a word that stands where a value should is an option as it is in the table. */
static bool is_option(const struct parser *p, const char *word)
{
	size_t len = strcspn(word, "=");
	const struct rt_option *o;

	if (word[0] != '-' || !word[1])
		return false;
	for (o = p->options; o->kind != RT_OPT_END; o++)
		if (word[1] == '-' ? o->name && strlen(o->name) == len - 2 && len > 2 &&
					     !strncmp(o->name, word + 2, len - 2) :
				     !word[2] && o->letter == word[1])
			return true;
	return false;
}

/* Take the next word as the value of an option; NULL: there is none. */
static const char *next_value(struct parser *p, const struct rt_option *o)
{
	if (p->at + 1 >= p->argc) {
		missing_value(p, o);
		return NULL;
	}
	if (is_option(p, p->argv[p->at + 1])) {
		rt_err_set(p->err, EINVAL,
			   "'--%s' wants a value: --%s %s; '%s' is an option (as a value: --%s=%s)",
			   o->name, o->name, o->arg, p->argv[p->at + 1], o->name,
			   p->argv[p->at + 1]);
		return NULL;
	}
	return p->argv[++p->at];
}

/* Find the option whose name is, or uniquely begins with, the first `len` characters of `name`. */
static int find_long(struct parser *p, const char *name, size_t len, const struct rt_option **found,
		     bool *off)
{
	const struct rt_option *o, *near = NULL, *other = NULL;
	bool near_off = false;

	for (o = p->options; o->kind != RT_OPT_END; o++) {
		bool negated = false;
		const char *n = name;
		size_t l = len;

		if (!o->name)
			continue;
again:
		if (!strncmp(o->name, n, l)) {
			if (!o->name[l]) {
				*found = o;
				*off = negated;
				return 0;
			}
			if (near && near != o)
				other = o;
			else if (!near) {
				near = o;
				near_off = negated;
			}
		}
		if (!negated && l > 3 && !strncmp(n, "no-", 3) &&
		    (o->kind == RT_OPT_SWITCH || o->kind == RT_OPT_COUNT ||
		     o->kind == RT_OPT_TAKE0)) {
			negated = true;
			n += 3;
			l -= 3;
			goto again;
		}
	}
	if (other)
		return rt_err_set(p->err, EINVAL,
				  "'--%.*s' could be '--%s' or '--%s'; write more of it", (int)len,
				  name, near->name, other->name);
	if (!near)
		return unknown_long(p, name, len);
	*found = near;
	*off = near_off;
	return 0;
}

static int parse_long(struct parser *p, const char *word)
{
	size_t len = strcspn(word, "=");
	const char *value = word[len] ? word + len + 1 : NULL;
	const struct rt_option *o = NULL;
	bool off = false;
	int ret;

	if (!strcmp(word, "help")) {
		print_help(p);
		return RT_OPTIONS_HELP;
	}
	ret = find_long(p, word, len, &o, &off);
	if (ret)
		return ret;
	if (has_value(o)) {
		if (!value)
			value = next_value(p, o);
		if (!value)
			return -EINVAL;
	} else if (value && o->kind != RT_OPT_MAYBE) {
		return rt_err_set(p->err, EINVAL, "'--%s' takes no value; leave out '=%s'", o->name,
				  value);
	}
	return apply(p, o, value, off);
}

static int parse_letters(struct parser *p, const char *letters)
{
	const struct rt_perf_lacks *lack;
	const struct rt_option *o;
	int ret;

	for (; *letters; letters++) {
		for (o = p->options; o->kind != RT_OPT_END; o++)
			if (o->letter && o->letter == *letters)
				break;
		if (o->kind == RT_OPT_END) {
			if (*letters == 'h') {
				print_help(p);
				return RT_OPTIONS_HELP;
			}
			lack = lacks(p, NULL, 0, *letters);
			if (lack)
				return rt_err_set(
					p->err, EINVAL,
					"perf %s has '-%c'; ringtail does not, because %s",
					p->usage->command, *letters, lack->because);
			return rt_err_set(
				p->err, EINVAL,
				"there is no option '-%c'; 'ringtail %s --help' lists them",
				*letters, p->usage->command);
		}
		if (has_value(o)) {
			const char *value = letters[1] ? letters + 1 : NULL;

			if (!value)
				value = next_value(p, o);
			if (!value)
				return -EINVAL;
			return apply(p, o, value, false);
		}
		if (o->kind == RT_OPT_MAYBE)
			return apply(p, o, letters[1] ? letters + 1 : NULL, false);
		ret = apply(p, o, NULL, false);
		if (ret)
			return ret;
	}
	return 0;
}

int rt_options_parse(const struct rt_option *options, const struct rt_usage *usage, int argc,
		     char **argv, unsigned int flags, struct rt_err *err)
{
	struct parser p = {
		.options = options, .usage = usage, .argc = argc, .argv = argv, .err = err
	};
	int words = 0, ret;

	for (p.at = 1; p.at < argc; p.at++) {
		char *word = argv[p.at];

		if (word[0] != '-' || !word[1]) {
			if (flags & RT_OPTIONS_STOP_EARLY)
				break;
			argv[words++] = word;
			continue;
		}
		if (!strcmp(word, "--")) {
			p.at++;
			break;
		}
		ret = word[1] == '-' ? parse_long(&p, word + 2) : parse_letters(&p, word + 1);
		if (ret)
			return ret;
	}
	for (; p.at < argc; p.at++)
		argv[words++] = argv[p.at];
	return words;
}
