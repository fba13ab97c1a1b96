// SPDX-License-Identifier: GPL-2.0
#include "record/left_out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/ringtail.h>

enum { NAMES_MAX = 8 }; /* that are told by name */

static const struct {
	unsigned int reason;
	const char *why;
} reasons[] = {
	{ RT_REFUSED_NOT_NATIVE, "the module was built without their headers" },
	{ RT_REFUSED_NO_TRACEPOINT, "they are of modules from outside the kernel's tree" },
};
enum { REASONS = sizeof(reasons) / sizeof(reasons[0]) };

bool rt_left_out_may(const struct rt_event_spec *spec, unsigned int reason)
{
	size_t i;

	for (i = 0; spec->globbed && i < REASONS; i++)
		if (reasons[i].reason == reason)
			return true;
	return false;
}

/* Where the events end that came of the same glob as the one at FROM. */
static size_t glob_end(const struct rt_event_list *list, size_t from)
{
	size_t i = from + 1;

	while (list->specs[from].globbed && i < list->count && list->specs[i].globbed &&
	       !strcmp(list->specs[i].text, list->specs[from].text))
		i++;
	return i;
}

static size_t count_left_out(const struct rt_event_list *list, size_t from, size_t to)
{
	size_t count = 0;

	for (; from < to; from++)
		count += list->specs[from].left_out != 0;
	return count;
}

int rt_left_out_check(const struct rt_event_list *list, struct rt_err *err)
{
	size_t from, to, i;

	for (from = 0; from < list->count; from = to) {
		to = glob_end(list, from);
		if (count_left_out(list, from, to) < to - from)
			continue;
		for (i = 0; i < REASONS - 1 && reasons[i].reason != list->specs[from].left_out;)
			i++;
		return rt_err_set(err, EOPNOTSUPP,
				  "'%s': none of the %zu tracepoints can be recorded: %s",
				  list->specs[from].text, to - from, reasons[i].why);
	}
	return 0;
}

static void print_names(FILE *out, const struct rt_event_list *list, size_t from, size_t to,
			size_t r)
{
	size_t count = 0;

	for (; from < to; from++) {
		if (list->specs[from].left_out != reasons[r].reason)
			continue;
		if (count++ < NAMES_MAX)
			fprintf(out, " %s:%s", list->specs[from].system, list->specs[from].name);
	}
	if (count > NAMES_MAX)
		fprintf(out, " and %zu more", count - NAMES_MAX);
	if (count)
		fprintf(out, " (%s)", reasons[r].why);
}

char *rt_left_out_line(const struct rt_event_list *list, size_t *at)
{
	size_t from = *at, to = from, size, r;
	char *line = NULL;
	FILE *out;

	for (; from < list->count; from = to) {
		to = glob_end(list, from);
		if (count_left_out(list, from, to))
			break;
	}
	*at = to;
	if (from >= list->count)
		return NULL;
	out = open_memstream(&line, &size);
	if (!out)
		return NULL;
	fprintf(out, "'%s': %zu of %zu left out:", list->specs[from].text,
		count_left_out(list, from, to), to - from);
	for (r = 0; r < REASONS; r++)
		print_names(out, list, from, to, r);
	fclose(out);
	return line;
}
