// SPDX-License-Identifier: GPL-2.0
/* Names of events: each probe of a list has its own. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/parser.h"

static int add_name(struct rt_event_list *list, const char *system, const char *name)
{
	char *both;
	int ret;

	if (asprintf(&both, "%s:%s", system, name) < 0)
		return -ENOMEM;
	ret = rt_text_set_add(&list->names, both);
	free(both);
	return ret;
}

/* Bring list->names up to date; it is emptied when the list is cut. */
static int add_names(struct rt_event_list *list)
{
	const struct rt_event_spec *spec;
	int ret = 0;

	for (; ret >= 0 && list->named < list->count; list->named++) {
		spec = &list->specs[list->named];
		if (spec->system)
			ret = add_name(list, spec->system, spec->name);
	}
	return ret < 0 ? ret : 0;
}

int rt_event_make_name(const struct rt_event_parser *p, struct rt_event_spec *spec)
{
	struct rt_event_list *list = p->list;
	int n, base, ret;
	char *name;

	if (p->as_system) {
		free(spec->system);
		spec->system = strdup(p->as_system);
		if (!spec->system)
			return -ENOMEM;
	}
	if (p->as_name) {
		free(spec->name);
		spec->name = strdup(p->as_name);
		if (!spec->name)
			return -ENOMEM;
	}
	if (!spec->system || spec->kind == RT_SPEC_TRACEPOINT)
		return 0;
	base = strlen(spec->name);
	ret = add_names(list);
	/* The set then has the name of the spec that is about to be appended. */
	for (n = 1; !ret && !(ret = add_name(list, spec->system, spec->name)); n++) {
		if (asprintf(&name, "%.*s_%d", base, spec->name, n) < 0)
			return -ENOMEM;
		free(spec->name);
		spec->name = name;
	}
	return ret < 0 ? ret : 0;
}
