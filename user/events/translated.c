// SPDX-License-Identifier: GPL-2.0
/* Append events that were written with the names of variables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/parser.h"
#include "events/probe.h"

void rt_value_labels_free(struct rt_value_labels *labels)
{
	while (labels->count) {
		labels->count--;
		free(labels->list[labels->count].value);
		free(labels->list[labels->count].names);
	}
	free(labels->list);
	labels->list = NULL;
}

void rt_translation_free(struct rt_translation *translation)
{
	struct rt_translated *t;

	while (translation->count) {
		t = &translation->list[--translation->count];
		free(t->text);
		free(t->system);
		free(t->name);
		free(t->suffix);
		rt_value_labels_free(&t->labels);
	}
	free(translation->list);
	free(translation->note);
	memset(translation, 0, sizeof(*translation));
}

/* Print the field by the names of its numbers. */
static int set_names(struct rt_field *field, const char *names)
{
	free(field->names);
	field->names = strdup(names);
	if (!field->names)
		return -ENOMEM;
	field->show = RT_SHOW_NAMES;
	return 0;
}

static int label(struct rt_event_spec *spec, const struct rt_value_labels *labels)
{
	size_t i, j;

	for (i = 0; i < labels->count; i++)
		for (j = 0; j < spec->fields.count; j++)
			if (!strcmp(spec->fields.fields[j].name, labels->list[i].value) &&
			    set_names(&spec->fields.fields[j], labels->list[i].names))
				return -ENOMEM;
	return 0;
}

static int append(struct rt_event_parser *p, const struct rt_translated *t)
{
	size_t i = p->list->count, skip;
	enum rt_event_kind kind;
	int ret;

	skip = rt_probe_prefix(t->text, &kind);
	/* Without a group of its own a probe has that of the kernel's probes, or of its program. */
	p->as_system = t->system;
	p->as_name = t->name;
	ret = rt_event_parse_probe(p, t->text, skip, kind);
	p->as_system = p->as_name = NULL;
	for (; !ret && i < p->list->count; i++)
		if (label(&p->list->specs[i], &t->labels))
			ret = rt_err_set(p->err, ENOMEM, "out of memory");
	return ret;
}

/* If the kernel refuses a probe at one of several places, as in code that it forbids, the others work. */
static int mark_several(struct rt_event_parser *p, size_t from, const char *text)
{
	struct rt_event_spec *spec;
	char *whole;

	for (; from < p->list->count; from++) {
		spec = &p->list->specs[from];
		whole = strdup(text);
		if (!whole)
			return rt_err_set(p->err, ENOMEM, "out of memory");
		free(spec->text);
		spec->text = whole;
		spec->globbed = true;
	}
	return 0;
}

int rt_event_parse_translated(struct rt_event_parser *p, const char *text)
{
	struct rt_translation translation = { 0 };
	size_t i, first = p->list->count;
	int ret = -ENOENT;

	if (p->env->translate)
		ret = p->env->translate(p->env->data, text, &translation, p->err);
	p->list->copies = translation.count > 1 || translation.note;
	for (i = 0; !ret && i < translation.count; i++)
		ret = append(p, &translation.list[i]);
	p->list->copies = false;
	if (!ret && translation.count > 1)
		ret = mark_several(p, first, text);
	if (!ret) {
		ret = rt_event_note(p, translation.note);
		translation.note = NULL;
	}
	/* -ENOENT would mean that the text is something else. */
	if (ret == -ENOENT && translation.count)
		ret = -EINVAL;
	rt_translation_free(&translation);
	return ret;
}
