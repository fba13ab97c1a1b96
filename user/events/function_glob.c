// SPDX-License-Identifier: GPL-2.0
/* kprobe:GLOB and kretprobe:GLOB: one probe for each function of that name that ftrace knows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/parser.h"
#include "events/probe.h"
#include "events/tracepoint.h"
#include "program/glob.h"

/* What was typed: PREFIX [MODULE:]GLOB REST. */
struct search {
	struct rt_event_parser *parser;
	const char *text;
	size_t skip; /* length of the prefix */
	enum rt_event_kind kind;
	char *module; /* NULL: any */
	char *glob;
	const char *rest;
	size_t found;
	struct rt_text_set taken; /* what was parsed for each function */
};

size_t rt_function_glob(const char *text, size_t skip, enum rt_event_kind kind)
{
	size_t size = strcspn(text + skip, " \t");

	if (kind != RT_SPEC_KPROBE && kind != RT_SPEC_KRETPROBE)
		return 0;
	/* In a path these characters are a part of it. */
	if (memchr(text + skip, '/', size))
		return 0;
	return strcspn(text + skip, "*?[") < size ? size : 0;
}

static bool matches(const char *pattern, const char *text)
{
	return rt_glob_match(pattern, strlen(pattern), text, strlen(text));
}

/* Show the specs from FIRST on as what was typed, and forget the notes about single functions. */
static int adopt(struct search *s, size_t first, size_t notes)
{
	struct rt_event_list *list = s->parser->list;
	char *text;

	while (list->note_count > notes)
		free(list->notes[--list->note_count]);
	for (; first < list->count; first++) {
		text = strdup(s->text);
		if (!text)
			return rt_err_set(s->parser->err, ENOMEM, "out of memory");
		free(list->specs[first].text);
		list->specs[first].text = text;
		list->specs[first].globbed = true;
	}
	return 0;
}

static int take_function(void *arg, const char *module, const char *name)
{
	struct search *s = arg;
	size_t first = s->parser->list->count, notes = s->parser->list->note_count;
	char *text;
	int ret;

	if (!matches(s->glob, name) || (s->module && !matches(s->module, module)))
		return 0;
	if (asprintf(&text, "%.*s%s:%s%s", (int)s->skip, s->text, module, name, s->rest) < 0)
		return rt_err_set(s->parser->err, ENOMEM, "out of memory");
	/* All functions of one name are found together. */
	ret = rt_text_set_add(&s->taken, text);
	if (ret <= 0) {
		free(text);
		return ret ? rt_err_set(s->parser->err, ENOMEM, "out of memory") : 0;
	}
	s->parser->by_address = true;
	ret = rt_event_parse_probe(s->parser, text, s->skip, s->kind);
	s->parser->by_address = false;
	free(text);
	if (ret == -ENOMEM)
		return ret;
	/* What does not parse for one function does not parse for any: values, for example. */
	if (ret && !s->found)
		return ret;
	s->found += !ret;
	return adopt(s, first, notes);
}

static int split(struct search *s, struct rt_scan *scan, size_t size)
{
	const char *word = s->text + s->skip, *end = word + size, *colon, *stop;

	stop = memmem(word, size, "%return", 7);
	stop = stop ? stop : end;
	if (memchr(word, '=', size) || memchr(word, '+', size))
		return rt_scan_fail(scan, word,
				    "a glob stands for the entries of many functions: it has "
				    "neither a name nor an offset");
	colon = memrchr(word, ':', stop - word);
	s->module = colon ? strndup(word, colon - word) : NULL;
	s->glob = colon ? strndup(colon + 1, stop - colon - 1) : strndup(word, stop - word);
	s->rest = stop;
	return s->glob && (s->module || !colon) ? 0 : rt_scan_no_memory(scan);
}

int rt_function_glob_parse(struct rt_event_parser *p, const char *text, size_t skip,
			   enum rt_event_kind kind)
{
	struct search s = { .parser = p, .text = text, .skip = skip, .kind = kind };
	struct rt_scan scan;
	int ret;

	rt_scan_begin(&scan, text, p->err);
	ret = split(&s, &scan, rt_function_glob(text, skip, kind));
	if (!ret && !p->env->functions)
		ret = rt_scan_fail(&scan, text, "which functions there are is not known here");
	if (!ret) {
		ret = p->env->functions(p->env->data, take_function, &s);
		if (ret == -ENOENT || ret == -EACCES || ret == -EPERM)
			ret = rt_scan_fail(
				&scan, text,
				"a glob needs available_filter_functions of tracefs, which cannot be read "
				"(%s); is tracefs mounted, are you root? 'ringtail doctor' says",
				strerror(-ret));
		else if (!ret && !s.found)
			ret = rt_scan_fail(&scan, text,
					   "no function that can be traced matches '%s' (see "
					   "available_filter_functions in tracefs)",
					   s.glob);
	}
	free(s.module);
	free(s.glob);
	rt_text_set_free(&s.taken);
	return ret;
}
