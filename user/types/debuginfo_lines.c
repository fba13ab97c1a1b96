// SPDX-License-Identifier: GPL-2.0
/* The addresses of source lines. */
#include <dwarf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "host/source_file.h"
#include "types/debuginfo_internal.h"

enum { LINES_MAX = 1 << 24 }; /* of one source file */

/* Which rows of a unit's line table are wanted, and what was found. */
struct wanted {
	struct rt_debuginfo *d;
	const char *file;
	unsigned int line;
	struct rt_code_places *out;
	unsigned int before, after; /* the nearest lines with code */
	bool file_found;
};

bool rt_debuginfo_row(Dwarf_Line *row, unsigned int *line, Dwarf_Addr *address)
{
	bool statement = false, end = true;
	int number;

	if (dwarf_lineno(row, &number) || dwarf_linebeginstatement(row, &statement) ||
	    dwarf_lineendsequence(row, &end) || !statement || end || number <= 0 ||
	    dwarf_lineaddr(row, address))
		return false;
	*line = number;
	return true;
}

static bool row_of(Dwarf_Line *row, const char *file, unsigned int *line, Dwarf_Addr *address)
{
	const char *source = dwarf_linesrc(row, NULL, NULL);

	return source && rt_source_file_matches(source, file) &&
	       rt_debuginfo_row(row, line, address);
}

static int take_row(void *arg, const char *path, unsigned int line, uint64_t address)
{
	struct wanted *w = arg;

	w->file_found = true;
	if (line == w->line)
		return rt_debuginfo_add_place(w->d, address, false, w->out);
	if (line < w->line && line > w->before)
		w->before = line;
	else if (line > w->line && (!w->after || line < w->after))
		w->after = line;
	return 0;
}

static int search_unit(struct wanted *w, Dwarf_Die *unit)
{
	unsigned int line;
	Dwarf_Lines *rows;
	Dwarf_Addr address;
	size_t i, count;
	int ret = 0;

	if (dwarf_getsrclines(unit, &rows, &count))
		return 0;
	for (i = 0; i < count && !ret; i++)
		if (row_of(dwarf_onesrcline(rows, i), w->file, &line, &address))
			ret = take_row(w, NULL, line, address);
	return ret;
}

static int explain(const struct wanted *w, unsigned int first, struct rt_err *err)
{
	const char *relative = first ? " of the function" : "";

	if (w->before && w->after)
		return rt_err_set(
			err, ENOENT,
			"line %u%s has no code; the nearest lines with code are %u and %u",
			w->line - first, relative, w->before - first, w->after - first);
	return rt_err_set(err, ENOENT, "line %u%s has no code; the nearest line with code is %u",
			  w->line - first, relative, (w->before ? w->before : w->after) - first);
}

/* A .c file is the name of its unit; others are included anywhere. */
static bool names_unit(const char *file)
{
	size_t size = strlen(file);

	return size > 2 && !strcmp(file + size - 2, ".c");
}

/* The next unit that may have code of FILE; false after the last. */
static bool next_unit(struct rt_debuginfo *d, const char *file, Dwarf_CU **cu, Dwarf_Die *unit)
{
	bool named = names_unit(file);
	const char *name, *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;

	while (!dwarf_get_units(d->dw, *cu, cu, NULL, NULL, unit, NULL)) {
		if (++d->units_seen % RT_UNITS_STEP == 0)
			rt_debuginfo_give_back(d);
		name = dwarf_diename(unit);
		if (!named || (name && rt_source_file_matches(name, base)))
			return true;
	}
	return false;
}

static int no_code(const char *file, struct rt_err *err)
{
	return rt_err_set(err, ENOENT,
			  "no code comes from the file '%.100s'; is it a part of this kernel, "
			  "module or program?",
			  file);
}

int rt_debuginfo_file_line(struct rt_debuginfo *d, const char *file, unsigned int line,
			   struct rt_code_places *out, struct rt_err *err)
{
	RT_DEBUGINFO_HOLD(d);
	struct wanted w = { .d = d, .file = file, .line = line, .out = out };
	const struct rt_debug_index *index =
		rt_debuginfo_index(d, RT_DEBUG_INDEX_LINES, !names_unit(file));
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int ret = 0;

	if (index)
		ret = rt_debug_index_lines(index, file, 0, UINT_MAX, take_row, &w);
	while (!index && !ret && next_unit(d, file, &cu, &unit))
		ret = search_unit(&w, &unit);
	if (ret)
		return rt_err_set(err, ENOMEM, "out of memory");
	if (out->count)
		return 0;
	return w.file_found ? explain(&w, 0, err) : no_code(file, err);
}

/* --- lines of a function ------------------------------------------------------------------ */

/* Find the function's DIE, the line of its declaration and its file. */
static int declaration(struct rt_debuginfo *d, const char *function, Dwarf_Die *unit,
		       Dwarf_Die *die, int *line, const char **file, struct rt_err *err)
{
	struct rt_code_places places = { 0 };
	Dwarf_Die scopes[RT_SCOPES_MAX];
	int i, ret;

	ret = rt_debuginfo_function(d, function, &places);
	if (!ret && !rt_debuginfo_unit(d, places.list[0].address, unit))
		ret = -ENOENT;
	if (!ret) {
		i = rt_debuginfo_scopes(d, places.list[0].address, scopes);
		ret = -ENOENT;
		/* A symbol may have another name than its function: a clone, an alias. */
		while (i-- && ret) {
			if (dwarf_tag(&scopes[i]) == DW_TAG_lexical_block ||
			    (i && !rt_debuginfo_is_called(&scopes[i], function)))
				continue;
			*die = scopes[i];
			*file = dwarf_decl_file(die);
			ret = *file && !dwarf_decl_line(die, line) ? 0 : -ENOENT;
		}
	}
	rt_code_places_free(&places);
	if (ret)
		return rt_err_set(err, ENOENT,
				  "debug information does not describe the function %s", function);
	return 0;
}

int rt_debuginfo_function_line(struct rt_debuginfo *d, const char *function, unsigned int line,
			       struct rt_code_places *out, struct rt_err *err)
{
	RT_DEBUGINFO_HOLD(d);
	struct wanted w = { .d = d, .out = out };
	Dwarf_Die unit, die;
	int first, ret = declaration(d, function, &unit, &die, &first, &w.file, err);

	if (ret)
		return ret;
	w.line = first + line;
	ret = search_unit(&w, &unit);
	if (ret)
		return rt_err_set(err, ENOMEM, "out of memory");
	return out->count ? 0 : explain(&w, first, err);
}

static bool contains(Dwarf_Die *die, Dwarf_Addr address)
{
	return dwarf_haspc(die, address) > 0;
}

/*
 * Go over the rows of a unit, or of a function if DIE is not NULL: mark lines, or find the last one, up to
 * LIMIT, if there is no room yet.
 */
static void mark(Dwarf_Die *unit, Dwarf_Die *die, const char *file, unsigned int limit,
		 struct rt_source_lines *out)
{
	Dwarf_Addr address;
	Dwarf_Lines *rows;
	Dwarf_Line *row;
	unsigned int line;
	size_t i, count;

	if (dwarf_getsrclines(unit, &rows, &count))
		return;
	for (i = 0; i < count; i++) {
		row = dwarf_onesrcline(rows, i);
		if (!row_of(row, file, &line, &address) || line < out->first || line > limit ||
		    (die && !contains(die, address)))
			continue;
		if (!out->file)
			out->file = strdup(dwarf_linesrc(row, NULL, NULL));
		if (out->has_code && line <= out->last)
			out->has_code[line - out->first] = true;
		else if (!out->has_code && line > out->last)
			out->last = line;
	}
}

/* Make room for the lines that were found. */
static int make_room(struct rt_source_lines *out, struct rt_err *err)
{
	if (out->file && out->last - out->first < LINES_MAX)
		out->has_code = calloc(out->last - out->first + 1, sizeof(*out->has_code));
	if (out->has_code)
		return 0;
	rt_source_lines_free(out);
	return rt_err_set(err, ENOMEM, "out of memory");
}

int rt_debuginfo_source(struct rt_debuginfo *d, const char *function, struct rt_source_lines *out,
			struct rt_err *err)
{
	RT_DEBUGINFO_HOLD(d);
	Dwarf_Die unit, die;
	const char *file;
	int first, ret;

	memset(out, 0, sizeof(*out));
	ret = declaration(d, function, &unit, &die, &first, &file, err);
	if (ret)
		return ret;
	out->file = strdup(file);
	out->first = out->last = first;
	mark(&unit, &die, file, UINT_MAX, out);
	ret = make_room(out, err);
	if (!ret)
		mark(&unit, &die, file, UINT_MAX, out);
	return ret;
}

int rt_debuginfo_file_source(struct rt_debuginfo *d, const char *file, unsigned int first,
			     unsigned int last, struct rt_source_lines *out, struct rt_err *err)
{
	RT_DEBUGINFO_HOLD(d);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int ret;

	memset(out, 0, sizeof(*out));
	out->first = out->last = first;
	while (next_unit(d, file, &cu, &unit))
		mark(&unit, NULL, file, last, out);
	if (!out->file) {
		struct rt_code_places places = { 0 };

		/* It says which lines have code. */
		ret = rt_debuginfo_file_line(d, file, first, &places, err);
		rt_code_places_free(&places);
		return ret ? ret : no_code(file, err);
	}
	ret = make_room(out, err);
	for (cu = NULL; !ret && next_unit(d, file, &cu, &unit);)
		mark(&unit, NULL, file, last, out);
	return ret;
}

void rt_source_lines_free(struct rt_source_lines *lines)
{
	free(lines->file);
	free(lines->has_code);
	memset(lines, 0, sizeof(*lines));
}
