// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../module/glob.h"
#include "base/file.h"
#include "events/tracepoint.h"

#define LIST_MAX (16 << 20)

static const char *const lists[] = {
	"/sys/kernel/tracing/available_events",
	"/sys/kernel/debug/tracing/available_events",
};

int rt_tracepoint_local(void *data, int (*each)(void *arg, const char *system, const char *name),
			void *arg)
{
	char *text = NULL, *line, *next, *colon;
	int ret = -ENOENT;
	size_t i, size;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]) && ret; i++)
		ret = rt_file_read(lists[i], LIST_MAX, &text, &size);
	if (ret)
		return ret;
	for (line = text; *line && !ret; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		colon = strchr(line, ':');
		if (!colon)
			continue;
		*colon = 0;
		ret = each(arg, line, colon + 1);
	}
	free(text);
	return ret;
}

bool rt_tracepoint_is_glob(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

struct search {
	const char *system, *name;
	int (*found)(void *arg, const char *system, const char *name);
	void *arg;
	int count;
};

static bool matches(const char *pattern, const char *text)
{
	return rt_glob_match(pattern, strlen(pattern), text, strlen(text));
}

static int look(void *arg, const char *system, const char *name)
{
	struct search *search = arg;
	int ret;

	if (!matches(search->system, system) || !matches(search->name, name))
		return 0;
	ret = search->found(search->arg, system, name);
	if (ret < 0)
		return ret;
	search->count++;
	return 0;
}

int rt_tracepoint_match(const struct rt_event_env *env, const char *system, const char *name,
			int (*found)(void *arg, const char *system, const char *name), void *arg)
{
	struct search search = { system, name, found, arg, 0 };
	int ret = env->tracepoints(env->data, look, &search);

	return ret < 0 ? ret : search.count;
}
