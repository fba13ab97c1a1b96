// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/glob.h"
#include "events/counter.h"
#include "events/parser.h"
#include "events/pmu.h"
#include "events/tracepoint.h"
#include "host/tracefs.h"

int rt_tracepoint_local(void *data, int (*each)(void *arg, const char *system, const char *name),
			void *arg)
{
	return rt_tracefs_events(NULL, each, arg);
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

bool rt_tracepoint_matches(const char *pattern, const char *text)
{
	return rt_glob_match(pattern, strlen(pattern), text, strlen(text));
}

static int look(void *arg, const char *system, const char *name)
{
	struct search *search = arg;
	int ret;

	if (!rt_tracepoint_matches(search->system, system) ||
	    !rt_tracepoint_matches(search->name, name))
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

struct suggestion {
	struct rt_nearest near;
	bool whole; /* match the system as well */
};

static int offer(void *arg, const char *system, const char *name)
{
	struct suggestion *s = arg;
	char both[2 * RT_NEAREST_LEN + 2];

	if (snprintf(both, sizeof(both), "%s:%s", system, name) > RT_NEAREST_LEN)
		return 0;
	if (s->whole) {
		rt_nearest_offer(&s->near, both);
	} else if (!strcmp(name, s->near.asked) && s->near.count < RT_NEAREST_MAX) {
		memcpy(s->near.name[s->near.count], both, strlen(both) + 1);
		s->near.distance[s->near.count++] = 0;
	}
	return 0;
}

const char *rt_tracepoint_suggest(const struct rt_event_env *env, const char *text, char *out,
				  size_t size)
{
	static const char *const kinds[] = { "kprobe:", "kretprobe:", "mem:" };
	const char *colon = strchr(text, ':');
	struct suggestion s = { .whole = colon };
	char kind[RT_NEAREST_LEN + 1];
	size_t i;

	rt_nearest_begin(&s.near, text);
	if (env->tracepoints)
		env->tracepoints(env->data, offer, &s);
	if (!colon) {
		rt_counter_offer(&s.near);
		rt_pmu_offer(env, &s.near);
	}
	if (colon && !s.near.count && colon - text < RT_NEAREST_LEN) {
		snprintf(kind, sizeof(kind), "%.*s", (int)(colon - text) + 1, text);
		rt_nearest_begin(&s.near, kind);
		for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			rt_nearest_offer(&s.near, kinds[i]);
	}
	return rt_nearest_text(&s.near, out, size);
}

int rt_later_parse(struct rt_event_parser *p, struct rt_scan *scan, struct rt_event_spec *spec)
{
	int ret;

	spec->kind = RT_SPEC_TRACEPOINT;
	spec->later = true;
	spec->attr.type = PERF_TYPE_TRACEPOINT;
	spec->system = rt_scan_string(scan, rt_scan_until(scan, "/:"));
	if (spec->system && rt_scan_take(scan, ':'))
		spec->name = rt_scan_string(scan, rt_scan_until(scan, "/:"));
	if (!spec->system || !spec->name || !*spec->system || !*spec->name ||
	    scan->at != scan->end) {
		ret = rt_scan_fail(scan, scan->text,
				   "tracepoints of modules that load later are later:SYSTEM:NAME, "
				   "without terms and modifiers; * and ? match anything");
		rt_event_spec_free(spec);
		return ret;
	}
	return rt_event_append(p, spec);
}
