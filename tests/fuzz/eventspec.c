// SPDX-License-Identifier: GPL-2.0
/*
 * Arbitrary text as what follows -e, as a filter, and as a format: an answer or
 * a sentence, and a program that the module would take.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int each_tracepoint(void *data, int (*each)(void *, const char *, const char *), void *arg)
{
	return each(arg, "sched", "sched_switch") ?: each(arg, "syscalls", "sys_enter_open");
}

static int find_symbol(void *data, const char *module, const char *symbol, uint64_t *start,
		       uint64_t *end)
{
	if (*symbol == 'z')
		return -ENOENT;
	*start = 0xffff800010000000;
	*end = *start + 64;
	return 0;
}

static char *find_probe(void *data, const char *group, const char *name, size_t nth)
{
	return *name == 'p' && nth < 2 ? strdup("kprobe:f a=%x0") : NULL;
}

static int find_user(void *data, const struct rt_user_query *query, struct rt_user_places *out,
		     struct rt_err *why)
{
	if (*query->path == 'z')
		return rt_err_set(why, ENOENT, "there is no such file");
	out->group = strdup("probe_file");
	out->offsets = calloc(2, sizeof(*out->offsets));
	out->count = query->symbol ? 2 : 1;
	return 0;
}

static const char format[] = "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
			     "\tfield:char c[16];\toffset:12;\tsize:16;\tsigned:0;\n"
			     "\tfield:__data_loc char[] s;\toffset:28;\tsize:4;\tsigned:0;\n"
			     "\tfield:long a[6];\toffset:32;\tsize:48;\tsigned:1;\n"
			     "\tfield:s8 n;\toffset:80;\tsize:1;\tsigned:1;\n";

static struct rt_err err;

static void must_explain(int ret)
{
	if (ret && !err.text[0])
		abort();
	err.text[0] = 0;
}

static void try_filter(const char *text, const struct rt_event_env *env,
		       const struct rt_field_list *fields, const struct rt_event_spec *spec)
{
	struct rt_program_text program;
	int ret = rt_event_filter(text, fields, spec, env, &program, &err);

	/* It was checked: a refused program would be our mistake, not the user's. */
	if (ret == -ENOEXEC)
		abort();
	must_explain(ret);
	if (!ret)
		rt_program_text_free(&program);
}

static void try_events(const char *text, const char *filter, const struct rt_event_env *env)
{
	struct rt_event_list list = { 0 };
	struct rt_field_list fields;
	char *description;
	size_t i;
	int ret = rt_event_parse(&list, text, env, &err);

	if (ret == -ENOEXEC)
		abort();
	must_explain(ret);
	if (ret && list.count)
		abort();
	for (i = 0; i < list.count; i++) {
		if (!list.specs[i].fetch.code)
			continue;
		try_filter(filter, env, &list.specs[i].fields, &list.specs[i]);
		description = rt_event_format_text(&list.specs[i], 1);
		if (rt_field_list_parse(&fields, description, &err) ||
		    fields.count != list.specs[i].fields.count)
			abort();
		rt_field_list_free(&fields);
		free(description);
	}
	rt_event_list_free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_event_env env = {
		.arch = size & 1 ? RT_ARCH_ARM64 : RT_ARCH_X86_64,
		.tracepoints = each_tracepoint,
		.symbol = find_symbol,
		.probe = find_probe,
		.user = find_user,
	};
	static struct rt_field_list known;
	struct rt_field_list fields;
	char *text = malloc(size + 2), *filter;
	int ret;

	if (!known.count && rt_field_list_parse(&known, format, &err))
		abort();
	memcpy(text, data, size);
	text[size] = text[size + 1] = 0;
	/* The second line is the filter. */
	filter = strchr(text, '\n');
	if (filter)
		*filter++ = 0;
	else
		filter = text + size;
	try_events(text, filter, &env);
	try_filter(text, &env, &known, NULL);
	ret = rt_field_list_parse(&fields, filter, &err);
	must_explain(ret);
	if (!ret)
		rt_field_list_free(&fields);
	free(text);
	return 0;
}
