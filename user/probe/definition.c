// SPDX-License-Identifier: GPL-2.0
#include "probe/definition.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/scan.h"

#define POINTS                                                                        \
	"FUNCTION, FUNCTION%%return, FUNCTION+0xOFFSET, FUNCTION:LINE, FILE.c:LINE, " \
	"MODULE:FUNCTION or 0xADDRESS"

static bool ends_with(const char *text, size_t size, const char *end)
{
	size_t length = strlen(end);

	return size > length && !memcmp(text + size - length, end, length);
}

static bool is_source(const char *text, size_t size)
{
	static const char *const ends[] = { ".c",   ".h",   ".S",  ".cc", ".cpp",
					    ".cxx", ".hpp", ".hh", ".rs", ".go" };
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends_with(text, size, ends[i]))
			return true;
	return false;
}

/* The bytes before one of "+%;", a blank or a ':' that is not a part of "::". */
static size_t until_point_ends(const struct rt_scan *scan)
{
	size_t size = strcspn(scan->at, ":+%; \t\n");

	while (!strncmp(scan->at + size, "::", 2))
		size += 2 + strcspn(scan->at + size + 2, ":+%; \t\n");
	return size;
}

/* The bytes of a function's name, which may have namespaces and template arguments. */
static size_t function_size(struct rt_scan *scan)
{
	const char *begin = scan->at;
	size_t size, part;
	int depth;

	for (;;) {
		scan->at += *scan->at == '~';
		part = rt_scan_symbol(scan);
		scan->at += part;
		if (part && *scan->at == '<')
			for (depth = 0; scan->at < scan->end && !strchr(" \t\n", *scan->at);) {
				depth += (*scan->at == '<') - (*scan->at == '>');
				scan->at++;
				if (!depth)
					break;
			}
		if (!part || scan->at + 2 >= scan->end || strncmp(scan->at, "::", 2))
			break;
		scan->at += 2;
	}
	size = part ? scan->at - begin : 0;
	scan->at = begin;
	return size;
}

/* The same in a program, where names of Go also have the package's path and the receiver: a/b.(*T).f. */
static size_t program_function_size(struct rt_scan *scan)
{
	size_t size = function_size(scan);

	while (size && strchr("(*)/[-", scan->at[size]) && scan->at[size])
		size += 1 + strcspn(scan->at + size + 1, "(*)/[-:+%;@= \t\n");
	return size;
}

/* The size of [GROUP:]NAME before a '='; 0 if the definition has none. */
static size_t name_size(const struct rt_scan *scan)
{
	size_t size = rt_scan_until(scan, "="), i;

	if (scan->at + size == scan->end || scan->at[size] != '=')
		return 0;
	for (i = 0; i < size; i++)
		if (!isalnum((unsigned char)scan->at[i]) && !strchr("_:", scan->at[i]))
			return 0;
	return size;
}

static int parse_name(struct rt_scan *scan, struct rt_probe_def *def)
{
	const char *begin = scan->at;
	size_t size = name_size(scan), group;

	if (!size)
		return 0;
	group = rt_scan_until(scan, ":");
	if (group < size) {
		if (!group || rt_scan_identifier(scan) != group)
			return rt_scan_fail(scan, begin, "a group is a name: GROUP:NAME=FUNCTION");
		def->group = rt_scan_string(scan, group);
		scan->at++;
		size -= group + 1;
	}
	if (!size || rt_scan_identifier(scan) != size)
		return rt_scan_fail(scan, begin,
				    "a name has letters, digits and _: [GROUP:]NAME=FUNCTION");
	def->name = rt_scan_string(scan, size);
	scan->at++;
	return def->name && (def->group || group >= size) ? 0 : rt_scan_no_memory(scan);
}

static int parse_line(struct rt_scan *scan, struct rt_probe_def *def)
{
	const char *begin = scan->at;
	uint64_t line;

	if (rt_scan_number(scan, &line))
		return -EINVAL;
	if (line > INT32_MAX)
		return rt_scan_fail(scan, begin, "no file has so many lines");
	def->line = line;
	def->has_line = true;
	return 0;
}

/* Parse MODULE:, PATH.ko: or FILE.c: before the function, or FILE.c:LINE, which is complete. */
static int parse_where(struct rt_scan *scan, struct rt_probe_def *def)
{
	size_t size = until_point_ends(scan);
	const char *begin = scan->at, *next = begin + size + 1;
	char *word;

	if (begin + size == scan->end || begin[size] != ':')
		return 0;
	/* FUNCTION:LINE */
	if (!is_source(begin, size) && isdigit((unsigned char)*next))
		return 0;
	word = rt_scan_string(scan, size);
	if (!word)
		return rt_scan_no_memory(scan);
	scan->at++;
	if (is_source(word, size))
		def->file = word;
	else
		def->module = word;
	if (!*word)
		return rt_scan_fail(scan, begin, "a module or a file is missing before the ':'");
	if (def->file && isdigit((unsigned char)rt_scan_peek(scan)))
		return parse_line(scan, def);
	/* MODULE:FILE.c:… */
	return def->file || !is_source(scan->at, until_point_ends(scan)) ? 0 :
									   parse_where(scan, def);
}

/* What may follow the function: %return, +OFFSET, :LINE, ;PATTERN, @FILE. */
static int parse_within(struct rt_scan *scan, struct rt_probe_def *def)
{
	const char *begin = scan->at;

	if (rt_scan_word(scan, "%return")) {
		def->returns = true;
	} else if (rt_scan_take(scan, '+')) {
		def->has_offset = true;
		if (rt_scan_number(scan, &def->offset))
			return -EINVAL;
		if (rt_scan_word(scan, "%return"))
			return rt_scan_fail(scan, begin,
					    "a function returns as a whole: leave +0x%llx out",
					    (unsigned long long)def->offset);
	} else if (rt_scan_take(scan, ':')) {
		if (parse_line(scan, def))
			return -EINVAL;
		/* The line of the declaration is the entry, as for perf: macros put more on one line. */
		def->has_line = def->line != 0;
	} else if (rt_scan_take(scan, ';')) {
		def->pattern = rt_scan_string(scan, rt_scan_until(scan, ""));
		if (!def->pattern)
			return rt_scan_no_memory(scan);
		if (!*def->pattern)
			return rt_scan_fail(scan, begin,
					    "a pattern of source text is missing: "
					    "FUNCTION;PATTERN");
	}
	if (rt_scan_take(scan, '@') && !def->file) {
		def->file = rt_scan_string(scan, rt_scan_until(scan, ""));
		if (!def->file)
			return rt_scan_no_memory(scan);
	}
	return 0;
}

static int parse_point(struct rt_scan *scan, struct rt_probe_def *def)
{
	const char *begin = scan->at;
	size_t size;
	int ret;

	if (isdigit((unsigned char)rt_scan_peek(scan))) {
		ret = rt_scan_number(scan, &def->address);
		return ret ? ret : parse_within(scan, def);
	}
	ret = parse_where(scan, def);
	if (ret || def->has_line)
		return ret;
	size = def->module && strchr(def->module, '/') ? program_function_size(scan) :
							 function_size(scan);
	if (!size)
		return rt_scan_fail(scan, begin, "a place is expected here: " POINTS);
	def->function = rt_scan_string(scan, size);
	return def->function ? parse_within(scan, def) : rt_scan_no_memory(scan);
}

/* The ':' that begins a type: the last one, unless a symbol of a module follows '@'. */
static char *type_of(char *what)
{
	char *colon = strrchr(what, ':');

	if (!colon || strchr(colon, ')') || strchr(colon, '>') || strchr(colon, '.'))
		return NULL;
	return colon;
}

static int add_value(struct rt_scan *scan, struct rt_probe_def *def)
{
	struct rt_probe_value *values, *value;
	size_t size = rt_scan_until(scan, ""), name = rt_scan_identifier(scan);
	char *colon;

	values = realloc(def->values, (def->count + 1) * sizeof(*values));
	if (!values)
		return rt_scan_no_memory(scan);
	def->values = values;
	value = memset(&values[def->count++], 0, sizeof(*values));
	value->text = strndup(scan->at, size);
	if (name && name < size && scan->at[name] == '=') {
		value->name = rt_scan_string(scan, name);
		scan->at++;
		size -= name + 1;
	} else {
		name = 0;
	}
	if (!size)
		return rt_scan_fail(scan, scan->at, "a value is missing after '='");
	value->what = rt_scan_string(scan, size);
	if (!value->text || !value->what || (name && !value->name))
		return rt_scan_no_memory(scan);
	colon = type_of(value->what);
	if (colon) {
		value->type = strdup(colon + 1);
		*colon = 0;
		if (!value->type)
			return rt_scan_no_memory(scan);
	}
	return 0;
}

int rt_probe_def_parse(struct rt_probe_def *out, const char *text, struct rt_err *err)
{
	struct rt_scan scan;
	int ret;

	memset(out, 0, sizeof(*out));
	out->text = strdup(text);
	if (!out->text)
		return rt_err_set(err, ENOMEM, "out of memory");
	rt_scan_begin(&scan, out->text, err);
	rt_scan_blanks(&scan);
	ret = parse_name(&scan, out);
	if (!ret)
		ret = parse_point(&scan, out);
	if (!ret && rt_scan_peek(&scan) == '=')
		ret = rt_scan_fail(
			&scan, scan.at,
			"a definition has one name before one '=': [GROUP:]NAME=FUNCTION; names of "
			"values follow after a blank: NAME=FUNCTION x=VALUE");
	else if (!ret && rt_scan_until(&scan, ""))
		ret = rt_scan_fail(&scan, scan.at, "'%.*s' is not understood; a place is " POINTS,
				   (int)rt_scan_until(&scan, ""), scan.at);
	while (!ret) {
		rt_scan_blanks(&scan);
		if (scan.at == scan.end)
			break;
		ret = add_value(&scan, out);
	}
	return ret;
}

bool rt_probe_is_module(const char *path)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path, *ko;

	ko = strstr(base, ".ko");
	return ko && (!ko[3] || ko[3] == '.');
}

char *rt_probe_def_in_module(const char *text, const char *module)
{
	struct rt_probe_def def;
	struct rt_err ignored;
	const char *point = text;
	char *full = NULL;
	bool has;

	if (!module)
		return strdup(text);
	/* Lines of -L are more than a point: what follows it does not matter here. */
	rt_probe_def_parse(&def, text, &ignored);
	has = def.module;
	if (def.name)
		point = strchr(text, '=') + 1;
	rt_probe_def_free(&def);
	if (has)
		return strdup(text);
	if (asprintf(&full, "%.*s%s:%s", (int)(point - text), text, module, point) < 0)
		return NULL;
	return full;
}

void rt_probe_def_free(struct rt_probe_def *def)
{
	size_t i;

	for (i = 0; i < def->count; i++) {
		free(def->values[i].text);
		free(def->values[i].name);
		free(def->values[i].what);
		free(def->values[i].type);
	}
	free(def->values);
	free(def->text);
	free(def->group);
	free(def->name);
	free(def->module);
	free(def->file);
	free(def->function);
	free(def->pattern);
	memset(def, 0, sizeof(*def));
}
