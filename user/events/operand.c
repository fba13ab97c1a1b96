// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events/filter_parser.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
	const char *name;
	uint16_t context;
	uint8_t size;
	bool is_signed;
} contexts[] = {
	{ "pid", RT_CONTEXT_PID, 4, true },
	{ "tid", RT_CONTEXT_TID, 4, true },
	{ "cpu", RT_CONTEXT_CPU, 4, true },
	{ "prio", RT_CONTEXT_PRIO, 4, true },
	{ "caller", RT_CONTEXT_CALLER, 8, false },
	{ "context", RT_CONTEXT_LEVEL, 4, false },
	/* ftrace's names, for events whose own fields use the names above. */
	{ "common_pid", RT_CONTEXT_TID, 4, true },
	{ "common_cpu", RT_CONTEXT_CPU, 4, true },
	{ "common_prio", RT_CONTEXT_PRIO, 4, true },
	{ "CPU", RT_CONTEXT_CPU, 4, true },
};

bool rt_filter_word_is(const char *word, size_t size, const char *name)
{
	return strlen(name) == size && !memcmp(word, name, size);
}

const struct rt_field *rt_operand_field(const struct rt_filter_parser *p, const char *word,
					size_t size)
{
	size_t i;

	for (i = 0; i < p->fields->count; i++)
		if (rt_filter_word_is(word, size, p->fields->fields[i].name))
			return &p->fields->fields[i];
	return NULL;
}

/* List the names that a filter can use, for errors; cut the list if it is long. */
static void list_names(const struct rt_filter_parser *p, char *out, size_t size)
{
	size_t i, used = 0;

	out[0] = 0;
	for (i = 0; i < p->fields->count && used < size; i++)
		if (!p->fields->fields[i].hidden)
			used += snprintf(out + used, size - used, "%s ", p->fields->fields[i].name);
}

int rt_operand_unknown(const struct rt_filter_parser *p, const char *at, size_t size)
{
	char names[200];

	list_names(p, names, sizeof(names));
	return rt_scan_fail(
		p->scan, at,
		"'%.*s' is no field of this event; there are %sand pid tid cpu comm prio "
		"caller context",
		(int)size, at, names);
}

int rt_operand_number(struct rt_filter_parser *p, struct rt_operand *operand)
{
	const char *word = p->scan->at;
	size_t i, size = rt_scan_identifier(p->scan);
	const struct rt_field *field = rt_operand_field(p, word, size);
	uint64_t index;

	memset(operand, 0, sizeof(*operand));
	operand->index = -1;
	if (!field) {
		for (i = 0; i < COUNT(contexts); i++)
			if (rt_filter_word_is(word, size, contexts[i].name))
				break;
		if (i == COUNT(contexts))
			return -ENOENT;
		operand->from = RT_FROM_CONTEXT;
		operand->context = contexts[i].context;
		operand->size = contexts[i].size;
		operand->is_signed = contexts[i].is_signed;
		p->scan->at += size;
		return 0;
	}
	if (field->show == RT_SHOW_FLOAT)
		return rt_scan_fail(p->scan, word,
				    "'%s' is a floating-point number, which the kernel cannot "
				    "compare; leave it out of the filter",
				    field->name);
	operand->from = RT_FROM_FIELD;
	operand->field = field;
	operand->is_signed = field->is_signed;
	operand->size = field->size;
	p->scan->at += size;
	if (rt_scan_take(p->scan, '[')) {
		if (rt_scan_number(p->scan, &index))
			return -EINVAL;
		if (!rt_scan_take(p->scan, ']'))
			return rt_scan_fail(p->scan, p->scan->at, "']' is missing");
		if (!field->count || field->is_string || field->dynamic)
			return rt_scan_fail(p->scan, word, "'%s' is no array of numbers",
					    field->name);
		if (index >= field->count)
			return rt_scan_fail(p->scan, word, "'%s' has only %u elements", field->name,
					    field->count);
		operand->index = index;
		operand->size = field->size / field->count;
	} else if (field->count || field->dynamic) {
		return rt_scan_fail(p->scan, word, "'%s' is an array: choose one element, %s[N]",
				    field->name, field->name);
	}
	if (operand->size != 1 && operand->size != 2 && operand->size != 4 && operand->size != 8)
		return rt_scan_fail(p->scan, word, "'%s' is no number: it has %u bytes",
				    field->name, operand->size);
	return 0;
}
