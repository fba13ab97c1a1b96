/* SPDX-License-Identifier: GPL-2.0 */
/*
 * attr.h - print every non-zero field of an attribute.
 *
 * This folder: the words for headers, attributes and sets of CPUs, as perf prints them.  May use:
 * base, perfdata, perfdata/read.
 */
#ifndef RT_PERFDATA_TEXT_ATTR_H
#define RT_PERFDATA_TEXT_ATTR_H

#include <stdio.h>

#include "perfdata/layout.h"

/*
 * Print each field as before NAME between VALUE, in perf's order.  `evlist -v` uses ": " for
 * between and ", " for before; the first field uses first instead of before.
 */
void rt_attr_print(const struct rt_attr *attr, const char *first, const char *before,
		   const char *between, FILE *out);

#endif
