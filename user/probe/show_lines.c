// SPDX-License-Identifier: GPL-2.0
/* The source of a function or a part of a file, with the lines that can be probed. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "probe/job.h"
#include "probe/show.h"

/* The lines that are wanted: of the function, or of the file. */
struct range {
	unsigned int first, last;
	bool given;
};

/*
 * Cut "-LAST" or "+COUNT" behind ":FIRST" off the text, as perf takes them; the definition keeps :FIRST.
 */
static int take_range(char *text, struct range *range, struct rt_err *err)
{
	char *colon = strrchr(text, ':'), *end, *next;
	unsigned long first, second;

	range->first = 0;
	range->last = UINT_MAX;
	range->given = colon && isdigit((unsigned char)colon[1]);
	if (!range->given)
		return 0;
	first = strtoul(colon + 1, &end, 10);
	if (*end == '-' || *end == '+') {
		second = strtoul(end + 1, &next, 10);
		if (!isdigit((unsigned char)end[1]) || *next || first > INT_MAX || second > INT_MAX)
			return rt_err_set(err, EINVAL,
					  "lines are FIRST, FIRST-LAST or FIRST+COUNT, not '%.80s'",
					  colon + 1);
		range->last = *end == '-' ? second : first + second - 1;
		*end = 0;
	}
	range->first = first;
	if (range->last < range->first)
		return rt_err_set(err, EINVAL, "line %u is before line %u", range->last,
				  range->first);
	return 0;
}

/* Print the lines FIRST to LAST of the source; numbers count from BASE. */
static void print_lines(char *text, const struct rt_source_lines *source, unsigned int first,
			unsigned int last, unsigned int base, FILE *out)
{
	unsigned int number;
	char *line, *rest;

	if (!text)
		fputs("the source is not here, nor in /usr/src (--source DIR names its directory); lines "
		      "with code:\n",
		      out);
	rest = text;
	for (number = 1; number <= last; number++) {
		line = rest ? strsep(&rest, "\n") : NULL;
		if (number < first)
			continue;
		if (source->has_code[number - source->first])
			fprintf(out, "%7u  %s\n", number - base, line ? line : "");
		else if (line)
			fprintf(out, "         %s\n", line);
	}
}

/* Read the source; PATH is where it is, or what debug information says. */
static char *read_source(struct rt_probe_job *j, const struct rt_source_lines *source,
			 char path[PATH_MAX])
{
	const char *typed = j->def->module;
	char *text;

	if (!rt_probe_source_text(j->sources, typed && strchr(typed, '/') ? typed : j->module,
				  source->file, path, &text))
		return text;
	snprintf(path, PATH_MAX, "%s", source->file);
	return NULL;
}

static int show_function(struct rt_probe_job *j, struct rt_debuginfo *debug,
			 const struct range *range, FILE *out)
{
	const char *function = j->def->function;
	struct rt_err *err = j->err;
	struct rt_source_lines source;
	unsigned int lines, last;
	char path[PATH_MAX], *text;
	int ret = rt_debuginfo_source(debug, function, &source, err);

	if (ret)
		return ret;
	lines = source.last - source.first;
	last = range->last < lines ? range->last : lines;
	if (range->first > lines) {
		ret = rt_err_set(err, ENOENT, "%s has no line %u with code; the last is %u",
				 function, range->first, lines);
	} else {
		text = read_source(j, &source, path);
		fprintf(out, "<%s@%s:%u>\n", function, path, source.first);
		print_lines(text, &source, source.first + range->first, source.first + last,
			    source.first, out);
		free(text);
	}
	rt_source_lines_free(&source);
	return ret;
}

static int show_file(struct rt_probe_job *j, struct rt_debuginfo *debug, const struct range *range,
		     FILE *out)
{
	struct rt_source_lines source;
	char path[PATH_MAX], *text;
	int ret = rt_debuginfo_file_source(debug, j->def->file, range->first, range->last, &source,
					   j->err);

	if (ret)
		return ret;
	text = read_source(j, &source, path);
	fprintf(out, "<%s:%u>\n", path, source.first);
	print_lines(text, &source, source.first, source.last, 0, out);
	free(text);
	rt_source_lines_free(&source);
	return 0;
}

/* The debug information of the function or file that DEF names. */
static int open_debug(struct rt_probe_job *j, struct rt_debuginfo **debug, struct rt_err *err)
{
	const struct rt_probe_def *def = j->def;
	int ret = 0;

	j->module = def->module;
	if (def->function && !(def->module && strchr(def->module, '/')))
		ret = rt_probe_find_module(j);
	/* It may be inlined everywhere. */
	if (ret && !j->unknown)
		return ret;
	return rt_probe_sources_debug(j->sources, j->module, debug, err);
}

static int show(struct rt_probe_sources *s, const char *text, const struct range *range, FILE *out,
		struct rt_err *err)
{
	struct rt_debuginfo *debug;
	struct rt_probe_def def;
	struct rt_probe_job j = { .sources = s, .def = &def, .err = err };
	int ret = rt_probe_def_parse(&def, text, err);

	if (!ret && (def.count || def.has_offset || def.returns || def.pattern ||
		     (!def.function && (!def.file || !range->given))))
		ret = rt_err_set(err, EINVAL,
				 "name a function or lines of a file: -L FUNCTION[:FIRST[-LAST]], "
				 "-L FILE:FIRST[-LAST]");
	if (!ret)
		ret = open_debug(&j, &debug, err);
	if (!ret)
		ret = def.function ? show_function(&j, debug, range, out) :
				     show_file(&j, debug, range, out);
	free(j.own_module);
	rt_probe_def_free(&def);
	return ret;
}

int rt_probe_show_lines(struct rt_probe_sources *s, const char *definition, FILE *out,
			struct rt_err *err)
{
	char *text = strdup(definition);
	struct range range;
	int ret = text ? take_range(text, &range, err) : rt_err_set(err, ENOMEM, "out of memory");

	if (!ret)
		ret = show(s, text, &range, out, err);
	free(text);
	return ret;
}
