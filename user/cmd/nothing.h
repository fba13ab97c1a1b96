/* SPDX-License-Identifier: GPL-2.0 */
/* nothing.h - a command that reads a recording has nothing to show: say why. */
#ifndef RT_CMD_NOTHING_H
#define RT_CMD_NOTHING_H

#include "perfdata/read/reader.h"
#include "process/selection.h"

/* The options that choose samples, as given; NULL: not given. */
struct rt_nothing_options {
	const struct rt_selection_text *want;
	const char *symbols, *objects;
	const char *other; /* any other one that may leave everything out, in words */
};

/* One sentence, without the name of the program. */
void rt_nothing_explain(const struct rt_reader *reader, const struct rt_nothing_options *opt,
			struct rt_err *err);
/* Print it as a warning: the status of the command stays 0. */
void rt_nothing_say(const struct rt_reader *reader, const struct rt_nothing_options *opt);

/* Whether the samples of an event, or of all if that is NULL, were recorded without stacks. */
bool rt_nothing_of_stacks(const struct rt_reader *reader, const char *event);

#endif
