// SPDX-License-Identifier: GPL-2.0
/* Parse the argument of `-e`: events separated by commas, and {groups} of them. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/parser.h"
#include "events/probe.h"
#include "events/scan.h"
#include "events/tracepoint.h"

void rt_event_env_local(struct rt_event_env *env)
{
	memset(env, 0, sizeof(*env));
#if defined(__x86_64__)
	env->arch = RT_ARCH_X86_64;
#else
	env->arch = RT_ARCH_ARM64;
#endif
	env->tracepoints = rt_tracepoint_local;
}

void rt_event_spec_free(struct rt_event_spec *spec)
{
	free(spec->text);
	free(spec->system);
	free(spec->name);
	free(spec->alias);
	free(spec->module);
	free(spec->file);
	free(spec->symbol);
	free(spec->path);
	rt_field_list_free(&spec->fields);
	rt_program_text_free(&spec->fetch);
}

static void cut_list(struct rt_event_list *list, size_t count)
{
	while (list->count > count)
		rt_event_spec_free(&list->specs[--list->count]);
	rt_text_set_free(&list->names);
	list->named = 0;
}

void rt_event_list_free(struct rt_event_list *list)
{
	cut_list(list, 0);
	free(list->specs);
	while (list->note_count)
		free(list->notes[--list->note_count]);
	free(list->notes);
	memset(list, 0, sizeof(*list));
}

/* Count the characters up to the comma (or, in a group, the brace) that ends the event at TEXT. */
static size_t event_size(const char *text, bool grouped)
{
	enum rt_event_kind kind;
	/* Slashes enclose terms, except in a path or a watch. */
	bool terms = !rt_probe_prefix(text, &kind) && strncmp(text, "probe:", 6), inside = false;
	size_t i;

	for (i = 0; text[i]; i++) {
		if (text[i] == '/' && terms)
			inside = !inside;
		else if (!inside && (text[i] == ',' || (grouped && text[i] == '}')))
			break;
	}
	return i;
}

static size_t trimmed(const char *text, size_t size)
{
	while (size && isspace((unsigned char)text[size - 1]))
		size--;
	return size;
}

/* Parse the event at *TEXT and step over it. */
static int fail_at(const struct rt_event_parser *p, const char *at, const char *sentence)
{
	struct rt_scan scan;

	rt_scan_begin(&scan, p->whole, p->err);
	return rt_scan_fail(&scan, at, "%s", sentence);
}

static int parse_next(struct rt_event_parser *p, const char **text, bool grouped)
{
	size_t size;
	char *event;
	int ret;

	while (isspace((unsigned char)**text))
		++*text;
	size = event_size(*text, grouped);
	if (!trimmed(*text, size))
		return fail_at(p, *text, "an event is missing here");
	event = strndup(*text, trimmed(*text, size));
	if (!event)
		return rt_err_set(p->err, ENOMEM, "out of memory");
	ret = rt_event_parse_one(p, event);
	free(event);
	*text += size;
	return ret;
}

/* Parse {EVENT,…}[:modifiers].  The modifiers apply to all events, so find them first. */
static int parse_group(struct rt_event_parser *p, const char **text)
{
	const char *begin = *text, *close = begin + 1;
	size_t size = 0;
	int ret;

	while (*close && *close != '}') {
		close += event_size(close, true);
		if (*close == ',')
			close++;
	}
	if (!*close)
		return fail_at(p, begin, "the closing '}' of this group is missing");
	p->modifiers = NULL;
	if (close[1] == ':') {
		size = strcspn(close + 2, ",");
		p->modifiers = close + 2;
		p->modifiers_size = trimmed(close + 2, size);
		size++;
	}
	p->group = ++p->list->groups;
	++*text;
	for (;;) {
		ret = parse_next(p, text, true);
		if (ret || **text != ',')
			break;
		++*text;
	}
	*text = close + 1 + size;
	p->group = 0;
	p->modifiers = NULL;
	return ret;
}

int rt_event_parse(struct rt_event_list *list, const char *text, const struct rt_event_env *env,
		   struct rt_err *err)
{
	struct rt_event_parser p = { .list = list, .env = env, .err = err, .whole = text };
	size_t before = list->count, notes = list->note_count;
	int groups = list->groups, ret;

	for (;;) {
		while (isspace((unsigned char)*text))
			text++;
		ret = *text == '{' ? parse_group(&p, &text) : parse_next(&p, &text, false);
		while (!ret && isspace((unsigned char)*text))
			text++;
		if (!ret && *text && *text != ',')
			ret = rt_err_set(err, EINVAL, "',' is expected where '%.20s' begins", text);
		if (ret || !*text)
			break;
		text++;
	}
	if (ret) {
		cut_list(list, before);
		while (list->note_count > notes)
			free(list->notes[--list->note_count]);
		list->groups = groups;
	}
	return ret;
}
