// SPDX-License-Identifier: GPL-2.0
/* Parse one event after `-e`: find its address, or the events that it stands for. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/counter.h"
#include "events/parser.h"
#include "events/pmu.h"
#include "events/probe.h"
#include "events/tracepoint.h"

static int make_room(struct rt_event_list *list)
{
	size_t room = list->room ? 2 * list->room : 16;
	struct rt_event_spec *specs;

	if (list->count < list->room)
		return 0;
	specs = realloc(list->specs, room * sizeof(*specs));
	if (!specs)
		return -ENOMEM;
	list->specs = specs;
	list->room = room;
	return 0;
}

int rt_event_append(struct rt_event_parser *p, struct rt_event_spec *spec)
{
	int ret = rt_event_make_name(p, spec);

	if (!ret)
		ret = make_room(p->list);
	if (ret) {
		rt_event_spec_free(spec);
		return rt_err_set(p->err, ENOMEM, "out of memory");
	}
	spec->group = p->group;
	p->list->specs[p->list->count++] = *spec;
	return 0;
}

static int group_modifiers(struct rt_event_parser *p, struct rt_event_spec *spec)
{
	struct rt_scan scan;

	if (!p->modifiers)
		return 0;
	rt_scan_begin(&scan, p->whole, p->err);
	scan.at = p->modifiers;
	scan.end = p->modifiers + p->modifiers_size;
	return rt_modifiers_parse(&scan, &spec->attr);
}

int rt_event_note(struct rt_event_parser *p, char *note)
{
	char **notes;

	if (!note)
		return 0;
	notes = realloc(p->list->notes, (p->list->note_count + 1) * sizeof(*notes));
	if (!notes) {
		free(note);
		return rt_err_set(p->err, ENOMEM, "out of memory");
	}
	p->list->notes = notes;
	notes[p->list->note_count++] = note;
	return 0;
}

static int note_copies(struct rt_event_parser *p, const struct rt_event_spec *spec)
{
	char *note;

	if (spec->copies != RT_WATCHPOINT_EACH_CPU)
		return 0;
	if (asprintf(&note,
		     "'%s': each CPU watches its own copy of this per-CPU variable and does not see "
		     "what other CPUs write to it; mem:%s%s%s@CPU watches one copy from all CPUs",
		     spec->text, spec->module ? spec->module : "", spec->module ? ":" : "",
		     spec->symbol) < 0)
		return rt_err_set(p->err, ENOMEM, "out of memory");
	return rt_event_note(p, note);
}

int rt_event_parse_text(struct rt_event_parser *p, const char *text, size_t skip,
			enum rt_event_kind kind, struct rt_event_spec *spec)
{
	struct rt_scan scan;
	int ret;

	memset(spec, 0, sizeof(*spec));
	spec->kind = kind;
	spec->text = strdup(text);
	if (!spec->text)
		return rt_err_set(p->err, ENOMEM, "out of memory");
	rt_scan_begin(&scan, spec->text, p->err);
	scan.at += skip;
	if (kind == RT_SPEC_WATCH)
		ret = rt_watch_parse(&scan, p->env, spec);
	else
		ret = rt_probe_parse(&scan, p->env, spec);
	if (!ret)
		ret = group_modifiers(p, spec);
	if (!ret && kind == RT_SPEC_WATCH)
		ret = note_copies(p, spec);
	if (ret)
		rt_event_spec_free(spec);
	return ret;
}

int rt_event_parse_probe(struct rt_event_parser *p, const char *text, size_t skip,
			 enum rt_event_kind kind)
{
	struct rt_ksym_list places;
	struct rt_event_spec spec;
	struct rt_scan scan;
	char *note;
	size_t i;
	int ret;

	if (kind == RT_SPEC_UPROBE || kind == RT_SPEC_URETPROBE)
		return rt_user_parse(p, text, skip, kind);
	if (rt_function_glob(text, skip, kind))
		return rt_function_glob_parse(p, text, skip, kind);
	if (kind == RT_SPEC_USDT)
		return rt_marker_parse(p, text, skip);
	ret = rt_event_parse_text(p, text, skip, kind, &spec);
	if (ret)
		return ret;
	rt_scan_begin(&scan, text, p->err);
	ret = rt_probe_find(&scan, p->env, &spec, p->list->copies, &places, &note);
	if (ret) {
		rt_event_spec_free(&spec);
		return ret;
	}
	ret = rt_event_note(p, note);
	if (ret)
		rt_event_spec_free(&spec);
	for (i = 0; !ret && i < places.count; i++) {
		if (i)
			ret = rt_event_parse_text(p, text, skip, kind, &spec);
		if (!ret && rt_probe_place(&spec, &places, i)) {
			rt_event_spec_free(&spec);
			ret = rt_err_set(p->err, ENOMEM, "out of memory");
		}
		if (!ret && p->by_address && !spec.module && places.list[i]->start) {
			spec.placed = true;
			spec.address = places.list[i]->start + spec.offset;
		}
		if (!ret)
			ret = rt_event_append(p, &spec);
	}
	if (!places.count && !ret)
		ret = rt_event_append(p, &spec);
	rt_ksym_list_free(&places);
	return ret;
}

/* --- defined probes ---------------------------------------------------------------- */

static int parse_defined_place(struct rt_event_parser *p, const char *system, const char *name,
			       const char *text)
{
	enum rt_event_kind kind;
	size_t skip = rt_probe_prefix(text, &kind);
	int ret;

	if (!skip)
		return rt_err_set(p->err, EINVAL, "the definition of %s:%s is not a probe: '%.80s'",
				  system, name, text);
	p->as_system = system;
	p->as_name = name;
	ret = rt_event_parse_probe(p, text, skip, kind);
	p->as_system = p->as_name = NULL;
	return ret;
}

/*
 * Parse the existing definitions of SYSTEM:NAME, one for each place (perf probe defines several where a
 * name stands for several); -ENOENT if there is none.
 */
static int parse_definition(struct rt_event_parser *p, const char *system, const char *name)
{
	int ret = -ENOENT;
	size_t nth = 0;
	char *text;

	while (p->env->probe && (text = p->env->probe(p->env->data, system, name, nth++))) {
		ret = parse_defined_place(p, system, name, text);
		free(text);
		if (ret)
			break;
	}
	return ret;
}

/* --- tracepoints ------------------------------------------------------------------ */

struct found {
	struct rt_event_parser *parser;
	const struct rt_event_spec *like; /* holds the terms and modifiers */
	bool globbed;
	const char *system, *name; /* what the user wrote, maybe globs */
	int kept;		   /* probes of `ringtail probe` that matched */
};

static void set_globbed(struct rt_event_spec *spec, char *text)
{
	free(spec->text);
	spec->text = text;
	spec->globbed = true;
}

/* Give the specs from FIRST on the text that the user wrote. */
static int mark_globbed(const struct found *found, size_t first)
{
	struct rt_event_list *list = found->parser->list;
	char *text;

	for (; first < list->count; first++) {
		text = strdup(found->like->text);
		if (!text)
			return rt_err_set(found->parser->err, ENOMEM, "out of memory");
		set_globbed(&list->specs[first], text);
	}
	return 0;
}

/* A probe that `ringtail probe` keeps is in no list of the kernel until something records it. */
static int append_kept(void *arg, const char *group, const char *name, const char *definition)
{
	struct found *found = arg;
	size_t first = found->parser->list->count;
	char *whole;
	int ret;

	if (!rt_tracepoint_matches(found->system, group) ||
	    !rt_tracepoint_matches(found->name, name))
		return 0;
	if (asprintf(&whole, "%s:%s", group, name) < 0)
		return rt_err_set(found->parser->err, ENOMEM, "out of memory");
	ret = rt_event_parse_translated(found->parser, whole);
	free(whole);
	if (!ret)
		ret = mark_globbed(found, first);
	found->kept += !ret;
	return ret;
}

static int append_tracepoint(void *arg, const char *system, const char *name)
{
	struct found *found = arg;
	struct rt_event_spec spec = { .kind = RT_SPEC_TRACEPOINT };
	size_t i = found->parser->list->count;
	int ret;

	/* tracefs lists user-defined probes among the kernel's own events. */
	ret = found->globbed ? parse_definition(found->parser, system, name) : -ENOENT;
	if (!ret)
		return mark_globbed(found, i);
	if (ret != -ENOENT)
		return ret;
	spec.globbed = found->globbed;
	spec.attr = found->like->attr;
	spec.attr.type = PERF_TYPE_TRACEPOINT;
	spec.graph = found->like->graph;
	spec.stack_bytes = found->like->stack_bytes;
	spec.text = strdup(found->like->text);
	spec.system = strdup(system);
	spec.name = strdup(name);
	spec.alias = found->like->alias ? strdup(found->like->alias) : NULL;
	if (!spec.text || !spec.system || !spec.name || (found->like->alias && !spec.alias)) {
		rt_event_spec_free(&spec);
		return rt_err_set(found->parser->err, ENOMEM, "out of memory");
	}
	return rt_event_append(found->parser, &spec);
}

static int parse_tracepoint(struct rt_event_parser *p, struct rt_scan *scan,
			    struct rt_event_spec *like, const char *system, const char *name)
{
	bool glob = rt_tracepoint_is_glob(system) || rt_tracepoint_is_glob(name);
	struct found found = { p, like, glob, system, name, 0 };
	char asked[RT_NEAREST_LEN + 1], text[256];
	int ret;

	if (rt_scan_take(scan, '/') && rt_terms_parse(scan, p->env, NULL, like))
		return -EINVAL;
	if (rt_scan_take(scan, ':') && rt_modifiers_parse(scan, &like->attr))
		return -EINVAL;
	if (scan->at != scan->end)
		return rt_scan_fail(scan, scan->at,
				    "'%s' is not understood; a tracepoint is "
				    "system:name[/terms/]",
				    scan->at);
	ret = group_modifiers(p, like);
	if (ret)
		return ret;
	if (!p->env->tracepoints) {
		if (glob)
			return rt_scan_fail(scan, scan->text,
					    "which tracepoints there are is not known here; write "
					    "whole names");
		return append_tracepoint(&found, system, name);
	}
	ret = glob && p->env->kept ? p->env->kept(p->env->data, append_kept, &found) : 0;
	if (ret)
		return ret;
	ret = rt_tracepoint_match(p->env, system, name, append_tracepoint, &found);
	if (ret > 0 || (!ret && found.kept))
		return 0;
	if (ret == -ENOMEM)
		return ret;
	if (ret < 0)
		return rt_err_set(
			p->err, -ret,
			"the kernel's list of tracepoints cannot be read (%s); is tracefs mounted at "
			"/sys/kernel/tracing, are you root, is the kernel locked down? 'ringtail doctor' says",
			strerror(-ret));
	if (snprintf(asked, sizeof(asked), "%s:%s", system, name) >= (int)sizeof(asked) || glob)
		asked[0] = 0;
	return rt_scan_fail(
		scan, scan->text,
		"there is no tracepoint %s:%s here; 'ringtail list' names them, those of "
		"a module while it is loaded%s",
		system, name,
		*asked ? rt_tracepoint_suggest(p->env, asked, text, sizeof(text)) : "");
}

/* --- one event ------------------------------------------------------------------------ */

static int parse_counter(struct rt_event_parser *p, struct rt_scan *scan,
			 struct rt_event_spec *spec, const char *word)
{
	const char *pmu = NULL;
	char text[256];
	bool known = !rt_counter_find(word, &spec->attr);

	if (rt_scan_take(scan, '/')) {
		if (!known)
			pmu = word;
		if (pmu && !rt_pmu_exists(p->env, pmu))
			return rt_scan_fail(scan, scan->text,
					    "'%s' is neither an event nor a PMU of this machine%s",
					    pmu,
					    rt_tracepoint_suggest(p->env, pmu, text, sizeof(text)));
		if (rt_terms_parse(scan, p->env, pmu, spec))
			return -EINVAL;
	} else if (!known) {
		return rt_scan_fail(
			scan, scan->text,
			"there is no event '%s'; 'ringtail list' names them, a tracepoint "
			"is system:name, a probe kprobe:function%s",
			word, rt_tracepoint_suggest(p->env, word, text, sizeof(text)));
	}
	if (rt_scan_take(scan, ':') && rt_modifiers_parse(scan, &spec->attr))
		return -EINVAL;
	if (scan->at != scan->end)
		return rt_scan_fail(scan, scan->at,
				    "'%s' is not understood; an event is NAME[/terms/][:modifiers]",
				    scan->at);
	return group_modifiers(p, spec);
}

/* Parse SYSTEM:NAME or a counter; both may have terms and modifiers. */
static int parse_named(struct rt_event_parser *p, struct rt_scan *scan, struct rt_event_spec *spec)
{
	char *word = rt_scan_string(scan, rt_scan_until(scan, "/:")), *name = NULL;
	struct perf_event_attr attr;
	int ret;

	if (!word)
		return rt_scan_no_memory(scan);
	if (rt_scan_peek(scan) == ':' && rt_counter_find(word, &attr)) {
		scan->at++;
		name = rt_scan_string(scan, rt_scan_until(scan, "/:"));
		if (!name)
			ret = rt_scan_no_memory(scan);
		else if (!*word || !*name)
			ret = rt_scan_fail(scan, scan->text, "a tracepoint is system:name");
		else
			ret = parse_definition(p, word, name);
		if (ret == -ENOENT)
			ret = rt_installed_parse(p, word, name);
		if (ret == -ENOENT)
			ret = parse_tracepoint(p, scan, spec, word, name);
		rt_event_spec_free(spec);
	} else if (rt_tracepoint_is_glob(word)) {
		ret = parse_tracepoint(p, scan, spec, "*", word);
		rt_event_spec_free(spec);
	} else {
		spec->kind = RT_SPEC_COUNTER;
		ret = parse_counter(p, scan, spec, word);
		if (!ret) {
			spec->name = strdup(spec->text);
			ret = spec->name ? 0 : rt_scan_no_memory(scan);
		}
		if (ret)
			rt_event_spec_free(spec);
		else
			ret = rt_event_append(p, spec);
	}
	free(word);
	free(name);
	return ret;
}

int rt_event_parse_one(struct rt_event_parser *p, const char *text)
{
	static const char later[] = "later:";
	struct rt_event_spec spec = { .kind = RT_SPEC_COUNTER };
	enum rt_event_kind kind;
	size_t skip = rt_probe_prefix(text, &kind);
	struct rt_scan scan;
	int ret;

	if (skip)
		return rt_event_parse_probe(p, text, skip, kind);
	ret = rt_event_parse_translated(p, text);
	if (ret != -ENOENT)
		return ret;
	spec.text = strdup(text);
	if (!spec.text)
		return rt_err_set(p->err, ENOMEM, "out of memory");
	rt_scan_begin(&scan, spec.text, p->err);
	if (!strncmp(text, later, strlen(later))) {
		scan.at += strlen(later);
		return rt_later_parse(p, &scan, &spec);
	}
	return parse_named(p, &scan, &spec);
}
