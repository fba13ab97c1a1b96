// SPDX-License-Identifier: GPL-2.0
/* Events by the names that perf gives them, without a path: probe_libc:malloc, sdt_libc:setjmp. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/parser.h"
#include "events/probe.h"
#include "events/tracepoint.h"

static int find(struct rt_event_parser *p, const char *before, const char *name, char **path)
{
	char *whole;
	int ret;

	if (asprintf(&whole, "%s%s", before, name) < 0)
		return rt_err_set(p->err, ENOMEM, "out of memory");
	ret = p->env->installed(p->env->data, whole, path, p->err);
	free(whole);
	return ret;
}

static int parse(struct rt_event_parser *p, const char *text)
{
	enum rt_event_kind kind;
	size_t skip = rt_probe_prefix(text, &kind);
	char *note;

	if (asprintf(&note, "'%s' is used", text) < 0)
		return rt_err_set(p->err, ENOMEM, "out of memory");
	return rt_event_note(p, note) ? -ENOMEM : rt_event_parse_probe(p, text, skip, kind);
}

#define RETURN "__return" /* perf adds it to the name of a return probe */

static bool is_return(const char *name)
{
	size_t size = strlen(name);

	return size > strlen(RETURN) && !strcmp(name + size - strlen(RETURN), RETURN);
}

static int take_any(void *arg, const char *system, const char *name)
{
	return 0;
}

/* sdt_PROVIDER:* are the markers that others have defined in tracefs, if there are any. */
static bool is_defined(const struct rt_event_parser *p, const char *system, const char *name)
{
	return p->env->tracepoints && rt_tracepoint_match(p->env, system, name, take_any, NULL) > 0;
}

int rt_installed_parse(struct rt_event_parser *p, const char *system, const char *name)
{
	const char *provider = !strncmp(system, "sdt_", 4) ? system + 4 : "";
	const char *file = !strncmp(system, "probe_", 6) ? system + 6 : provider;
	char *path = NULL, *text;
	int ret;

	if (!*file || !p->env->installed || rt_tracepoint_is_glob(system) ||
	    (rt_tracepoint_is_glob(name) && (!*provider || is_defined(p, system, name))))
		return -ENOENT;
	ret = find(p, "", file, &path);
	if (ret == -ENOENT && *provider)
		ret = find(p, "lib", file, &path);
	if (ret)
		return ret;
	if (*provider)
		ret = asprintf(&text, "usdt:%s:%s:%s", path, provider, name);
	else if (is_return(name))
		ret = asprintf(&text, "uretprobe:%s:%.*s", path,
			       (int)(strlen(name) - strlen(RETURN)), name);
	else
		ret = asprintf(&text, "uprobe:%s:%s", path, name);
	free(path);
	if (ret < 0)
		return rt_err_set(p->err, ENOMEM, "out of memory");
	ret = parse(p, text);
	free(text);
	return ret;
}
