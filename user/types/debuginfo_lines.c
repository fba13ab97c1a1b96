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

static int take_call(void *arg, const char *path, unsigned int line, uint64_t address)
{
	struct wanted *w = arg;

	return rt_source_file_matches(path, w->file) ? take_row(w, path, line, address) : 0;
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
	return ret ? ret : rt_debuginfo_calls(unit, NULL, take_call, w);
}

/*
 * Search the index of all lines, and then for calls in the functions that have code of the line: these are
 * not in the index.
 */
static int search_index(struct wanted *w, const struct rt_debug_index *index)
{
	int ret = rt_debug_index_lines(index, w->file, 0, UINT_MAX, take_row, w);
	Dwarf_Die scopes[RT_SCOPES_MAX], unit;
	size_t i, rows = w->out->count;
	const void *last = NULL;

	for (i = 0; !ret && i < rows; i++) {
		if (!rt_debuginfo_scopes(w->d, w->out->list[i].address, scopes) ||
		    scopes[0].addr == last || !dwarf_diecu(&scopes[0], &unit, NULL, NULL))
			continue;
		last = scopes[0].addr;
		ret = rt_debuginfo_calls(&unit, &scopes[0], take_call, w);
	}
	return ret;
}

static int search_one(void *arg, Dwarf_Die *unit)
{
	return search_unit(arg, unit);
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

/* A .c file is usually the name of its unit; others are included anywhere. */
static bool names_unit(const char *file)
{
	size_t size = strlen(file);

	return size > 2 && !strcmp(file + size - 2, ".c");
}

struct units {
	struct rt_debuginfo *d;
	int (*each)(void *arg, Dwarf_Die *unit);
	void *arg;
};

static int take_unit(void *arg, uint64_t offset)
{
	const struct units *u = arg;
	Dwarf_Die unit;

	return dwarf_offdie(u->d->dw, offset, &unit) ? u->each(u->arg, &unit) : 0;
}

/* Call each() for the units that are called FILE or, if not NAMED, for all, until it returns non-zero. */
static int each_unit(struct rt_debuginfo *d, const char *file, bool named,
		     int (*each)(void *arg, Dwarf_Die *unit), void *arg)
{
	const char *name, *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	const struct rt_debug_index *index = NULL;
	struct units units = { d, each, arg };
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int ret = 0;

	if (named)
		index = rt_debuginfo_index(d, RT_DEBUG_INDEX_UNITS, true);
	if (index)
		return rt_debug_index_units(index, base, take_unit, &units);
	while (!ret && !dwarf_get_units(d->dw, cu, &cu, NULL, NULL, &unit, NULL)) {
		if (++d->units_seen % RT_UNITS_STEP == 0)
			rt_debuginfo_give_back(d);
		name = dwarf_diename(&unit);
		if (!named || (name && rt_source_file_matches(name, base)))
			ret = each(arg, &unit);
	}
	return ret;
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
	const struct rt_debug_index *index = NULL;
	int ret = 0;

	if (names_unit(file))
		ret = each_unit(d, file, true, search_one, &w);
	/* A .c file may be a part of another. */
	if (!ret && !w.file_found)
		index = rt_debuginfo_index(d, RT_DEBUG_INDEX_LINES, true);
	if (index)
		ret = search_index(&w, index);
	else if (!ret && !w.file_found)
		ret = each_unit(d, file, false, search_one, &w);
	if (ret)
		return rt_err_set(err, ENOMEM, "out of memory");
	if (out->count)
		return 0;
	return w.file_found ? explain(&w, 0, err) : no_code(file, err);
}

/* --- lines of a function ------------------------------------------------------------------ */

/* The scope at a place that is called FUNCTION or, if it is NULL, the outermost. */
static bool find_scope(struct rt_debuginfo *d, const struct rt_code_place *place,
		       const char *function, Dwarf_Die *out)
{
	Dwarf_Die scopes[RT_SCOPES_MAX];
	int i = rt_debuginfo_scopes(d, place->address, scopes);

	while (i--)
		if (function ? dwarf_tag(&scopes[i]) != DW_TAG_lexical_block &&
				       rt_debuginfo_is_called(&scopes[i], function) :
			       !i) {
			*out = scopes[i];
			return true;
		}
	return false;
}

/*
 * The function at one of the places.  The copies of an inlined function may have no instructions of their own.
 * A symbol may have another name than its function: a clone, an alias.
 */
static bool find_die(struct rt_debuginfo *d, const char *function,
		     const struct rt_code_places *places, Dwarf_Die *unit, Dwarf_Die *out)
{
	const struct rt_code_place *p;

	for (p = places->list; p < places->list + places->count; p++)
		if (find_scope(d, p, function, out))
			return rt_debuginfo_unit(d, p->address, unit);
	for (p = places->list; p < places->list + places->count; p++)
		if (!p->inlined && find_scope(d, p, NULL, out))
			return rt_debuginfo_unit(d, p->address, unit);
	p = places->list;
	return rt_debuginfo_unit(d, p->address, unit) &&
	       rt_debuginfo_find_function(unit, function, out);
}

/*
 * Old compilers of Go do not say at which line a function is declared: its parameters do, otherwise the code
 * begins near that line.
 */
static bool guess_declaration(Dwarf_Die *unit, Dwarf_Die *function, int *line, const char **file)
{
	Dwarf_Addr address;
	Dwarf_Line *row;
	Dwarf_Die child;

	row = !dwarf_entrypc(function, &address) ? dwarf_getsrc_die(unit, address) : NULL;
	if (!*file)
		*file = row ? dwarf_linesrc(row, NULL, NULL) : NULL;
	if (!*file)
		return false;
	if (!dwarf_child(function, &child))
		do {
			if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
			    !dwarf_decl_line(&child, line))
				return true;
		} while (rt_debuginfo_sibling(&child));
	return row && !dwarf_lineno(row, line);
}

/* Find the function's DIE, the line of its declaration and its file. */
static int declaration(struct rt_debuginfo *d, const char *function, Dwarf_Die *unit,
		       Dwarf_Die *die, int *line, const char **file, struct rt_err *err)
{
	struct rt_code_places places = { 0 };
	int ret = rt_debuginfo_function(d, function, &places);

	if (!ret && !find_die(d, function, &places, unit, die))
		ret = -ENOENT;
	rt_code_places_free(&places);
	*file = ret ? NULL : dwarf_decl_file(die);
	if (*file && !dwarf_decl_line(die, line))
		return 0;
	if (!ret && guess_declaration(unit, die, line, file))
		return 0;
	return rt_err_set(err, ENOENT, "debug information does not describe the function %s",
			  function);
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

/* Which lines are to be marked.  If there is no room for marks yet, the last one is to be found. */
struct marking {
	Dwarf_Die *die; /* NULL: of any function */
	const char *file;
	unsigned int limit;
	struct rt_source_lines *out;
};

static int mark_line(void *arg, const char *path, unsigned int line, uint64_t address)
{
	struct rt_source_lines *out = ((struct marking *)arg)->out;
	const struct marking *m = arg;

	if (line < out->first || line > m->limit || !rt_source_file_matches(path, m->file) ||
	    (m->die && !contains(m->die, address)))
		return 0;
	if (!out->file)
		out->file = strdup(path);
	if (out->has_code && line <= out->last)
		out->has_code[line - out->first] = true;
	else if (!out->has_code && line > out->last)
		out->last = line;
	return 0;
}

static int mark_unit(void *arg, Dwarf_Die *unit)
{
	const struct marking *m = arg;
	Dwarf_Addr address;
	Dwarf_Lines *rows;
	Dwarf_Line *row;
	unsigned int line;
	size_t i, count;

	if (dwarf_getsrclines(unit, &rows, &count))
		return 0;
	for (i = 0; i < count; i++) {
		row = dwarf_onesrcline(rows, i);
		if (row_of(row, m->file, &line, &address))
			mark_line(arg, dwarf_linesrc(row, NULL, NULL), line, address);
	}
	return rt_debuginfo_calls(unit, m->die, mark_line, arg);
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
	struct marking m = { .die = &die, .limit = UINT_MAX, .out = out };
	int first, ret;

	memset(out, 0, sizeof(*out));
	ret = declaration(d, function, &unit, &die, &first, &m.file, err);
	if (ret)
		return ret;
	out->file = strdup(m.file);
	out->first = out->last = first;
	mark_unit(&m, &unit);
	ret = make_room(out, err);
	return ret ? ret : mark_unit(&m, &unit);
}

int rt_debuginfo_file_source(struct rt_debuginfo *d, const char *file, unsigned int first,
			     unsigned int last, struct rt_source_lines *out, struct rt_err *err)
{
	RT_DEBUGINFO_HOLD(d);
	struct marking m = { .file = file, .limit = last, .out = out };
	bool named = names_unit(file);
	int ret;

	memset(out, 0, sizeof(*out));
	out->first = out->last = first;
	each_unit(d, file, named, mark_unit, &m);
	/* A .c file may be a part of another. */
	if (!out->file && named) {
		named = false;
		each_unit(d, file, named, mark_unit, &m);
	}
	if (!out->file) {
		struct rt_code_places places = { 0 };

		/* It says which lines have code. */
		ret = rt_debuginfo_file_line(d, file, first, &places, err);
		rt_code_places_free(&places);
		return ret ? ret : no_code(file, err);
	}
	ret = make_room(out, err);
	return ret ? ret : each_unit(d, file, named, mark_unit, &m);
}

void rt_source_lines_free(struct rt_source_lines *lines)
{
	free(lines->file);
	free(lines->has_code);
	memset(lines, 0, sizeof(*lines));
}
