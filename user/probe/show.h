/* SPDX-License-Identifier: GPL-2.0 */
/* show.h - print what a probe could record, and definitions in the language of tracefs. */
#ifndef RT_PROBE_SHOW_H
#define RT_PROBE_SHOW_H

#include <stdio.h>

#include "probe/sources.h"

/*
 * Print what can be recorded at the place of a definition: with BTF the parameters at the entry and what
 * the function returns, with debug information every variable in scope; and where each is.  EXTERNS: also
 * the variables that the source file of the code defines outside functions.
 */
int rt_probe_show_variables(struct rt_probe_sources *s, const char *definition, bool externs,
			    FILE *out, struct rt_err *err);

/*
 * Print the source of FUNCTION[:FIRST[-LAST]], whose lines with code have numbers from its declaration on,
 * or of FILE:FIRST[-LAST], with the file's own numbers.  FIRST+COUNT works, too.
 */
int rt_probe_show_lines(struct rt_probe_sources *s, const char *definition, FILE *out,
			struct rt_err *err);

/*
 * Print a line for kprobe_events or uprobe_events of tracefs.  SPEC: the event that T stands for.
 * NUMBER: how many of the same definition came before, for a name of its own.
 * -EINVAL if tracefs cannot express it.
 */
int rt_probe_show_tracefs(const struct rt_translated *t, const struct rt_event_spec *spec,
			  size_t number, FILE *out, struct rt_err *err);

/*
 * Print the functions of the kernel and its modules that match GLOB (NULL: all), sorted, each once;
 * MODULE NULL: everywhere; a path: those of that file.  Returns how many, or a negative errno.
 */
long rt_probe_show_functions(const char *kallsyms, const char *module, const char *glob, FILE *out,
			     struct rt_err *err);

#endif
