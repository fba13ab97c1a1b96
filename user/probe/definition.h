/* SPDX-License-Identifier: GPL-2.0 */
/*
 * definition.h - one definition of a probe as typed: [[GROUP:]NAME=]POINT [VALUE…].
 *
 * docs/probes.md has the grammar.  Nothing is looked up here.
 *
 * This folder: the language of `ringtail probe`, which names variables and members instead of registers
 * and offsets; it becomes events in the syntax of -e.  Also the definitions that `probe --add` keeps.
 * May use: base, host, arch, uapi, events, symbols, types.
 */
#ifndef RT_PROBE_DEFINITION_H
#define RT_PROBE_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct rt_probe_value {
	char *text; /* as typed */
	char *name; /* NULL: not given */
	char *what; /* without name and type */
	char *type; /* NULL: not given */
};

struct rt_probe_def {
	char *text;
	char *group, *name; /* NULL: not given */
	char *module;	    /* or the path of a .ko file; NULL: any */
	char *file;	    /* source file; NULL: not given */
	char *function;	    /* NULL: an address, or a line of a file */
	char *pattern;	    /* FUNCTION;PATTERN: text of the line */
	uint64_t address, offset;
	unsigned int line; /* 0: none; of the function if there is one, otherwise of the file */
	bool has_line;
	bool has_offset;
	bool returns;
	struct rt_probe_value *values;
	size_t count;
};

/* Whether the path is that of a kernel module's file: .ko, .ko.xz, … */
bool rt_probe_is_module(const char *path);

/* Parse TEXT; free *OUT with rt_probe_def_free(), also after an error. */
int rt_probe_def_parse(struct rt_probe_def *out, const char *text, struct rt_err *err);
/*
 * The definition TEXT with its function in MODULE, unless MODULE is NULL or the definition names one
 * itself; the caller frees it.  NULL: no memory.
 */
char *rt_probe_def_in_module(const char *text, const char *module);
void rt_probe_def_free(struct rt_probe_def *def);

#endif
