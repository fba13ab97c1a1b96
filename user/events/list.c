// SPDX-License-Identifier: GPL-2.0
/*
 * What follows `-e`: events separated by commas, {groups}, globs.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/counter.h"
#include "events/probe.h"
#include "events/tracepoint.h"

struct parser {
	struct rt_event_list *list;
	const struct rt_event_env *env;
	struct rt_err *err;
	int group;
	const char *modifiers; /* of the group, NULL: none */
};

void rt_event_env_local(struct rt_event_env *env)
{
	memset(env, 0, sizeof(*env));
#if defined(__x86_64__)
	env->arch = RT_ARCH_X86_64;
#else
	env->arch = RT_ARCH_ARM64;
#endif
	env->tracepoints = rt_tracepoint_local;
}

static void free_spec(struct rt_event_spec *spec)
{
	free(spec->text);
	free(spec->system);
	free(spec->name);
	free(spec->alias);
	free(spec->module);
	free(spec->path);
	free(spec->symbol);
	rt_field_list_free(&spec->fields);
	rt_program_text_free(&spec->fetch);
}

static void cut_list(struct rt_event_list *list, size_t count)
{
	while (list->count > count)
		free_spec(&list->specs[--list->count]);
}

void rt_event_list_free(struct rt_event_list *list)
{
	cut_list(list, 0);
	free(list->specs);
	memset(list, 0, sizeof(*list));
}

static bool name_taken(const struct rt_event_list *list, const char *system, const char *name)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->specs[i].system && !strcmp(list->specs[i].system, system) &&
		    !strcmp(list->specs[i].name, name))
			return true;
	return false;
}

/* Probes of one function get names of their own: f, f_1, f_2. */
static int make_unique(const struct rt_event_list *list, struct rt_event_spec *spec)
{
	int n, base = spec->name ? strlen(spec->name) : 0;
	char *name;

	if (!spec->system || spec->kind == RT_EVENT_TRACEPOINT)
		return 0;
	for (n = 1; name_taken(list, spec->system, spec->name); n++) {
		if (asprintf(&name, "%.*s_%d", base, spec->name, n) < 0)
			return -ENOMEM;
		free(spec->name);
		spec->name = name;
	}
	return 0;
}

/* Takes over what SPEC holds, also when it fails. */
static int append(struct parser *p, struct rt_event_spec *spec)
{
	struct rt_event_spec *specs;
	int ret = make_unique(p->list, spec);

	if (!ret) {
		specs = realloc(p->list->specs, (p->list->count + 1) * sizeof(*specs));
		if (specs)
			p->list->specs = specs;
		else
			ret = -ENOMEM;
	}
	if (ret) {
		free_spec(spec);
		return rt_err_set(p->err, ENOMEM, "out of memory");
	}
	spec->group = p->group;
	p->list->specs[p->list->count++] = *spec;
	return 0;
}

static int group_modifiers(struct parser *p, struct rt_event_spec *spec)
{
	struct rt_scan scan;

	if (!p->modifiers)
		return 0;
	rt_scan_begin(&scan, p->modifiers, p->err);
	return rt_modifiers_parse(&scan, &spec->attr);
}

/* Append what PARSE makes of the text behind the first SKIP characters. */
static int parse_probe(struct parser *p, const char *text, size_t skip, enum rt_event_kind kind)
{
	struct rt_event_spec spec = { .kind = kind };
	struct rt_scan scan;
	int ret;

	spec.text = strdup(text);
	if (!spec.text)
		return rt_err_set(p->err, ENOMEM, "out of memory");
	rt_scan_begin(&scan, spec.text, p->err);
	scan.at += skip;
	if (kind == RT_EVENT_WATCH)
		ret = rt_watch_parse(&scan, p->env, &spec);
	else
		ret = rt_probe_parse(&scan, p->env, &spec);
	if (!ret)
		ret = group_modifiers(p, &spec);
	if (ret) {
		free_spec(&spec);
		return ret;
	}
	return append(p, &spec);
}

/* --- tracepoints ------------------------------------------------------------------ */

struct found {
	struct parser *parser;
	const struct rt_event_spec *like; /* what terms and modifiers said */
	bool globbed;
};

static int append_tracepoint(void *arg, const char *system, const char *name)
{
	struct found *found = arg;
	struct rt_event_spec spec = { .kind = RT_EVENT_TRACEPOINT };

	spec.globbed = found->globbed;
	spec.attr = found->like->attr;
	spec.attr.type = PERF_TYPE_TRACEPOINT;
	spec.text = strdup(found->like->text);
	spec.system = strdup(system);
	spec.name = strdup(name);
	spec.alias = found->like->alias ? strdup(found->like->alias) : NULL;
	if (!spec.text || !spec.system || !spec.name || (found->like->alias && !spec.alias)) {
		free_spec(&spec);
		return rt_err_set(found->parser->err, ENOMEM, "out of memory");
	}
	return append(found->parser, &spec);
}

static int parse_tracepoint(struct parser *p, struct rt_scan *scan, struct rt_event_spec *like,
			    const char *system, const char *name)
{
	bool glob = rt_tracepoint_is_glob(system) || rt_tracepoint_is_glob(name);
	struct found found = { p, like, glob };
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
	ret = rt_tracepoint_match(p->env, system, name, append_tracepoint, &found);
	if (ret > 0)
		return 0;
	if (ret == -ENOMEM)
		return ret;
	if (ret < 0)
		return rt_err_set(
			p->err, -ret,
			"the kernel's list of tracepoints cannot be read (%s); is tracefs mounted at "
			"/sys/kernel/tracing, are you root, is the kernel locked down? 'ringtail doctor' says",
			strerror(-ret));
	return rt_scan_fail(scan, scan->text,
			    "there is no tracepoint %s:%s here; 'perf list' names them, those of "
			    "a module while it is loaded",
			    system, name);
}

/* --- one event ------------------------------------------------------------------------ */

/* probe:NAME as `ringtail probe` defined it; -ENOENT: there is no such definition. */
static int parse_definition(struct parser *p, const char *system, const char *name)
{
	enum rt_event_kind kind;
	size_t skip, before = p->list->count;
	struct rt_event_spec *spec;
	char *text;
	int ret;

	text = p->env->probe ? p->env->probe(p->env->data, system, name) : NULL;
	if (!text)
		return -ENOENT;
	skip = rt_probe_prefix(text, &kind);
	if (skip)
		ret = parse_probe(p, text, skip, kind);
	else
		ret = rt_err_set(p->err, EINVAL, "the definition of %s:%s is not a probe: '%.80s'",
				 system, name, text);
	free(text);
	if (ret)
		return ret;
	spec = &p->list->specs[before];
	free(spec->system);
	free(spec->name);
	spec->system = strdup(system);
	spec->name = strdup(name);
	if (spec->system && spec->name)
		return 0;
	return rt_err_set(p->err, ENOMEM, "out of memory");
}

static int parse_counter(struct parser *p, struct rt_scan *scan, struct rt_event_spec *spec,
			 const char *word)
{
	const char *pmu = NULL;
	bool known = !rt_counter_find(word, &spec->attr);

	if (rt_scan_take(scan, '/')) {
		if (!known)
			pmu = word;
		if (pmu && !rt_pmu_exists(p->env, pmu))
			return rt_scan_fail(scan, scan->text,
					    "'%s' is neither an event nor a PMU of this machine",
					    pmu);
		if (rt_terms_parse(scan, p->env, pmu, spec))
			return -EINVAL;
	} else if (!known) {
		return rt_scan_fail(scan, scan->text,
				    "there is no event '%s'; 'perf list' names them, a tracepoint "
				    "is system:name, a probe kprobe:function",
				    word);
	}
	if (rt_scan_take(scan, ':') && rt_modifiers_parse(scan, &spec->attr))
		return -EINVAL;
	if (scan->at != scan->end)
		return rt_scan_fail(scan, scan->at,
				    "'%s' is not understood; an event is NAME[/terms/][:modifiers]",
				    scan->at);
	return group_modifiers(p, spec);
}

/* SYSTEM:NAME, or a counter; both may have terms and modifiers. */
static int parse_named(struct parser *p, struct rt_scan *scan, struct rt_event_spec *spec)
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
			ret = parse_tracepoint(p, scan, spec, word, name);
		free_spec(spec);
	} else if (rt_tracepoint_is_glob(word)) {
		ret = parse_tracepoint(p, scan, spec, "*", word);
		free_spec(spec);
	} else {
		spec->kind = RT_EVENT_COUNTER;
		ret = parse_counter(p, scan, spec, word);
		if (!ret) {
			spec->name = strdup(spec->text);
			ret = spec->name ? 0 : rt_scan_no_memory(scan);
		}
		if (ret)
			free_spec(spec);
		else
			ret = append(p, spec);
	}
	free(word);
	free(name);
	return ret;
}

static int parse_event(struct parser *p, const char *text)
{
	struct rt_event_spec spec = { .kind = RT_EVENT_COUNTER };
	enum rt_event_kind kind;
	size_t skip = rt_probe_prefix(text, &kind);
	struct rt_scan scan;

	if (skip)
		return parse_probe(p, text, skip, kind);
	spec.text = strdup(text);
	if (!spec.text)
		return rt_err_set(p->err, ENOMEM, "out of memory");
	rt_scan_begin(&scan, spec.text, p->err);
	return parse_named(p, &scan, &spec);
}

/* --- the list -------------------------------------------------------------------------- */

/* The characters up to the comma (or, in a group, brace) that ends the event at TEXT. */
static size_t event_size(const char *text, bool grouped)
{
	enum rt_event_kind kind;
	/* Slashes enclose terms; in a path or a watch they do not. */
	bool terms = !rt_probe_prefix(text, &kind), inside = false;
	size_t i;

	for (i = 0; text[i]; i++) {
		if (text[i] == '/' && terms)
			inside = !inside;
		else if (!inside && (text[i] == ',' || (grouped && text[i] == '}')))
			break;
	}
	return i;
}

static size_t trimmed(const char *text, size_t size)
{
	while (size && isspace((unsigned char)text[size - 1]))
		size--;
	return size;
}

/* The event at *TEXT, which is stepped over. */
static int parse_next(struct parser *p, const char **text, bool grouped)
{
	size_t size;
	char *event;
	int ret;

	while (isspace((unsigned char)**text))
		++*text;
	size = event_size(*text, grouped);
	if (!trimmed(*text, size))
		return rt_err_set(p->err, EINVAL, "an event is missing where '%.20s' begins",
				  *text);
	event = strndup(*text, trimmed(*text, size));
	if (!event)
		return rt_err_set(p->err, ENOMEM, "out of memory");
	ret = parse_event(p, event);
	free(event);
	*text += size;
	return ret;
}

/* {EVENT,…}[:modifiers]; the modifiers come last, so look for them first. */
static int parse_group(struct parser *p, const char **text)
{
	const char *begin = *text, *close = begin + 1;
	char *modifiers = NULL;
	size_t size = 0;
	int ret;

	while (*close && *close != '}') {
		close += event_size(close, true);
		if (*close == ',')
			close++;
	}
	if (!*close)
		return rt_err_set(p->err, EINVAL,
				  "'%.80s': the closing '}' of the group is missing", begin);
	if (close[1] == ':') {
		size = strcspn(close + 2, ",");
		modifiers = strndup(close + 2, trimmed(close + 2, size));
		if (!modifiers)
			return rt_err_set(p->err, ENOMEM, "out of memory");
		size++;
	}
	p->group = ++p->list->groups;
	p->modifiers = modifiers;
	++*text;
	for (;;) {
		ret = parse_next(p, text, true);
		if (ret || **text != ',')
			break;
		++*text;
	}
	*text = close + 1 + size;
	p->group = 0;
	p->modifiers = NULL;
	free(modifiers);
	return ret;
}

int rt_event_parse(struct rt_event_list *list, const char *text, const struct rt_event_env *env,
		   struct rt_err *err)
{
	struct parser p = { .list = list, .env = env, .err = err };
	size_t before = list->count;
	int groups = list->groups, ret;

	for (;;) {
		while (isspace((unsigned char)*text))
			text++;
		ret = *text == '{' ? parse_group(&p, &text) : parse_next(&p, &text, false);
		while (!ret && isspace((unsigned char)*text))
			text++;
		if (!ret && *text && *text != ',')
			ret = rt_err_set(err, EINVAL, "',' is expected where '%.20s' begins", text);
		if (ret || !*text)
			break;
		text++;
	}
	if (ret) {
		cut_list(list, before);
		list->groups = groups;
	}
	return ret;
}
