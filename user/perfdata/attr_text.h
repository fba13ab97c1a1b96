/* SPDX-License-Identifier: GPL-2.0 */
/*
 * attr_text.h - every field of an attribute that is not zero, in words.
 */
#ifndef RT_PERFDATA_ATTR_TEXT_H
#define RT_PERFDATA_ATTR_TEXT_H

#include <stdio.h>

#include "perfdata/layout.h"

/*
 * One field as before NAME between VALUE, fields in perf's order: `evlist -v` has
 * ": " between, and ", " before all but the first, which the caller says with first.
 */
void rt_attr_print(const struct rt_attr *attr, const char *first, const char *before,
		   const char *between, FILE *out);

#endif
