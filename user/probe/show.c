// SPDX-License-Identifier: GPL-2.0
#include "probe/show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "probe/convention.h"
#include "probe/job.h"

enum { SOURCE_SIZE_MAX = 64 << 20 };

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
	FILE *out;
};

static int show_variable(void *arg, const struct rt_variable *variable)
{
	char declared[256], where[RT_TYPED_TEXT];
	struct listing *l = arg;
	struct rt_typed value;

	if (rt_probe_place_variable(l->job, variable, &value) ||
	    rt_typed_text(&value, where, sizeof(where)))
		snprintf(where, sizeof(where), "%s",
			 variable->location.kind == RT_LOCATION_NONE ? "optimised out here" :
								       "computed");
	rt_types_declare(rt_debuginfo_types(l->job->debug), variable->type, variable->name,
			 declared, sizeof(declared));
	fprintf(l->out, "\t%-40s %s\n", declared, where);
	return 0;
}

/* Functions without names of variables still have places: look as if one had been named. */
static int show_variables(struct rt_probe_job *j, struct rt_probe_def *def, FILE *out)
{
	struct rt_probe_value any = { .text = (char *)"$vars", .what = (char *)"$vars" };
	struct listing l = { j, out };
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
	for (i = 0; !ret && i < places.count; i++) {
		j->place = places.list + i;
		fprintf(out, "%s+0x%llx:\n", j->place->symbol,
			(unsigned long long)j->place->offset);
		rt_debuginfo_variables(j->debug, j->place->address, show_variable, &l);
	}
	if (!ret && !places.count)
		ret = rt_probe_describe(j);
	if (j->unknown)
		ret = rt_err_set(j->err, ENOENT,
				 "there is no function %s here; 'ringtail probe -F *%s*' looks for "
				 "similar names",
				 def->function, def->function);
	if (!ret && !places.count)
		ret = show_entry(j, out);
	rt_code_places_free(&places);
	return ret;
}

int rt_probe_show_variables(struct rt_probe_sources *s, const char *definition, FILE *out,
			    struct rt_err *err)
{
	struct rt_probe_def def;
	struct rt_probe_job j = { .sources = s, .def = &def, .err = err };
	int ret = rt_probe_def_parse(&def, definition, err);

	j.module = def.module;
	j.user = def.module && strchr(def.module, '/') && !rt_probe_is_module(def.module);
	if (!ret)
		ret = show_variables(&j, &def, out);
	free(j.own_module);
	rt_probe_def_free(&def);
	return ret;
}

/* --- lines ------------------------------------------------------------------------------ */

static int show_lines(struct rt_debuginfo *debug, const char *function, FILE *out,
		      struct rt_err *err)
{
	struct rt_source_lines source;
	char *text = NULL, *line, *rest;
	unsigned int number;
	int ret = rt_debuginfo_source(debug, function, &source, err);

	if (ret)
		return ret;
	fprintf(out, "<%s@%s:%u>\n", function, source.file, source.first);
	if (rt_file_read(source.file, SOURCE_SIZE_MAX, &text, NULL)) {
		text = NULL;
		fputs("the source is not here; lines with code:\n", out);
	}
	rest = text;
	for (number = 1; number <= source.last; number++) {
		line = rest ? strsep(&rest, "\n") : NULL;
		if (number < source.first)
			continue;
		if (source.has_code[number - source.first])
			fprintf(out, "%7u  %s\n", number - source.first, line ? line : "");
		else if (line)
			fprintf(out, "         %s\n", line);
	}
	free(text);
	rt_source_lines_free(&source);
	return 0;
}

int rt_probe_show_lines(struct rt_probe_sources *s, const char *definition, FILE *out,
			struct rt_err *err)
{
	struct rt_debuginfo *debug;
	struct rt_probe_def def;
	struct rt_probe_job j = { .sources = s, .def = &def, .err = err };
	int ret = rt_probe_def_parse(&def, definition, err);

	if (!ret && (!def.function || def.count || def.has_line))
		ret = rt_err_set(err, EINVAL, "name a function: -L FUNCTION");
	if (!ret && def.module && strchr(def.module, '/')) {
		ret = rt_probe_sources_debug(s, def.module, &debug, err);
	} else if (!ret) {
		ret = rt_probe_find_module(&j);
		/* It may be inlined everywhere. */
		if (!ret || j.unknown)
			ret = rt_probe_sources_debug(s, j.module, &debug, err);
	}
	if (!ret)
		ret = show_lines(debug, def.function, out, err);
	free(j.own_module);
	rt_probe_def_free(&def);
	return ret;
}
