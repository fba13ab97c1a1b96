/* SPDX-License-Identifier: GPL-2.0 */
/* list_events.h - the events of this machine, as "ringtail list" prints them. */
#ifndef RT_CMD_LIST_EVENTS_H
#define RT_CMD_LIST_EVENTS_H

#include <stdbool.h>

#include "base/error.h"

struct rt_list_options {
	bool verbose; /* fields, and how the event would be recorded */
	bool json;
};

/*
 * Print the events that any of the COUNT words selects: a kind, a glob or a part of the name.
 * Without words, print all.  0 or a negative errno; -ENOENT: nothing matches a word.
 */
int rt_list_events(char *const *words, int count, const struct rt_list_options *opt,
		   struct rt_err *err);

#endif
