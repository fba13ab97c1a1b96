// SPDX-License-Identifier: GPL-2.0
#include "probe/show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/convention.h"
#include "probe/job.h"

/* --- variables ------------------------------------------------------------------------- */

static void show_parameter(struct rt_probe_job *j, const struct rt_type *function, uint32_t n,
			   FILE *out)
{
	enum rt_arch arch = rt_probe_sources_env(j->sources)->arch;
	char declared[256], where[RT_TYPED_TEXT];
	struct rt_member member;
	struct rt_typed value;
	struct rt_err ignored;

	if (rt_types_member(j->types, function->id, n, &member))
		return;
	if (!member.name && !member.type) {
		fputs("\t...\n", out);
		return;
	}
	if (rt_convention_place(arch, j->types, function->id, n, &value, &ignored) ||
	    rt_typed_text(&value, where, sizeof(where)))
		strcpy(where, "not placed by the calling convention");
	rt_types_declare(j->types, member.type, member.name, declared, sizeof(declared));
	fprintf(out, "\t%-40s %s%s%s\n", declared, where, *value.second ? " " : "", value.second);
}

static int show_entry(struct rt_probe_job *j, FILE *out)
{
	struct rt_type function;
	char declared[256];
	uint32_t i;

	if (rt_types_get(j->types, j->function, &function))
		return rt_err_set(j->err, EINVAL, "the types are damaged");
	fprintf(out, "%s%s%s, at its entry:\n", j->module ? j->module : "", j->module ? ":" : "",
		j->def->function);
	for (i = 0; i < function.count; i++)
		show_parameter(j, &function, i, out);
	fprintf(out, "%s%%return:\n\t%s\n", j->def->function,
		rt_types_declare(j->types, function.target, "$retval", declared, sizeof(declared)));
	return 0;
}

struct listing {
	struct rt_probe_job *job;
	bool global;
	FILE *out;
};

static int show_variable(void *arg, const struct rt_variable *variable)
{
	char declared[256], where[RT_TYPED_TEXT];
	struct listing *l = arg;
	struct rt_typed value;

	if (l->global && !l->job->user)
		snprintf(where, sizeof(where), "@%s", variable->name);
	else if (l->global)
		strcpy(where, "of the program; not recorded by name");
	else if (rt_probe_place_variable(l->job, variable, &value) ||
		 rt_typed_text(&value, where, sizeof(where)))
		snprintf(where, sizeof(where), "%s",
			 variable->location.kind == RT_LOCATION_NONE  ? "optimised out here" :
			 variable->location.kind == RT_LOCATION_ENTRY ? "known only at the entry" :
									"computed");
	rt_types_declare(rt_debuginfo_types(l->job->debug), variable->type, variable->name,
			 declared, sizeof(declared));
	fprintf(l->out, "\t%-40s %s\n", declared, where);
	return 0;
}

/* BTF does not say which file a function comes from: its variables are in debug information. */
static int show_externs(struct rt_probe_job *j, struct listing *l, FILE *out)
{
	struct rt_code_places places = { 0 };
	int ret = rt_probe_open_debug(j, &j->debug, j->err);

	if (!ret)
		ret = rt_debuginfo_function(j->debug, j->def->function, &places);
	if (ret == -ENOENT && j->debug)
		ret = rt_err_set(j->err, ENOENT, "debug information does not describe %s",
				 j->def->function);
	if (!ret) {
		fputs("variables of the file:\n", out);
		l->global = true;
		rt_debuginfo_globals(j->debug, places.list[0].address, show_variable, l);
	}
	rt_code_places_free(&places);
	return ret;
}

/* What BTF knows of the function's own entry. */
static int show_own(struct rt_probe_job *j, struct listing *l, bool externs, FILE *out)
{
	struct rt_debuginfo *debug = j->debug;
	int ret;

	j->debug = NULL;
	ret = rt_probe_describe(j);
	if (j->unknown)
		ret = rt_err_set(j->err, ENOENT,
				 "there is no function %s here; 'ringtail probe -F *%s*' looks for "
				 "similar names",
				 j->def->function, j->def->function);
	if (!ret)
		ret = show_entry(j, out);
	if (!ret && externs)
		ret = show_externs(j, l, out);
	j->debug = debug;
	return ret;
}

/* What debug information knows of other places. */
static void show_place(struct rt_probe_job *j, struct listing *l, bool externs, FILE *out)
{
	fprintf(out, "%s+0x%llx:\n", j->place->symbol, (unsigned long long)j->place->offset);
	if (!j->debug) {
		fputs("\tnot known without debug information\n", out);
		return;
	}
	l->global = false;
	rt_debuginfo_variables(j->debug, j->place->address, show_variable, l);
	l->global = true;
	if (externs)
		rt_debuginfo_globals(j->debug, j->place->address, show_variable, l);
}

/* Functions without names of variables still have places: look as if one had been named. */
static int show_variables(struct rt_probe_job *j, struct rt_probe_def *def, bool externs, FILE *out)
{
	struct rt_probe_value any = { .text = (char *)"$vars", .what = (char *)"$vars" };
	struct listing l = { .job = j, .out = out };
	struct rt_code_places places = { 0 };
	size_t i;
	int ret;

	if (def->count)
		return rt_err_set(j->err, EINVAL, "-V takes a place without values: '%s'",
				  def->values[0].text);
	def->values = &any;
	def->count = 1;
	ret = rt_probe_find_places(j, &places);
	def->values = NULL;
	def->count = 0;
	if (!ret && (j->own || !places.count))
		ret = show_own(j, &l, externs, out);
	for (i = 0; !ret && i < places.count; i++) {
		j->place = places.list + i;
		show_place(j, &l, externs, out);
	}
	rt_code_places_free(&places);
	return ret;
}

int rt_probe_show_variables(struct rt_probe_sources *s, const char *definition, bool externs,
			    FILE *out, struct rt_err *err)
{
	struct rt_probe_def def;
	struct rt_probe_job j = { .sources = s, .def = &def, .err = err };
	int ret = rt_probe_def_parse(&def, definition, err);

	j.module = def.module;
	j.user = def.module && strchr(def.module, '/') && !rt_probe_is_module(def.module);
	if (!ret)
		ret = show_variables(&j, &def, externs, out);
	free(j.own_module);
	rt_probe_def_free(&def);
	return ret;
}
