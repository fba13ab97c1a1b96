// SPDX-License-Identifier: GPL-2.0
#include "record/forbidden.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "record/trial.h"

enum { EVENT_MAX = 300, NAMED_MAX = 200 };

static const char *const kinds[] = { "kprobe:", "kretprobe:", "probe:" };

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Behind the kind of a probe at AT; NULL: there is none. */
static const char *behind_kind(const char *at)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(at, kinds[i], strlen(kinds[i])))
			return at + strlen(kinds[i]);
	return NULL;
}

/* One or two names with a ':' between; their end, or NULL if it is anything else. */
static const char *end_of_function(const char *at)
{
	const char *start = at;

	if (isdigit((unsigned char)*at))
		return NULL;
	while (in_name(*at))
		at++;
	/* MODULE:FUNCTION, not FUNCTION:LINE and not FILE.c:FUNCTION. */
	if (at > start + 2 && *at == ':' && !strncmp(at - 2, ".c", 2))
		return NULL;
	if (at > start && *at == ':' && !isdigit((unsigned char)at[1]) && in_name(at[1]))
		for (at++; in_name(*at); at++)
			;
	return at > start && (!*at || strchr(" ,}%+:", *at)) ? at : NULL;
}

bool rt_forbidden_next(const char **text, char *event, size_t size)
{
	const char *at, *start, *end;

	for (at = *text; *at; at++) {
		if (at != *text && !strchr(",{ ", at[-1]))
			continue;
		start = behind_kind(at);
		end = start ? end_of_function(start) : NULL;
		if (!end || (size_t)(end - start) + strlen("kprobe:") >= size)
			continue;
		snprintf(event, size, "kprobe:%.*s", (int)(end - start), start);
		*text = end;
		return true;
	}
	*text = at;
	return false;
}

int rt_forbidden_check(const char *const *texts, size_t count, const struct rt_event_env *env,
		       struct rt_err *err)
{
	char event[EVENT_MAX], named[NAMED_MAX] = "";
	size_t i, used = 0, functions = 0, forbidden = 0;
	struct rt_trial trial;
	struct rt_err why;
	const char *at;

	for (i = 0; i < count; i++)
		for (at = texts[i]; rt_forbidden_next(&at, event, sizeof(event));)
			functions++;
	/* A single one is refused soon enough. */
	if (functions < 2)
		return 0;
	rt_trial_begin(&trial, env);
	for (i = 0; i < count && trial.open; i++) {
		for (at = texts[i]; rt_forbidden_next(&at, event, sizeof(event));) {
			if (!rt_trial_forbids(&trial, event, &why))
				continue;
			if (used < sizeof(named))
				used += (size_t)snprintf(named + used, sizeof(named) - used, "%s%s",
							 used ? ", " : "",
							 event + strlen("kprobe:"));
			forbidden++;
		}
	}
	rt_trial_end(&trial);
	return !forbidden ? 0 :
			    rt_err_set(err, EINVAL, "%s: %s; leave %s out", named, why.text,
				       forbidden > 1 ? "these functions" : "this function");
}
