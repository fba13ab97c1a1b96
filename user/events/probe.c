// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/layout.h"
#include "events/probe.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
	const char *prefix;
	enum rt_event_kind kind;
} prefixes[] = {
	{ "kprobe:", RT_SPEC_KPROBE }, { "kretprobe:", RT_SPEC_KRETPROBE },
	{ "uprobe:", RT_SPEC_UPROBE }, { "uretprobe:", RT_SPEC_URETPROBE },
	{ "usdt:", RT_SPEC_USDT },     { "mem:", RT_SPEC_WATCH },
};

size_t rt_probe_prefix(const char *text, enum rt_event_kind *kind)
{
	size_t i;

	for (i = 0; i < COUNT(prefixes); i++) {
		if (strncmp(text, prefixes[i].prefix, strlen(prefixes[i].prefix)))
			continue;
		*kind = prefixes[i].kind;
		return strlen(prefixes[i].prefix);
	}
	return 0;
}

/* Use the kernel's own field names, so that existing readers know them. */
static const struct rt_layout_given entry_given[] = {
	{ "__probe_ip", RT_CONTEXT_IP, 8, true },
};
static const struct rt_layout_given return_given[] = {
	{ "__probe_func", RT_CONTEXT_IP, 8, true },
	{ "__probe_ret_ip", RT_CONTEXT_CALLER, 8, true },
};

/* Parse name= before the probe point. */
static int parse_name(struct rt_scan *scan, struct rt_event_spec *spec)
{
	size_t size = rt_scan_identifier(scan);

	if (!size || scan->at + size == scan->end || scan->at[size] != '=')
		return 0;
	spec->name = rt_scan_string(scan, size);
	scan->at++;
	return spec->name ? 0 : rt_scan_no_memory(scan);
}

/* The size of a path that ends at the last ':' of the word; 0 if there is none. */
static size_t path_size(const struct rt_scan *scan)
{
	size_t i = rt_scan_until(scan, "");

	while (i && scan->at[i - 1] != ':')
		i--;
	return i ? i - 1 : 0;
}

static bool is_file(const struct rt_scan *scan)
{
	static const char *const begins[] = { "/", "./", "../" };
	size_t i;

	for (i = 0; i < COUNT(begins); i++)
		if ((size_t)(scan->end - scan->at) >= strlen(begins[i]) &&
		    !memcmp(scan->at, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Parse a module given by its file. */
static int parse_module_file(struct rt_scan *scan, const struct rt_event_env *env,
			     struct rt_event_spec *spec)
{
	const char *begin = scan->at;
	size_t size = path_size(scan);
	struct rt_err err;
	char *path;

	if (!env->module_file)
		return rt_scan_fail(scan, begin,
				    "files are not looked into here; write the module's name");
	if (!size)
		return rt_scan_fail(scan, begin,
				    "a function is expected after the file: "
				    "/path/to/module.ko:SYMBOL[+off]");
	path = rt_scan_string(scan, size);
	if (!path)
		return rt_scan_no_memory(scan);
	scan->at++;
	spec->module = env->module_file(env->data, path, &err);
	free(path);
	return spec->module ? 0 : rt_scan_fail(scan, begin, "%s", err.text);
}

/* The size of a source file's name before a ':'; 0 if there is none. */
static size_t source_size(const struct rt_scan *scan)
{
	static const char *const ends[] = { ".c", ".S", ".h", ".rs" };
	size_t size = rt_scan_until(scan, ":"), length, i;

	if (scan->at + size == scan->end || scan->at[size] != ':')
		return 0;
	for (i = 0; i < COUNT(ends); i++) {
		length = strlen(ends[i]);
		if (size > length && !memcmp(scan->at + size - length, ends[i], length))
			return size;
	}
	return 0;
}

static int parse_source(struct rt_scan *scan, struct rt_event_spec *spec, size_t size)
{
	spec->file = rt_scan_string(scan, size);
	scan->at++;
	return spec->file ? 0 : rt_scan_no_memory(scan);
}

/* The size of a module's name that has a '-', before its ':'; 0 if there is none. */
static size_t dashed_size(const struct rt_scan *scan)
{
	size_t size = rt_scan_until(scan, ":"), i;
	bool dashed = false;

	if (scan->at + size == scan->end || scan->at[size] != ':')
		return 0;
	for (i = 0; i < size; i++) {
		dashed |= scan->at[i] == '-';
		if (!isalnum((unsigned char)scan->at[i]) && !strchr("_-", scan->at[i]))
			return 0;
	}
	return dashed ? size : 0;
}

/* A module's file may have '-' in its name; the kernel calls the module by '_' there, as modprobe knows. */
static int parse_dashed(struct rt_scan *scan, struct rt_event_spec *spec, size_t size)
{
	char *c;

	spec->module = rt_scan_string(scan, size);
	if (!spec->module)
		return rt_scan_no_memory(scan);
	scan->at++;
	for (c = spec->module; *c; c++)
		if (*c == '-')
			*c = '_';
	return 0;
}

static int no_function(struct rt_scan *scan, const struct rt_event_spec *spec)
{
	if (isdigit((unsigned char)rt_scan_peek(scan)))
		return rt_scan_fail(
			scan, scan->at,
			"a kprobe takes MODULE:FUNCTION or FUNCTION+OFFSET; for line %.*s "
			"of a function write probe:%s:%.*s, which needs debug information",
			(int)rt_scan_until(scan, ""), scan->at, spec->module,
			(int)rt_scan_until(scan, ""), scan->at);
	return rt_scan_fail(scan, scan->at, "a function of module '%s' is expected", spec->module);
}

static int parse_point(struct rt_scan *scan, const struct rt_event_env *env,
		       struct rt_event_spec *spec)
{
	const char *begin = scan->at;
	size_t size;

	if (source_size(scan)) {
		if (parse_source(scan, spec, source_size(scan)))
			return -ENOMEM;
	} else if (is_file(scan) && parse_module_file(scan, env, spec)) {
		return -EINVAL;
	} else if (!spec->module && dashed_size(scan) &&
		   parse_dashed(scan, spec, dashed_size(scan))) {
		return -ENOMEM;
	}
	size = rt_scan_symbol(scan);
	if (!spec->module && !spec->file && isdigit((unsigned char)rt_scan_peek(scan)))
		return rt_scan_number(scan, &spec->address);
	if (!size)
		return rt_scan_fail(
			scan, spec->module ? scan->at : begin,
			"a function is expected here: SYMBOL[+off], MODULE:SYMBOL[+off], "
			"FILE.c:SYMBOL[+off] or 0xADDRESS");
	spec->symbol = rt_scan_string(scan, size);
	if (!spec->symbol)
		return rt_scan_no_memory(scan);
	if (!spec->module && !spec->file && rt_scan_take(scan, ':')) {
		spec->module = spec->symbol;
		spec->symbol = NULL;
		size = rt_scan_symbol(scan);
		if (!size)
			return no_function(scan, spec);
		spec->symbol = rt_scan_string(scan, size);
		if (!spec->symbol)
			return rt_scan_no_memory(scan);
	}
	if (rt_scan_take(scan, '+') && rt_scan_number(scan, &spec->offset))
		return -EINVAL;
	return 0;
}

/* Make the name that perf would use: tcp_sendmsg, tcp_sendmsg__return, abs_ffff800010000000. */
static int make_name(struct rt_event_spec *spec)
{
	bool returns = rt_event_returns(spec);
	char *c, *to;
	int ret;

	if (spec->name)
		return 0;
	if (spec->symbol)
		ret = asprintf(&spec->name, "%s%s", spec->symbol, returns ? "__return" : "");
	else
		ret = asprintf(&spec->name, "abs_%llx%s", (unsigned long long)spec->address,
			       returns ? "__return" : "");
	if (ret < 0) {
		spec->name = NULL;
		return -ENOMEM;
	}
	for (c = to = spec->name; *c; c++)
		if (isalnum((unsigned char)*c) || *c == '_')
			*to++ = *c;
		else if (!strchr("(*)", *c)) /* main.(*T).f of Go */
			*to++ = '_';
	*to = 0;
	return 0;
}

static int check_names(struct rt_scan *scan, const struct rt_arg *args, size_t count,
		       const char *at)
{
	size_t i;

	for (i = 0; i + 1 < count; i++)
		if (!strcmp(args[i].name, args[count - 1].name))
			return rt_scan_fail(scan, at, "there are two values called '%s'",
					    args[i].name);
	return 0;
}

static int parse_args(struct rt_scan *scan, const struct rt_event_env *env,
		      struct rt_event_spec *spec, struct rt_arg *args, size_t *count)
{
	const char *begin;
	int ret;

	for (;;) {
		rt_scan_blanks(scan);
		if (scan->at == scan->end)
			return 0;
		begin = scan->at;
		if (*count == RT_PROBE_ARGS_MAX)
			return rt_scan_fail(scan, begin, "a probe records at most %d values",
					    RT_PROBE_ARGS_MAX);
		ret = rt_arg_parse(scan, env, spec->kind, *count + 1, &args[*count]);
		if (ret)
			return ret;
		++*count;
		ret = check_names(scan, args, *count, begin);
		if (ret)
			return ret;
	}
}

int rt_probe_parse(struct rt_scan *scan, const struct rt_event_env *env, struct rt_event_spec *spec)
{
	bool returns;
	struct rt_arg *args;
	size_t i, count = 0;
	int ret;

	ret = parse_name(scan, spec);
	if (!ret)
		ret = rt_event_is_user(spec) ? rt_uprobe_parse(scan, spec) :
					       parse_point(scan, env, spec);
	if (ret)
		return ret;
	if (rt_scan_word(scan, "%return"))
		spec->kind = rt_event_is_user(spec) ? RT_SPEC_URETPROBE : RT_SPEC_KRETPROBE;
	returns = rt_event_returns(spec);
	if (rt_scan_peek(scan) == '=')
		return rt_scan_fail(
			scan, scan->at,
			"a probe has one name before one '=': kprobe:NAME=FUNCTION; names of "
			"values follow after a blank: x=VALUE");
	if (rt_scan_until(scan, ""))
		return rt_scan_fail(scan, scan->at,
				    "'%.*s' is not understood; after the function come +off, then "
				    "values after a blank",
				    (int)rt_scan_until(scan, ""), scan->at);
	if (returns && spec->offset)
		return rt_scan_fail(scan, scan->text,
				    "a function returns as a whole: leave +0x%llx out",
				    (unsigned long long)spec->offset);
	spec->system = strdup("probe");
	if (!spec->system || make_name(spec))
		return rt_scan_no_memory(scan);

	args = calloc(RT_PROBE_ARGS_MAX, sizeof(*args));
	if (!args)
		return rt_scan_no_memory(scan);
	ret = parse_args(scan, env, spec, args, &count);
	if (!ret && returns)
		ret = rt_layout_make(spec, return_given, COUNT(return_given), args, count,
				     scan->err);
	else if (!ret)
		ret = rt_layout_make(spec, entry_given, COUNT(entry_given), args, count, scan->err);
	for (i = 0; i < count; i++)
		rt_arg_free(&args[i]);
	free(args);
	return ret;
}
