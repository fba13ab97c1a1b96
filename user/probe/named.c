// SPDX-License-Identifier: GPL-2.0
#include "probe/named.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/store.h"
#include "probe/translate.h"

static bool is_identifier(const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	return size && !isdigit((unsigned char)*text);
}

/* Errors of a translation are never "not ours". */
static int ours(int ret)
{
	return ret == -ENOENT ? -EINVAL : ret;
}

/* Translate a kept definition under its name. */
static int translate_stored(struct rt_probe_sources *s, const struct rt_host *host,
			    const struct rt_stored *stored, struct rt_translation *out,
			    struct rt_err *err)
{
	size_t i = out->count;
	char *name;
	struct rt_err why;
	int ret;

	if (rt_stored_stale(stored, host, &why))
		return rt_err_set(err, ESTALE,
				  "%s:%s was defined for another kernel: %s; add it again with "
				  "'ringtail probe --add', or remove it with --del",
				  stored->group, stored->name, why.text);
	ret = rt_probe_translate(s, stored->definition, out, err);
	for (; !ret && i < out->count; i++) {
		if (asprintf(&name, "%s%s%s", stored->name, out->list[i].suffix ? "_" : "",
			     out->list[i].suffix ? out->list[i].suffix : "") < 0)
			name = NULL;
		free(out->list[i].system);
		free(out->list[i].name);
		out->list[i].system = strdup(stored->group);
		out->list[i].name = name;
		if (!out->list[i].system || !out->list[i].name)
			ret = rt_err_set(err, ENOMEM, "out of memory");
	}
	return ours(ret);
}

static int find_stored(struct rt_probe_sources *s, const struct rt_host *host, const char *text,
		       struct rt_translation *out, struct rt_err *err)
{
	const struct rt_stored *stored;
	struct rt_store store;
	int ret = -ENOENT;

	if (rt_store_open(&store, host, false, err))
		return -ENOENT;
	stored = rt_store_find(&store, text);
	if (stored)
		ret = translate_stored(s, host, stored, out, err);
	rt_store_close(&store);
	return ret;
}

int rt_probe_named(struct rt_probe_sources *s, const struct rt_host *host, const char *text,
		   struct rt_translation *out, struct rt_err *err)
{
	const struct rt_event_env *env = rt_probe_sources_env(s);
	const char *colon = strchr(text, ':'), *name = colon ? colon + 1 : NULL;
	char *defined;
	bool plain;
	int ret;

	if (!name || !is_identifier(text, colon - text))
		return -ENOENT;
	plain = is_identifier(name, strlen(name));
	if (plain) {
		ret = find_stored(s, host, text, out, err);
		if (ret != -ENOENT)
			return ret;
	}
	if (strncmp(text, "probe:", 6))
		return -ENOENT;
	/* Others define probes in this group, too. */
	if (plain && env->probe) {
		defined = env->probe(env->data, "probe", name, 0);
		free(defined);
		if (defined)
			return -ENOENT;
	}
	/* A glob is one of defined probes, unless values follow it or a path begins it. */
	if (strpbrk(name, "*?") && !strpbrk(name, " \t/"))
		return -ENOENT;
	return ours(rt_probe_translate(s, name, out, err));
}
