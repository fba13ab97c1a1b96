// SPDX-License-Identifier: GPL-2.0
/* The places of a definition that only debug information knows: lines, offsets, inlined functions. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/job.h"

/* Whether a value is a name that must be looked up.  With a type $retval is a register. */
static bool is_name(const struct rt_probe_value *value)
{
	const char *what = value->what;

	if (value->type && !strcmp(what, "$retval"))
		return false;
	return !strchr("%+-\\@", *what) && strncmp(what, "$stack", 6) && strncmp(what, "$arg", 4) &&
	       strcmp(what, "$comm") && strcmp(what, "$cpu");
}

static bool has_names(const struct rt_probe_def *def)
{
	size_t i;

	for (i = 0; i < def->count; i++)
		if (is_name(&def->values[i]))
			return true;
	return false;
}

/* Whether BTF and the symbols are enough. */
static bool without_debug(struct rt_probe_job *j)
{
	struct rt_err why, *err = j->err;
	bool names = has_names(j->def), enough;

	if (j->def->has_line || j->def->pattern)
		return false;
	if (!j->def->function)
		return !names;
	/* Programs have no BTF. */
	if (j->user)
		return false;
	if (j->def->offset && names)
		return false;
	j->err = &why;
	if (names)
		enough = !rt_probe_describe(j);
	else
		enough = !rt_probe_find_module(j) || !j->unknown;
	j->err = err;
	return enough;
}

int rt_probe_open_debug(struct rt_probe_job *j, struct rt_debuginfo **out, struct rt_err *err)
{
	const char *typed = j->def->module;

	return rt_probe_sources_debug(j->sources, typed && strchr(typed, '/') ? typed : j->module,
				      out, err);
}

/* Lines of the function whose text matches the pattern; blanks do not count. */
static int find_pattern(struct rt_probe_job *j, struct rt_code_places *out)
{
	char *text = NULL, *line, *rest, *glob, *from, *to, path[PATH_MAX];
	const char *typed = j->def->module;
	struct rt_source_lines source;
	unsigned int number = 0;
	int ret = rt_debuginfo_source(j->debug, j->def->function, &source, j->err);

	if (ret)
		return ret;
	ret = rt_probe_source_text(j->sources, typed && strchr(typed, '/') ? typed : j->module,
				   source.file, path, &text);
	if (ret || asprintf(&glob, "*%s*", j->def->pattern) < 0) {
		ret = rt_err_set(
			j->err, ENOENT,
			"%s: %s; a pattern needs the source: 'ringtail probe --source DIR' "
			"names its directory",
			source.file, strerror(ret ? -ret : ENOMEM));
		rt_source_lines_free(&source);
		free(text);
		return ret;
	}
	for (rest = text; !ret && (line = strsep(&rest, "\n"));) {
		number++;
		if (number < source.first || number > source.last ||
		    !source.has_code[number - source.first])
			continue;
		for (from = to = line; *from; from++)
			if (*from != ' ' && *from != '\t')
				*to++ = *from;
		*to = 0;
		if (!fnmatch(glob, line, 0))
			ret = rt_debuginfo_file_line(j->debug, source.file, number, out, j->err);
	}
	if (!ret && !out->count)
		ret = rt_err_set(
			j->err, ENOENT,
			"no line of %s with code matches '%.80s'; 'ringtail probe -L %s' shows "
			"them",
			j->def->function, j->def->pattern, j->def->function);
	free(glob);
	free(text);
	rt_source_lines_free(&source);
	return ret;
}

static int find(struct rt_probe_job *j, struct rt_code_places *out)
{
	const struct rt_probe_def *def = j->def;
	int ret;

	if (def->pattern)
		return find_pattern(j, out);
	if (def->has_line)
		return def->function ?
			       rt_debuginfo_function_line(j->debug, def->function, def->line, out,
							  j->err) :
			       rt_debuginfo_file_line(j->debug, def->file, def->line, out, j->err);
	ret = def->offset ? rt_debuginfo_symbol(j->debug, def->function, def->offset, out) :
			    rt_debuginfo_function(j->debug, def->function, out);
	if (ret == -ENOENT)
		return rt_err_set(
			j->err, ENOENT,
			"neither the symbols nor the debug information have a function %s; "
			"'ringtail probe -F' lists functions",
			def->function);
	return ret ? rt_err_set(j->err, -ret, "out of memory") : 0;
}

int rt_probe_find_places(struct rt_probe_job *j, struct rt_code_places *out)
{
	struct rt_err debug_err, *err = j->err;
	bool unknown, plain;
	int ret;

	if (without_debug(j))
		return rt_probe_find_copies(j, out);
	plain = j->user && !j->def->has_line && !j->def->pattern && !has_names(j->def);
	unknown = j->unknown;
	j->unknown = false;
	ret = rt_probe_open_debug(j, &j->debug, &debug_err);
	if (!ret) {
		j->described = false;
		ret = find(j, out);
		/* The parser of -e knows more names: mangled ones, those of dynamic symbols. */
		if (ret != -ENOENT || !plain)
			return ret;
	}
	j->debug = NULL;
	if (plain)
		return 0;
	if (j->def->has_line || j->def->pattern || j->user)
		return rt_err_set(err, ENOENT, "%s", debug_err.text);
	/* The reason why BTF was not enough comes when the values are written. */
	j->unknown = unknown;
	return unknown ? 0 : rt_probe_find_copies(j, out);
}
