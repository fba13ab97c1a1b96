// SPDX-License-Identifier: GPL-2.0
/* The copies that the compiler made of a function: inlined ones, clones (f.isra.0), parts (f.part.0). */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/job.h"

/* What a symbol is to the function before its first suffix; SUFFIX begins there, at the '.'. */
static unsigned int copy_of(const char *symbol, const char **suffix)
{
	char function[RT_CODE_NAME];
	unsigned int what = 0;
	const char *dot;

	/* Names of Rust have dots of their own. */
	for (dot = symbol; !what && (dot = strchr(dot, '.')); dot++) {
		snprintf(function, sizeof(function), "%.*s", (int)(dot - symbol), symbol);
		what = rt_ksyms_clone(symbol, function);
		*suffix = dot;
	}
	return what;
}

static unsigned int copy_at(const struct rt_code_place *place, const char **suffix)
{
	return place->inlined || !place->function ? 0 : copy_of(place->function, suffix);
}

void rt_probe_copy_suffix(const struct rt_code_place *place, char *out, size_t size)
{
	const char *suffix;
	char *c;

	*out = 0;
	if (!copy_at(place, &suffix))
		return;
	snprintf(out, size, "%s", suffix + 1);
	for (c = out; *c; c++)
		if (*c == '.')
			*c = '_';
}

/* --- those of a kernel function that has a symbol --------------------------------------- */

/* Take the entries out that the symbols have, too. */
static void keep_others(struct rt_code_places *places)
{
	const struct rt_code_place *place;
	size_t i, kept = 0;
	const char *suffix;

	for (i = 0; i < places->count; i++) {
		place = &places->list[i];
		if (place->inlined || copy_at(place, &suffix))
			places->list[kept++] = *place;
	}
	places->count = kept;
}

/* Clones and parts by their symbols; a .cold part is not entered by a call. */
static int find_symbols(struct rt_probe_job *j, const struct rt_ksym_list *found,
			struct rt_code_places *out)
{
	struct rt_code_place *place;
	size_t i;

	out->list = calloc(found->count + 1, sizeof(*out->list));
	if (!out->list)
		return rt_err_set(j->err, ENOMEM, "out of memory");
	for (i = 0; i < found->count; i++) {
		const char *name = found->list[i]->name;

		/* One event stands for all symbols of a name. */
		if (!strcmp(name, j->def->function) || strstr(name, ".cold") ||
		    (out->count && !strcmp(out->list[out->count - 1].symbol, name)))
			continue;
		place = &out->list[out->count++];
		snprintf(place->symbol, sizeof(place->symbol), "%s", name);
		place->function = name;
	}
	return 0;
}

int rt_probe_find_copies(struct rt_probe_job *j, struct rt_code_places *out)
{
	const struct rt_event_env *env = rt_probe_sources_env(j->sources);
	struct rt_ksyms *k = env->ksyms ? env->ksyms(env->data) : NULL;
	const struct rt_probe_def *def = j->def;
	const char *typed = def->module;
	struct rt_ksym_list found;
	struct rt_debuginfo *debug;
	size_t i;
	int ret;

	/* An offset or an address is that place alone. */
	if (!k || !def->function || def->has_offset || rt_probe_find_module(j))
		return 0;
	if (rt_ksyms_find(k, j->module ? j->module : RT_KSYMS_KERNEL, def->function,
			  RT_KSYMS_TEXT | RT_KSYMS_CLONES | RT_KSYMS_PARTS, &found))
		return rt_err_set(j->err, ENOMEM, "out of memory");
	for (i = 0; i < found.count; i++)
		j->own += !strcmp(found.list[i]->name, def->function);
	debug = rt_probe_sources_local(j->sources, typed && strchr(typed, '/') ? typed : j->module);
	if (def->file && j->own > 1) {
		/* Which of them a copy belongs to is not known here. */
		ret = 0;
	} else if (debug) {
		ret = rt_debuginfo_function(debug, def->function, out);
		ret = ret == -ENOMEM ? rt_err_set(j->err, ENOMEM, "out of memory") : 0;
		keep_others(out);
		j->debug = out->count ? debug : NULL;
	} else {
		ret = find_symbols(j, &found, out);
	}
	rt_ksym_list_free(&found);
	return ret;
}

/* --- what a copy does not have ---------------------------------------------------------- */

static bool uses_registers(const struct rt_probe_def *def)
{
	size_t i;

	for (i = 0; i < def->count; i++)
		if (strchr(def->values[i].what, '%') || !strncmp(def->values[i].what, "$arg", 4))
			return true;
	return false;
}

/* Whether there are names of parameters, whose places are those of the function itself. */
static bool uses_parameters(const struct rt_probe_def *def)
{
	size_t i;

	for (i = 0; i < def->count; i++)
		if (isalpha((unsigned char)*def->values[i].what) || *def->values[i].what == '_' ||
		    !strcmp(def->values[i].what, "$params") ||
		    !strcmp(def->values[i].what, "$vars"))
			return true;
	return false;
}

void rt_probe_count_begin(struct rt_probe_count *count, const struct rt_probe_job *j,
			  const struct rt_code_places *places)
{
	const char *suffix;
	size_t i;

	memset(count, 0, sizeof(*count));
	count->total = j->own + places->count;
	count->probed = count->entries = count->own = j->own;
	for (i = 0; i < places->count; i++) {
		count->entries += !places->list[i].inlined;
		count->own += !places->list[i].inlined && !copy_at(&places->list[i], &suffix);
	}
}

bool rt_probe_copy_fits(struct rt_probe_job *j, const struct rt_code_place *place,
			struct rt_probe_count *count)
{
	const struct rt_probe_def *def = j->def;
	const char *suffix;

	/* At a line or an offset registers are what the user has found them to be. */
	if (def->has_line || def->has_offset || def->pattern || !def->function)
		return true;
	if (place->inlined && def->returns) {
		rt_err_set(j->err, EINVAL,
			   "%s is inlined into %s, and inlined code does not return; "
			   "probe the return of %s",
			   def->function, place->symbol, place->symbol);
		count->inlined++;
		return false;
	}
	/* If all copies are such ones, the user may still know what is in the registers. */
	if (place->inlined && count->entries && uses_registers(def)) {
		rt_err_set(j->err, EINVAL, "%s is inlined into %s: no register has a parameter",
			   def->function, place->symbol);
		count->inlined++;
		return false;
	}
	if (count->own && copy_at(place, &suffix) &&
	    (uses_registers(def) || (!j->debug && uses_parameters(def)))) {
		rt_err_set(j->err, EINVAL, "parameters of %s may be in other registers",
			   place->function);
		count->moved++;
		return false;
	}
	return true;
}

void rt_probe_count_probed(struct rt_probe_count *count, const struct rt_code_place *place)
{
	const char *suffix;

	count->probed++;
	if (copy_at(place, &suffix) & RT_KSYMS_PARTS)
		count->part = place->function;
}

char *rt_probe_count_note(const struct rt_probe_count *count, const struct rt_probe_job *j)
{
	struct rt_text text;
	char *note = NULL;

	rt_text_init(&text);
	if (count->probed < count->total)
		rt_text_printf(&text, "%s: %zu of %zu places probed",
			       j->def->function ? j->def->function : j->def->text, count->probed,
			       count->total);
	else if (count->part && count->probed > 1)
		rt_text_printf(&text, "%s: %zu places probed", j->def->function, count->probed);
	if (count->inlined)
		rt_text_printf(&text,
			       "; %%return and registers are not available at %zu inlined ones",
			       count->inlined);
	if (count->moved)
		rt_text_printf(
			&text,
			"; the compiler may have moved the parameters of %zu clones or parts%s",
			count->moved,
			j->debug ? "" : ", and there is no debug information to tell where");
	if (count->failed)
		rt_text_printf(&text, "; values cannot be recorded at %zu, for example because %s",
			       count->failed, j->err->text);
	if (count->part && count->total > 1)
		rt_text_printf(&text,
			       "; %s is entered from other copies, so its hits are not calls of "
			       "their own",
			       count->part);
	rt_text_char(&text, 0);
	if (!text.failed && *text.base)
		note = strdup(text.base);
	rt_text_free(&text);
	return note;
}
