/* SPDX-License-Identifier: GPL-2.0 */
/*
 * list.h - the files of a recording by build-id, in the order perf lists them:
 * first the table in the header, then what was mapped, as it was mapped.
 */
#ifndef RT_BUILDID_LIST_H
#define RT_BUILDID_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "perfdata/reader.h"

struct rt_buildid_list;

struct rt_buildid_list *rt_buildid_list_new(void);
void rt_buildid_list_free(struct rt_buildid_list *list);

/* What the header knows; again after records of a pipe added to it.  0 or -ENOMEM. */
int rt_buildid_list_header(struct rt_buildid_list *list, const struct rt_env *env);

/* Read all records and mark what samples fell into. */
int rt_buildid_list_hits(struct rt_buildid_list *list, struct rt_reader *reader,
			 struct rt_err *err);

/* "<40 hex digits> NAME", a line each; with hits only those that were marked. */
void rt_buildid_list_print(const struct rt_buildid_list *list, bool hits, FILE *out);

#endif
