/* SPDX-License-Identifier: GPL-2.0 */
/* text_set.h - a set of texts, of which it keeps copies. */
#ifndef RT_BASE_TEXT_SET_H
#define RT_BASE_TEXT_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"

struct rt_text_set { /* all zero: empty */
	struct rt_arena arena;
	struct rt_index index;
	const char **texts;
	uint32_t count, room;
};

bool rt_text_set_has(const struct rt_text_set *set, const char *text);
/* 1 if it is new, 0 if the set had it; -ENOMEM. */
int rt_text_set_add(struct rt_text_set *set, const char *text);
/* The number of a text, from 0 in the order in which they were added; it is added.  -ENOMEM. */
int64_t rt_text_set_number(struct rt_text_set *set, const char *text);
void rt_text_set_free(struct rt_text_set *set);

#endif
