/* SPDX-License-Identifier: GPL-2.0 */
/* names.h - lists on the command line: "sh,make", "1,2,3", "0-3,6". */
#ifndef RT_BASE_NAMES_H
#define RT_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct rt_names {
	char **list;
	size_t count;
};

/* Parse "a,b,c"; a part "file://PATH" stands for the lines of that file. */
int rt_names_parse(struct rt_names *n, const char *text, struct rt_err *err);
void rt_names_free(struct rt_names *n);
bool rt_names_has(const struct rt_names *n, const char *name);

/* Closed ranges of numbers. */
struct rt_numbers {
	struct rt_number_range {
		uint64_t first, last;
	} * list;
	size_t count;
};

/* `what` names the option in errors. */
int rt_numbers_parse(struct rt_numbers *n, const char *what, const char *text, struct rt_err *err);
void rt_numbers_free(struct rt_numbers *n);
bool rt_numbers_has(const struct rt_numbers *n, uint64_t number);

#endif
