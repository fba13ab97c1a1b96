// SPDX-License-Identifier: GPL-2.0
#include "record/left_out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/ringtail.h>

#include "abi/refusal.h"

enum { NAMES_MAX = 8 }; /* at most this many are listed by name */

static const struct {
	unsigned int reason;
	const char *why;
} reasons[] = {
	{ RT_REFUSED_NOT_NATIVE, "the module was built without their headers" },
	{ RT_REFUSED_NO_TRACEPOINT, "they are of modules from outside the kernel's tree" },
	{ RT_REFUSED_NOT_PROBEABLE, "the kernel forbids probes there" },
	{ RT_REFUSED_NO_SYMBOL, "the kernel does not find them by name" },
	{ RT_REFUSED_CROWDED, "too many events are at these places" },
	{ RT_REFUSED_ARMING, "the kernel refuses them" },
	{ RT_REFUSED_KIND, "the loaded module records no user probes" },
	{ RT_REFUSED_FILE, "the kernel puts no user probes into these files" },
	{ RT_REFUSED_INSTRUCTION, "the kernel puts no probe on these instructions" },
	{ RT_REFUSED_SEMAPHORE, "the kernel does not raise their semaphores" },
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

/* The index behind the last event of the glob that produced the event at FROM. */
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
				  "'%s': none of the %zu events can be recorded: %s",
				  list->specs[from].text, to - from, reasons[i].why);
	}
	return 0;
}

int rt_left_out_take(struct rt_recording *r, struct rt_err *err)
{
	const struct rt_event_spec *spec;
	struct rt_refusal why = { 0 };
	struct rt_counts counts;
	size_t i;
	int ret;

	for (i = 0; i < r->count; i++) {
		ret = rt_agent_session_counts(&r->session, i + 1, RT_COUNTS_ALL, &counts, err);
		if (ret)
			return ret;
		if (!counts.refused)
			continue;
		spec = r->events[i].spec;
		why.reason = counts.refused;
		why.detail = i + 1;
		if (!rt_left_out_may(spec, why.reason))
			return rt_err_set(err, EOPNOTSUPP, "'%s': cannot begin to record: %s",
					  spec->text, rt_refusal_text(&why, EOPNOTSUPP));
		r->list->specs[spec - r->list->specs].left_out = why.reason;
	}
	return rt_left_out_check(r->list, err);
}

/* Print the name if it is among the first; *COUNT is how many there were before it. */
static void print_name(FILE *out, const struct rt_event_spec *spec, size_t *count)
{
	if ((*count)++ < NAMES_MAX)
		fprintf(out, " %s:%s", spec->system, spec->name);
}

static void print_rest(FILE *out, size_t count)
{
	if (count > NAMES_MAX)
		fprintf(out, " and %zu more", count - NAMES_MAX);
}

static void print_names(FILE *out, const struct rt_event_list *list, size_t from, size_t to,
			size_t r)
{
	size_t count = 0;

	for (; from < to; from++)
		if (list->specs[from].left_out == reasons[r].reason)
			print_name(out, &list->specs[from], &count);
	print_rest(out, count);
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

char *rt_through_perf_line(const struct rt_recording *r)
{
	size_t i, size, count = 0;
	char *line = NULL;
	FILE *out;

	for (i = 0; i < r->count && !r->events[i].perf; i++)
		;
	out = i < r->count ? open_memstream(&line, &size) : NULL;
	if (!out)
		return NULL;
	fprintf(out, "through perf_events, because the module was built without their headers:");
	for (; i < r->count; i++)
		if (r->events[i].perf)
			print_name(out, r->events[i].spec, &count);
	print_rest(out, count);
	fprintf(out, "; until the end their modules cannot be unloaded, and hits inside a handler "
		     "of perf are missing and not counted");
	fclose(out);
	return line;
}
