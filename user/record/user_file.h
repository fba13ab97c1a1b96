/* SPDX-License-Identifier: GPL-2.0 */
/*
 * user_file.h - files with user code in which probes are placed: from the name of a function to the
 * offset in the file, and whether a probe there does harm.
 */
#ifndef RT_RECORD_USER_FILE_H
#define RT_RECORD_USER_FILE_H

#include "events/spec.h"

/* The files that are open; each is opened once, so that a file replaced meanwhile is not mixed up. */
struct rt_user_files;

struct rt_user_files *rt_user_files_new(void);
void rt_user_files_free(struct rt_user_files *files);

/* The places that QUERY names; 0 or a negative errno with *ERR set. */
int rt_user_files_find(struct rt_user_files *files, const struct rt_user_query *query,
		       struct rt_user_places *out, struct rt_err *err);

#endif
