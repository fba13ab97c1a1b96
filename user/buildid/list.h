/* SPDX-License-Identifier: GPL-2.0 */
/*
 * list.h - the files of a recording by build-id, in perf's order: first the table in the header,
 * then the mapped files in the order of their mappings.
 *
 * This folder: the lists of `ringtail buildid-list`.  May use: base, host, perfdata,
 * perfdata/read, process, symbols, symbols/kernel.
 */
#ifndef RT_BUILDID_LIST_H
#define RT_BUILDID_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "perfdata/read/reader.h"

struct rt_buildid_list;

struct rt_buildid_list *rt_buildid_list_new(void);
void rt_buildid_list_free(struct rt_buildid_list *list);

/* Add the header's table; call again after records of a pipe added to it.  0 or -ENOMEM. */
int rt_buildid_list_header(struct rt_buildid_list *list, const struct rt_env *env);

/* Read all records and mark the files that samples hit. */
int rt_buildid_list_hits(struct rt_buildid_list *list, struct rt_reader *reader,
			 struct rt_err *err);

/* Print "<40 hex digits> NAME", one line each; with hits only the marked files. */
void rt_buildid_list_print(const struct rt_buildid_list *list, bool hits, FILE *out);

#endif
