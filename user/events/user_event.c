// SPDX-License-Identifier: GPL-2.0
/* Append the probes that uprobe:, uretprobe: and usdt: stand for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "events/marker.h"
#include "events/parser.h"
#include "events/probe.h"
#include "events/tracepoint.h"

int rt_user_parse(struct rt_event_parser *p, const char *text, size_t skip, enum rt_event_kind kind)
{
	struct rt_user_places places = { 0 };
	struct rt_event_spec spec;
	struct rt_scan scan;
	size_t i;
	int ret;

	ret = rt_event_parse_text(p, text, skip, kind, &spec);
	if (ret)
		return ret;
	rt_scan_begin(&scan, text, p->err);
	ret = rt_uprobe_find(&scan, p->env, &spec, &places);
	if (ret)
		rt_event_spec_free(&spec);
	for (i = 0; !ret && i < places.count; i++) {
		if (i)
			ret = rt_event_parse_text(p, text, skip, kind, &spec);
		if (!ret && rt_uprobe_place(&spec, &places, i)) {
			rt_event_spec_free(&spec);
			ret = rt_err_set(p->err, ENOMEM, "out of memory");
		}
		if (!ret)
			ret = rt_event_append(p, &spec);
	}
	rt_user_places_free(&places);
	return ret;
}

/* --- markers --------------------------------------------------------------------- */

/* What usdt:PATH:[PROVIDER:]NAME says, and what was found. */
struct search {
	struct rt_event_parser *parser;
	const char *text;
	char *path, *provider, *name; /* provider NULL: any */
	const char *values;	      /* as typed, instead of the marker's own; or "" */
	struct rt_nearest near;
	size_t found;
	int ret;
};

/* The marker as a user probe, in the syntax of -e. */
static char *as_uprobe(struct search *s, const struct rt_user_marker *marker)
{
	char *text = NULL, *values = NULL, semaphore[32] = "";

	values = *s->values ? strdup(s->values) :
			      rt_marker_values(marker->args, s->parser->env->arch);
	if (!values)
		return NULL;
	if (marker->semaphore)
		snprintf(semaphore, sizeof(semaphore), "(0x%llx)",
			 (unsigned long long)marker->semaphore);
	if (asprintf(&text, "uprobe:%s:0x%llx%s%s", s->path, (unsigned long long)marker->offset,
		     semaphore, values) < 0)
		text = NULL;
	free(values);
	return text;
}

/* Name the probes from FIRST on as perf names markers: sdt_PROVIDER:NAME, NAME_1, … */
static int name_marker(struct search *s, size_t first, const struct rt_user_marker *marker)
{
	struct rt_event_list *list = s->parser->list;
	struct rt_event_spec spec = list->specs[first];
	char *system, *name = strdup(marker->name), *text = strdup(s->text);

	if (asprintf(&system, "sdt_%s", marker->provider) < 0)
		system = NULL;
	if (!system || !name || !text) {
		free(system);
		free(name);
		free(text);
		return -ENOMEM;
	}
	free(spec.system);
	free(spec.name);
	free(spec.text);
	spec.system = system;
	spec.name = name;
	spec.text = text;
	list->count = first;
	/* Appending makes the name unique. */
	return rt_event_append(s->parser, &spec);
}

static int take_marker(void *arg, const struct rt_user_marker *marker)
{
	size_t first, skip;
	struct search *s = arg;
	enum rt_event_kind kind;
	char *text;

	if (s->provider && !rt_tracepoint_matches(s->provider, marker->provider))
		return 0;
	if (!rt_tracepoint_matches(s->name, marker->name)) {
		rt_nearest_offer(&s->near, marker->name);
		return 0;
	}
	text = as_uprobe(s, marker);
	if (!text) {
		s->ret = -ENOMEM;
		return 1;
	}
	first = s->parser->list->count;
	skip = rt_probe_prefix(text, &kind);
	s->ret = rt_user_parse(s->parser, text, skip, kind);
	free(text);
	if (!s->ret)
		s->ret = name_marker(s, first, marker);
	s->found++;
	return s->ret != 0;
}

static int parse_words(struct rt_scan *scan, struct search *s)
{
	size_t size = rt_scan_until(scan, ":");

	s->path = rt_scan_string(scan, size);
	if (!s->path)
		return rt_scan_no_memory(scan);
	if (!size || !rt_scan_take(scan, ':') || !rt_scan_until(scan, ":"))
		return rt_scan_fail(scan, scan->at,
				    "a marker is usdt:PATH:PROVIDER:NAME; 'ringtail list sdt PATH' "
				    "names them");
	s->name = rt_scan_string(scan, rt_scan_until(scan, ":"));
	if (s->name && rt_scan_take(scan, ':')) {
		s->provider = s->name;
		s->name = rt_scan_string(scan, rt_scan_until(scan, ""));
	}
	s->values = scan->at;
	return s->name ? 0 : rt_scan_no_memory(scan);
}

int rt_marker_parse(struct rt_event_parser *p, const char *text, size_t skip)
{
	struct search s = { .parser = p, .text = text };
	char near[256];
	struct rt_scan scan;
	struct rt_err err;
	int ret;

	rt_scan_begin(&scan, text, p->err);
	scan.at += skip;
	ret = parse_words(&scan, &s);
	if (!ret && !p->env->markers)
		ret = rt_scan_fail(&scan, text, "files are not looked into here");
	if (!ret) {
		rt_nearest_begin(&s.near, s.name);
		ret = p->env->markers(p->env->data, s.path, take_marker, &s, &err);
		if (ret < 0)
			ret = rt_scan_fail(&scan, text, "%s", err.text);
		else
			ret = s.ret == -ENOMEM ? rt_scan_no_memory(&scan) : s.ret;
	}
	if (!ret && !s.found)
		ret = rt_scan_fail(&scan, text,
				   "%s has no marker '%s%s%s'%s; 'ringtail list sdt %s' "
				   "names those it has",
				   s.path, s.provider ? s.provider : "", s.provider ? ":" : "",
				   s.name, rt_nearest_text(&s.near, near, sizeof(near)), s.path);
	free(s.path);
	free(s.provider);
	free(s.name);
	return ret;
}
