// SPDX-License-Identifier: GPL-2.0
/* Find the addresses of the function that a kernel probe names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/probe.h"

enum {
	PLACES_SHOWN = 6, /* at most this many are listed */
	TEXT_MAX = 400,
};

/* Format "f at ffff…, ext4:f at ffff…", as many as fit. */
static void list_places(const struct rt_ksym_list *list, char *out, size_t size)
{
	size_t i, used = 0;

	out[0] = 0;
	for (i = 0; i < list->count && i < PLACES_SHOWN && used < size; i++) {
		const struct rt_ksym *sym = list->list[i];

		used += snprintf(out + used, size - used, "%s0x%llx%s%s%s", i ? ", " : "",
				 (unsigned long long)sym->start, sym->module ? " [" : "",
				 sym->module ? sym->module : "", sym->module ? "]" : "");
	}
	if (list->count > PLACES_SHOWN && used < size)
		snprintf(out + used, size - used, " and %zu more", list->count - PLACES_SHOWN);
}

static char *say(const char *fmt, const char *a, const char *b, const char *c)
	__attribute__((format(printf, 1, 0)));

static char *say(const char *fmt, const char *a, const char *b, const char *c)
{
	char *text;

	return asprintf(&text, fmt, a, b, c) < 0 ? NULL : text;
}

/* --- none ------------------------------------------------------------------------ */

static int find_none(const struct rt_scan *scan, struct rt_ksyms *k,
		     const struct rt_event_spec *spec)
{
	struct rt_ksym_list found;
	struct rt_nearest near;
	char text[TEXT_MAX];

	if (rt_ksyms_find(k, spec->module, spec->symbol, RT_KSYMS_DATA, &found))
		return rt_scan_no_memory(scan);
	if (found.count) {
		rt_ksym_list_free(&found);
		return rt_scan_fail(scan, scan->text,
				    "'%s' is a variable, not a function; mem:%s watches it",
				    spec->symbol, spec->symbol);
	}
	if (rt_ksyms_find(k, spec->module, spec->symbol, RT_KSYMS_TEXT | RT_KSYMS_PARTS, &found))
		return rt_scan_no_memory(scan);
	if (found.count) {
		snprintf(text, sizeof(text), "%s", found.list[0]->name);
		rt_ksym_list_free(&found);
		return rt_scan_fail(
			scan, scan->text,
			"the compiler has put '%s' into its callers and left only '%s', a piece of it",
			spec->symbol, text);
	}
	rt_ksyms_nearest(k, spec->module, spec->symbol, RT_KSYMS_TEXT, &near);
	rt_nearest_text(&near, text, sizeof(text));
	if (spec->module && strcmp(spec->module, RT_KSYMS_KERNEL))
		return rt_scan_fail(scan, scan->text,
				    "the loaded module '%s' has no function '%s'%s", spec->module,
				    spec->symbol, text);
	return rt_scan_fail(
		scan, scan->text,
		"the kernel has no function of that name (see /proc/kallsyms); in a module "
		"that is not loaded yet write MODULE:FUNCTION%s",
		text);
}

/* --- many ------------------------------------------------------------------------ */

/* Keep only the functions from the source file. */
static int choose_file(const struct rt_scan *scan, const struct rt_event_env *env,
		       const struct rt_event_spec *spec, struct rt_ksym_list *list)
{
	char places[TEXT_MAX];
	size_t i, kept = 0;
	int is = -ENOENT;

	for (i = 0; i < list->count; i++) {
		is = env->in_file ? env->in_file(env->data, list->list[i], spec->file) : -ENOENT;
		if (is < 0)
			break;
		if (is)
			list->list[kept++] = list->list[i];
	}
	list_places(list, places, sizeof(places));
	if (is < 0)
		return rt_scan_fail(
			scan, scan->text,
			"only debug information tells the file of a function, and there is none for %s%s; "
			"choose by MODULE:FUNCTION or by address: %s",
			list->list[i]->module ? "module " : "this kernel",
			list->list[i]->module ? list->list[i]->module : "", places);
	if (!kept)
		return rt_scan_fail(scan, scan->text, "no function '%s' is from %s; there is %s",
				    spec->symbol, spec->file, places);
	list->count = kept;
	return 0;
}

static int check_offset(const struct rt_scan *scan, struct rt_ksyms *k,
			const struct rt_event_spec *spec, const struct rt_ksym *sym)
{
	const struct rt_ksym *other;
	char text[TEXT_MAX] = "";

	/* These mark the start of the kernel's text; perf gives offsets from them. */
	if (!strcmp(sym->name, "_text") || !strcmp(sym->name, "_stext"))
		return 0;
	if (spec->offset < sym->end - sym->start)
		return 0;
	other = rt_ksyms_at(k, sym->start + spec->offset);
	if (other && sym->start + spec->offset >= sym->start)
		snprintf(text, sizeof(text), "; there it is %s%s%s+0x%llx",
			 other->module ? other->module : "", other->module ? ":" : "", other->name,
			 (unsigned long long)(sym->start + spec->offset - other->start));
	return rt_scan_fail(scan, scan->text,
			    "+0x%llx is beyond the end of '%s', which has 0x%llx bytes%s",
			    (unsigned long long)spec->offset, sym->name,
			    (unsigned long long)(sym->end - sym->start), text);
}

static int check_hidden(const struct rt_scan *scan, const struct rt_event_spec *spec,
			const struct rt_ksym_list *list)
{
	static const char fix[] = "the kernel hides its addresses (kptr_restrict); "
				  "'sysctl -w kernel.kptr_restrict=1' shows them to root";

	if (spec->offset)
		return rt_scan_fail(scan, scan->text,
				    "whether +0x%llx is inside '%s' is not known: %s",
				    (unsigned long long)spec->offset, spec->symbol, fix);
	if (list->count > 1)
		return rt_scan_fail(scan, scan->text, "%zu functions are called '%s': %s",
				    list->count, spec->symbol, fix);
	return 0;
}

static bool is_function(struct rt_ksyms *k, const char *name)
{
	struct rt_ksym_list list;
	bool found;

	if (rt_ksyms_find(k, NULL, name, RT_KSYMS_TEXT, &list))
		return false;
	found = list.count;
	rt_ksym_list_free(&list);
	return found;
}

/* Calls that go to a clone or a part do not hit the probe; tell the user. */
static int look_for_clones(struct rt_ksyms *k, const struct rt_event_spec *spec,
			   const struct rt_ksym_list *list, char **note)
{
	struct rt_ksym_list all;
	const char *clone = NULL, *part = NULL, *name;
	size_t i;
	int ret;

	ret = rt_ksyms_find(k, spec->module, spec->symbol,
			    RT_KSYMS_TEXT | RT_KSYMS_CLONES | RT_KSYMS_PARTS, &all);
	if (ret)
		return ret;
	for (i = 0; all.count > list->count && i < all.count; i++) {
		name = all.list[i]->name;
		switch (rt_ksyms_clone(name, spec->symbol)) {
		case RT_KSYMS_CLONES:
			clone = clone ? clone : name;
			break;
		case RT_KSYMS_PARTS:
			/* Nothing calls code that the compiler thinks is rarely run. */
			part = part || strstr(name, ".cold") ? part : name;
			break;
		}
	}
	if (clone)
		*note = say("'%s': some calls of it go to '%s', a copy that the compiler made; "
			    "-e kprobe:%s records these",
			    spec->text, clone, clone);
	else if (part)
		*note = say("'%s': callers that contain its beginning enter only '%s'; "
			    "-e probe:%s records all copies",
			    spec->text, part, spec->symbol);
	rt_ksym_list_free(&all);
	return 0;
}

static void describe(const struct rt_event_spec *spec, const struct rt_ksym_list *list, char **note)
{
	char places[TEXT_MAX], count[32];

	if (list->count > 1) {
		list_places(list, places, sizeof(places));
		snprintf(count, sizeof(count), "%zu", list->count);
		free(*note);
		*note = say(
			"'%s': all %s functions of that name are recorded: %s; MODULE:FUNCTION, "
			"FILE.c:FUNCTION or an address chooses",
			spec->text, count, places);
	} else if (strcmp(list->list[0]->name, spec->symbol)) {
		free(*note);
		*note = say("'%s': the compiler has made '%s' of it%s", spec->text,
			    list->list[0]->name, ", whose arguments may be other ones");
	}
}

int rt_probe_find(const struct rt_scan *scan, const struct rt_event_env *env,
		  const struct rt_event_spec *spec, bool copies, struct rt_ksym_list *out,
		  char **note)
{
	struct rt_ksyms *k = NULL;
	struct rt_nearest near;
	char text[TEXT_MAX];
	size_t i;
	int ret;

	*note = NULL;
	memset(out, 0, sizeof(*out));
	if (spec->symbol && (spec->kind == RT_SPEC_KPROBE || spec->kind == RT_SPEC_KRETPROBE))
		k = env->ksyms ? env->ksyms(env->data) : NULL;
	if (!k)
		return spec->file ?
			       rt_scan_fail(
				       scan, scan->text,
				       "the functions of this kernel are not known here; write "
				       "MODULE:FUNCTION or an address") :
			       0;
	if (spec->module && !rt_ksyms_has_module(k, spec->module)) {
		if (is_function(k, spec->module))
			return rt_scan_fail(
				scan, scan->text,
				"'%s' is a function, not a module; values come after a blank: "
				"'%s %s'",
				spec->module, spec->module, spec->symbol);
		rt_ksyms_nearest_module(k, spec->module, &near);
		*note = say("'%s': module '%s' is not loaded, the probe waits for it%s", spec->text,
			    spec->module, rt_nearest_text(&near, text, sizeof(text)));
		return 0;
	}
	ret = rt_ksyms_find(k, spec->module, spec->symbol, RT_KSYMS_TEXT, out);
	if (!ret && out->count)
		ret = copies ? 0 : look_for_clones(k, spec, out, note);
	else if (!ret)
		ret = rt_ksyms_find(k, spec->module, spec->symbol, RT_KSYMS_TEXT | RT_KSYMS_CLONES,
				    out);
	if (ret)
		ret = rt_scan_no_memory(scan);
	else if (!out->count)
		ret = find_none(scan, k, spec);
	else if (spec->file)
		ret = choose_file(scan, env, spec, out);
	if (!ret && rt_ksyms_hidden(k))
		ret = check_hidden(scan, spec, out);
	else
		for (i = 0; !ret && i < out->count; i++)
			ret = check_offset(scan, k, spec, out->list[i]);
	if (!ret) {
		describe(spec, out, note);
		return 0;
	}
	rt_ksym_list_free(out);
	free(*note);
	*note = NULL;
	return ret;
}

/* --- the place ------------------------------------------------------------------- */

/* Whether a lookup by module and name in the kernel could find another function. */
static bool is_ambiguous(const struct rt_ksym_list *list, const struct rt_ksym *sym)
{
	size_t i, same = 0;

	for (i = 0; i < list->count; i++)
		same += list->list[i]->module == sym->module &&
			!strcmp(list->list[i]->name, sym->name);
	return same > 1;
}

int rt_probe_place(struct rt_event_spec *spec, const struct rt_ksym_list *list, size_t which)
{
	const struct rt_ksym *sym = list->list[which];
	char *symbol = strdup(sym->name), *module = sym->module ? strdup(sym->module) : NULL;

	if (!symbol || (sym->module && !module)) {
		free(symbol);
		free(module);
		return -ENOMEM;
	}
	free(spec->symbol);
	free(spec->module);
	spec->symbol = symbol;
	spec->module = module;
	/* A function that was chosen by its source file is also one of several. */
	spec->placed = sym->start && (spec->file || is_ambiguous(list, sym));
	if (spec->placed)
		spec->address = sym->start + spec->offset;
	return 0;
}
