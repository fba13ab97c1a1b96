// SPDX-License-Identifier: GPL-2.0
#include "types/line_table.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "types/debuginfo_internal.h"

enum {
	VERSION = 5,
	ADDRESS_SIZE = 8,
	FORMATS_MAX = 8, /* of the entries of directories and files */
	NAMES_MAX = 1 << 20,
};

struct entry_format {
	unsigned int count;
	struct {
		uint64_t content, form;
	} list[FORMATS_MAX];
};

struct entry {
	const char *name;
	uint64_t directory;
};

struct table {
	const struct rt_line_tables *of;
	const struct rt_line_reader *reader;
	struct rt_dwarf_bytes program;
	struct entry *directories, *files;
	bool *named; /* which files the reader knows */
	size_t directory_count, file_count;
	uint8_t instruction, opcode_base, line_range;
	int8_t line_base;
	bool statement; /* at the beginning of a sequence */
	const uint8_t *lengths;
};

/* What the program computes. */
struct state {
	uint64_t address, file, line;
	bool statement;
};

/* A string at an offset of a section, or where B is; NULL if it does not end. */
static const char *get_string(struct rt_dwarf_bytes b)
{
	return b.at && memchr(b.at, 0, b.end - b.at) ? (const char *)b.at : NULL;
}

static const char *string_at(const struct rt_dwarf_bytes *section, uint64_t offset)
{
	struct rt_dwarf_bytes b = *section;

	rt_dwarf_skip(&b, offset);
	return get_string(b);
}

/* --- directories and files ---------------------------------------------------------------- */

/* Read a value of an entry: a string or a number.  False: a form that is not known here. */
static bool get_value(const struct table *t, struct rt_dwarf_bytes *b, uint64_t form,
		      const char **text, uint64_t *number)
{
	switch (form) {
	case DW_FORM_line_strp:
		*text = string_at(&t->of->line_strings, rt_dwarf_get(b, 4));
		return *text;
	case DW_FORM_strp:
		*text = string_at(&t->of->strings, rt_dwarf_get(b, 4));
		return *text;
	case DW_FORM_string:
		*text = get_string(*b);
		rt_dwarf_skip(b, *text ? strlen(*text) + 1 : UINT64_MAX);
		return *text;
	case DW_FORM_data1:
		*number = rt_dwarf_get(b, 1);
		return true;
	case DW_FORM_data2:
		*number = rt_dwarf_get(b, 2);
		return true;
	case DW_FORM_data4:
		*number = rt_dwarf_get(b, 4);
		return true;
	case DW_FORM_data8:
		*number = rt_dwarf_get(b, 8);
		return true;
	case DW_FORM_udata:
		*number = rt_dwarf_get_leb(b, false);
		return true;
	case DW_FORM_data16:
		rt_dwarf_skip(b, 16);
		return true;
	default:
		return false;
	}
}

static bool get_formats(struct rt_dwarf_bytes *b, struct entry_format *out)
{
	unsigned int i;

	out->count = rt_dwarf_get(b, 1);
	if (out->count > FORMATS_MAX)
		return false;
	for (i = 0; i < out->count; i++) {
		out->list[i].content = rt_dwarf_get_leb(b, false);
		out->list[i].form = rt_dwarf_get_leb(b, false);
	}
	return b->at;
}

static bool get_entry(const struct table *t, struct rt_dwarf_bytes *b,
		      const struct entry_format *formats, struct entry *out)
{
	const char *text;
	uint64_t number;
	unsigned int i;

	for (i = 0; i < formats->count; i++) {
		text = NULL;
		number = 0;
		if (!get_value(t, b, formats->list[i].form, &text, &number))
			return false;
		if (formats->list[i].content == DW_LNCT_path)
			out->name = text;
		else if (formats->list[i].content == DW_LNCT_directory_index)
			out->directory = number;
	}
	return b->at && out->name;
}

/* The directories or the files. */
static bool get_entries(const struct table *t, struct rt_dwarf_bytes *b, struct entry **out,
			size_t *count)
{
	struct entry_format formats;
	uint64_t n, i;

	if (!get_formats(b, &formats))
		return false;
	n = rt_dwarf_get_leb(b, false);
	/* Each has a byte at least. */
	if (!b->at || n > NAMES_MAX || n > (uint64_t)(b->end - b->at))
		return false;
	*out = calloc(n + 1, sizeof(**out));
	if (!*out)
		return false;
	*count = n;
	for (i = 0; i < n; i++)
		if (!get_entry(t, b, &formats, &(*out)[i]))
			return false;
	return true;
}

/* --- the program -------------------------------------------------------------------------- */

static bool give_row(struct table *t, const struct state *s)
{
	const struct rt_line_reader *r = t->reader;
	const struct entry *file;

	if (!s->statement || !s->line || s->line > INT_MAX || s->file >= t->file_count)
		return true;
	if (!t->named[s->file]) {
		file = &t->files[s->file];
		if (file->directory >= t->directory_count ||
		    !r->name(r->arg, s->file,
			     *file->name == '/' ? NULL : t->directories[file->directory].name,
			     file->name))
			return false;
		t->named[s->file] = true;
	}
	return r->row(r->arg, s->file, (unsigned int)s->line, s->address);
}

static void begin_sequence(const struct table *t, struct state *s)
{
	*s = (struct state){ .file = 1, .line = 1, .statement = t->statement };
}

static bool run_extended(struct table *t, struct rt_dwarf_bytes *b, struct state *s)
{
	uint64_t size = rt_dwarf_get_leb(b, false);
	struct rt_dwarf_bytes part = *b;

	rt_dwarf_skip(b, size);
	if (!b->at || !size)
		return false;
	part.end = b->at;
	switch (rt_dwarf_get(&part, 1)) {
	case DW_LNE_end_sequence:
		begin_sequence(t, s);
		return true;
	case DW_LNE_set_address:
		s->address = rt_dwarf_get(&part, ADDRESS_SIZE);
		return part.at;
	case DW_LNE_define_file:
		return false;
	default:
		return true;
	}
}

static bool run_standard(struct table *t, struct rt_dwarf_bytes *b, uint8_t op, struct state *s)
{
	unsigned int i;

	switch (op) {
	case DW_LNS_copy:
		return give_row(t, s);
	case DW_LNS_advance_pc:
		s->address += t->instruction * rt_dwarf_get_leb(b, false);
		return true;
	case DW_LNS_advance_line:
		s->line += rt_dwarf_get_leb(b, true);
		return true;
	case DW_LNS_set_file:
		s->file = rt_dwarf_get_leb(b, false);
		return true;
	case DW_LNS_negate_stmt:
		s->statement = !s->statement;
		return true;
	case DW_LNS_const_add_pc:
		s->address += (uint64_t)t->instruction * ((255 - t->opcode_base) / t->line_range);
		return true;
	case DW_LNS_fixed_advance_pc:
		s->address += rt_dwarf_get(b, 2);
		return true;
	default:
		/* Columns and others that say nothing about rows. */
		for (i = 0; i < t->lengths[op - 1]; i++)
			rt_dwarf_get_leb(b, false);
		return true;
	}
}

static bool run(struct table *t)
{
	struct rt_dwarf_bytes b = t->program;
	struct state s;
	bool good = true;
	uint8_t op;

	begin_sequence(t, &s);
	while (good && b.at && b.at < b.end) {
		op = rt_dwarf_get(&b, 1);
		if (op >= t->opcode_base) {
			op -= t->opcode_base;
			s.address += (uint64_t)t->instruction * (op / t->line_range);
			s.line += (uint64_t)(int64_t)(t->line_base + op % t->line_range);
			good = give_row(t, &s);
		} else {
			good = op ? run_standard(t, &b, op, &s) : run_extended(t, &b, &s);
		}
	}
	return good && b.at;
}

/* --- tables ------------------------------------------------------------------------------- */

static bool read_head(struct table *t, struct rt_dwarf_bytes b)
{
	uint64_t size;

	if (rt_dwarf_get(&b, 2) != VERSION || rt_dwarf_get(&b, 1) != ADDRESS_SIZE ||
	    rt_dwarf_get(&b, 1))
		return false;
	size = rt_dwarf_get(&b, 4);
	t->program = b;
	rt_dwarf_skip(&t->program, size);
	t->instruction = rt_dwarf_get(&b, 1);
	/* Several operations in an instruction: no machine that Linux runs on here. */
	if (rt_dwarf_get(&b, 1) != 1)
		return false;
	t->statement = rt_dwarf_get(&b, 1);
	t->line_base = (int8_t)rt_dwarf_get(&b, 1);
	t->line_range = rt_dwarf_get(&b, 1);
	t->opcode_base = rt_dwarf_get(&b, 1);
	t->lengths = b.at;
	if (!t->opcode_base || !t->line_range)
		return false;
	rt_dwarf_skip(&b, t->opcode_base - 1);
	return b.at && t->program.at && get_entries(t, &b, &t->directories, &t->directory_count) &&
	       get_entries(t, &b, &t->files, &t->file_count);
}

bool rt_line_table_read(const struct rt_line_tables *tables, size_t n,
			const struct rt_line_reader *r)
{
	struct table t = { .of = tables, .reader = r };
	struct rt_dwarf_bytes b = tables->lines;
	bool good;

	rt_dwarf_skip(&b, tables->offsets[n]);
	good = read_head(&t, rt_dwarf_get_part(&b));
	if (good)
		t.named = calloc(t.file_count + 1, sizeof(*t.named));
	good = good && t.named && r->files(r->arg, t.file_count) && run(&t);
	free(t.directories);
	free(t.files);
	free(t.named);
	return good;
}

static void get_section(Dwarf *dw, const char *name, struct rt_dwarf_bytes *out)
{
	size_t size = 0;

	out->at = rt_debuginfo_section(dw, name, &size);
	out->end = out->at ? out->at + size : NULL;
}

bool rt_line_tables_list(struct rt_line_tables *t, Dwarf *dw)
{
	struct rt_dwarf_bytes b, table;
	uint64_t *offsets;
	size_t room = 0;

	memset(t, 0, sizeof(*t));
	if (!rt_debuginfo_is_plain(dw))
		return false;
	get_section(dw, ".debug_line", &t->lines);
	get_section(dw, ".debug_line_str", &t->line_strings);
	get_section(dw, ".debug_str", &t->strings);
	for (b = t->lines; b.at && b.at < b.end; t->count++) {
		if (t->count == room) {
			room = room ? 2 * room : 1024;
			offsets = realloc(t->offsets, room * sizeof(*offsets));
			if (!offsets)
				break;
			t->offsets = offsets;
		}
		t->offsets[t->count] = b.at - t->lines.at;
		table = rt_dwarf_get_part(&b);
		if (rt_dwarf_get(&table, 2) != VERSION)
			break;
	}
	if (t->lines.at && b.at == b.end && t->count)
		return true;
	rt_line_tables_free(t);
	return false;
}

void rt_line_tables_free(struct rt_line_tables *t)
{
	free(t->offsets);
	memset(t, 0, sizeof(*t));
}
