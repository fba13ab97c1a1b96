/* SPDX-License-Identifier: GPL-2.0 */
/* probe_actions.h - what `ringtail probe` does; each returns 0 or a negative errno with a sentence. */
#ifndef RT_CMD_PROBE_ACTIONS_H
#define RT_CMD_PROBE_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct rt_probe_words {
	char **list;
	size_t count;
};

int rt_probe_words_add(struct rt_probe_words *words, const char *word);
void rt_probe_words_free(struct rt_probe_words *words);

int rt_probe_do_add(const struct rt_probe_words *definitions, const char *module,
		    struct rt_err *err);
int rt_probe_do_del(const struct rt_probe_words *globs, struct rt_err *err);
int rt_probe_do_list(struct rt_err *err);
/*
 * KERNEL, here and below: the file of another kernel, or NULL.
 *
 * Show definitions: as tracefs takes them, or with addresses and programs.
 */
int rt_probe_do_show(const struct rt_probe_words *definitions, const char *module,
		     const char *kernel, bool tracefs, struct rt_err *err);
int rt_probe_do_variables(const struct rt_probe_words *points, const char *module,
			  const char *kernel, bool externs, struct rt_err *err);
int rt_probe_do_lines(const struct rt_probe_words *functions, const char *module,
		      const char *kernel, struct rt_err *err);
/* Say of each definition in FILE whether it works. */
int rt_probe_do_check(const char *file, const char *kernel, struct rt_err *err);
int rt_probe_do_functions(const char *module, int count, char **globs, struct rt_err *err);

#endif
