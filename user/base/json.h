/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json.h - write JSON to a stream, with commas and escapes.
 *
 * Bytes that are not UTF-8 (a comm or a path may contain anything) become U+FFFD, so that every
 * line is valid JSON.
 */
#ifndef RT_BASE_JSON_H
#define RT_BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

struct rt_json {
	FILE *out;
	bool comma; /* the next value or name needs a comma in front */
};

void rt_json_begin(struct rt_json *j, FILE *out);
void rt_json_open(struct rt_json *j, const char *name, char bracket); /* '{' or '[' */
void rt_json_close(struct rt_json *j, char bracket);		      /* '}' or ']' */

/* NAME is NULL inside an array. */
void rt_json_string(struct rt_json *j, const char *name, const char *value);
void rt_json_int(struct rt_json *j, const char *name, long long value);
void rt_json_bool(struct rt_json *j, const char *name, bool value);

#endif
