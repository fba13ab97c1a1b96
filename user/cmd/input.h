/* SPDX-License-Identifier: GPL-2.0 */
/* input.h - opening recordings: raw ones, and error messages for those that cannot be opened. */
#ifndef RT_CMD_INPUT_H
#define RT_CMD_INPUT_H

#include "base/error.h"

/* Call once: from then on every command that reads recordings reads raw ones, too. */
void rt_input_prepare(void);

/*
 * Opening PATH (NULL: perf.data) failed with the error CODE and ERR: suggest a file that the user
 * may have meant, if there is one.  Returns CODE.
 */
int rt_input_suggest(const char *path, int code, struct rt_err *err);

/* WORD is not an option but stands in place of one; suggest -i if it is a file. */
int rt_input_word(const char *word, struct rt_err *err);

#endif
