/* SPDX-License-Identifier: GPL-2.0 */
/*
 * line_table.h - the line tables of a file, one after the other.
 *
 * libdw reads the table of a unit, keeps each of its rows and sorts them.  A scan needs each row once.  Only
 * tables of DWARF 5 are read here: those of older versions need the directory of their unit.
 */
#ifndef RT_TYPES_LINE_TABLE_H
#define RT_TYPES_LINE_TABLE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "types/dwarf_bytes.h"

/* The sections and where the tables begin. */
struct rt_line_tables {
	struct rt_dwarf_bytes lines, line_strings, strings;
	uint64_t *offsets;
	size_t count;
};

/* List the tables; false, and nothing is to be freed, if one of them cannot be read here. */
bool rt_line_tables_list(struct rt_line_tables *t, Dwarf *dw);
void rt_line_tables_free(struct rt_line_tables *t);

/* What a table has; each function returns false to stop. */
struct rt_line_reader {
	/* Before the rows: how many files there are. */
	bool (*files)(void *arg, size_t count);
	/* The first row of a file: its directory, which may be NULL, and its name. */
	bool (*name)(void *arg, size_t file, const char *directory, const char *name);
	/* A row at which a statement begins. */
	bool (*row)(void *arg, size_t file, unsigned int line, uint64_t address);
	void *arg;
};

/* Read table N; false if it is damaged, or has something that is not known, or a function stopped it. */
bool rt_line_table_read(const struct rt_line_tables *t, size_t n, const struct rt_line_reader *r);

#endif
