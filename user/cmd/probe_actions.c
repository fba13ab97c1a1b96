// SPDX-License-Identifier: GPL-2.0
/* Keep, remove and list definitions. */
#include "cmd/probe_actions.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cmd/go_return.h"
#include "cmd/probe_context.h"
#include "host/tracefs.h"
#include "probe/definition.h"
#include "probe/store.h"
#include "probe/translate.h"
#include "record/kernel_env.h"

int rt_probe_words_add(struct rt_probe_words *words, const char *word)
{
	char **list = realloc(words->list, (words->count + 1) * sizeof(*list));

	if (!list)
		return -ENOMEM;
	words->list = list;
	list[words->count] = strdup(word);
	return list[words->count++] ? 0 : -ENOMEM;
}

void rt_probe_words_free(struct rt_probe_words *words)
{
	while (words->count)
		free(words->list[--words->count]);
	free(words->list);
	words->list = NULL;
}

static const char *source_dir;

void rt_probe_context_source(const char *dir)
{
	source_dir = dir;
}

int rt_probe_context_begin(struct rt_probe_context *c, const char *module, const char *kernel,
			   struct rt_err *err)
{
	memset(c, 0, sizeof(*c));
	c->module = module;
	c->kernel = kernel;
	if (kernel ? rt_kernel_env_other(&c->env, kernel) : rt_kernel_env(&c->env))
		return rt_err_set(err, ENOMEM, "out of memory");
	c->sources = rt_probe_sources_new(&c->env, kernel);
	if (c->sources) {
		rt_probe_sources_set_dir(c->sources, source_dir);
		c->elf_open = kernel && !rt_elf_open(&c->elf, kernel);
		return 0;
	}
	rt_kernel_env_free(&c->env);
	return rt_err_set(err, ENOMEM, "out of memory");
}

void rt_probe_context_end(struct rt_probe_context *c)
{
	if (c->elf_open)
		rt_elf_close(&c->elf);
	rt_probe_sources_free(c->sources);
	rt_kernel_env_free(&c->env);
}

int rt_probe_compile(struct rt_probe_context *c, const char *text,
		     struct rt_translation *translation, struct rt_event_list *events,
		     struct rt_err *err)
{
	char *full = rt_probe_def_in_module(text, c->module);
	size_t i;
	int ret;

	if (!full)
		return rt_err_set(err, ENOMEM, "out of memory");
	ret = rt_probe_translate(c->sources, full, translation, err);
	events->copies = translation->count > 1 || translation->note;
	for (i = 0; !ret && i < translation->count; i++)
		ret = rt_event_parse(events, translation->list[i].text, &c->env, err);
	/* The command keeps no definition that record refuses. */
	if (!ret)
		ret = rt_go_return_check(events, c->env.arch, "", err);
	if (!ret && translation->note)
		rt_warning("probe: %s", translation->note);
	for (i = 0; !ret && i < events->note_count; i++)
		rt_warning("probe: %s", events->notes[i]);
	free(full);
	return ret;
}

/* --- kept definitions -------------------------------------------------------------------- */

static int add_one(struct rt_probe_context *c, struct rt_store *store, const char *text,
		   struct rt_err *err)
{
	struct rt_translation translation = { 0 };
	struct rt_event_list events = { 0 };
	const struct rt_translated *t;
	const char *group;
	char *name = NULL, *full = rt_probe_def_in_module(text, c->module);
	int ret = full ? rt_probe_compile(c, text, &translation, &events, err) :
			 rt_err_set(err, ENOMEM, "out of memory");

	if (!ret) {
		t = &translation.list[0];
		group = t->system ? t->system : events.specs[0].system;
		/* A name that the user chose stays. */
		name = t->name ? strdup(t->name) :
				 rt_store_free_name(store, group, events.specs[0].name, full);
		ret = name ? rt_store_add(store, group, name, events.specs[0].module, full, err) :
			     rt_err_set(err, ENOMEM, "out of memory");
		if (!ret)
			printf("%s:%s  %s\n", group, name, full);
	}
	free(name);
	free(full);
	rt_event_list_free(&events);
	rt_translation_free(&translation);
	return ret;
}

int rt_probe_do_add(const struct rt_probe_words *definitions, const char *module,
		    struct rt_err *err)
{
	struct rt_store store;
	struct rt_probe_context c;
	size_t i;
	int ret = rt_probe_context_begin(&c, module, NULL, err);

	if (ret)
		return ret;
	ret = rt_store_open(&store, NULL, true, err);
	if (!ret) {
		for (i = 0; !ret && i < definitions->count; i++)
			ret = add_one(&c, &store, definitions->list[i], err);
		if (!ret)
			ret = rt_store_save(&store, err);
		rt_store_close(&store);
	}
	rt_probe_context_end(&c);
	return ret;
}

static bool matches(const struct rt_stored *stored, const char *glob)
{
	char *full;
	bool is;

	if (!strchr(glob, ':'))
		return !fnmatch(glob, stored->name, 0);
	if (asprintf(&full, "%s:%s", stored->group, stored->name) < 0)
		return false;
	is = !fnmatch(glob, full, 0);
	free(full);
	return is;
}

int rt_probe_do_del(const struct rt_probe_words *globs, struct rt_err *err)
{
	struct rt_store store;
	size_t i, j, before;
	int ret = rt_store_open(&store, NULL, true, err);

	if (ret)
		return ret;
	for (i = 0; !ret && i < globs->count; i++) {
		before = store.count;
		for (j = store.count; j--;)
			if (matches(&store.list[j], globs->list[i])) {
				printf("removed %s:%s\n", store.list[j].group, store.list[j].name);
				rt_store_remove(&store, j);
			}
		if (store.count == before)
			ret = rt_err_set(
				err, ENOENT,
				"no definition matches '%.80s'; 'ringtail probe -l' lists "
				"them, those of tracefs are removed with 'perf probe --del'",
				globs->list[i]);
	}
	if (!ret)
		ret = rt_store_save(&store, err);
	rt_store_close(&store);
	return ret;
}

static void list_tracefs(const char *file)
{
	char *text, *line, *rest;

	if (rt_tracefs_read(NULL, file, &text, NULL))
		return;
	rest = text;
	while ((line = strsep(&rest, "\n")))
		if (*line)
			printf("%s  (of tracefs)\n", line);
	free(text);
}

int rt_probe_do_list(struct rt_err *err)
{
	struct rt_store store;
	struct rt_err why;
	size_t i;
	int ret = rt_store_open(&store, NULL, false, err);

	if (ret)
		return ret;
	for (i = 0; i < store.count; i++) {
		const struct rt_stored *s = &store.list[i];
		bool stale = rt_stored_stale(s, NULL, &why);

		printf("%s:%s  %s%s%s%s\n", s->group, s->name, s->definition,
		       stale ? "  (stale: " : "", stale ? why.text : "", stale ? ")" : "");
	}
	rt_store_close(&store);
	list_tracefs("kprobe_events");
	list_tracefs("uprobe_events");
	return 0;
}
