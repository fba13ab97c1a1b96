/* SPDX-License-Identifier: GPL-2.0 */
/*
 * scan.h - walk over what the user typed, and point at the word that is wrong.
 */
#ifndef RT_EVENTS_SCAN_H
#define RT_EVENTS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct rt_scan {
	const char *text; /* all of it, for the error */
	const char *at;
	const char *end;
	struct rt_err *err;
};

void rt_scan_begin(struct rt_scan *scan, const char *text, struct rt_err *err);

/* The next character, 0 at the end. */
char rt_scan_peek(const struct rt_scan *scan);
/* Step over C if it is next. */
bool rt_scan_take(struct rt_scan *scan, char c);
/* Step over WORD if it is next. */
bool rt_scan_word(struct rt_scan *scan, const char *word);
void rt_scan_blanks(struct rt_scan *scan);

/* How many of the next characters belong to an identifier, to a kernel symbol. */
size_t rt_scan_identifier(const struct rt_scan *scan);
size_t rt_scan_symbol(const struct rt_scan *scan);
/* How many until a blank or one of STOP. */
size_t rt_scan_until(const struct rt_scan *scan, const char *stop);

/* Take the next SIZE characters as a string of its own, to be freed; NULL without memory. */
char *rt_scan_string(struct rt_scan *scan, size_t size);

/* An unsigned number, decimal or 0x…; -EINVAL with the error set. */
int rt_scan_number(struct rt_scan *scan, uint64_t *value);

/* "TEXT, column N: sentence", N counted from 1 to AT; returns -EINVAL. */
int rt_scan_fail(const struct rt_scan *scan, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int rt_scan_no_memory(const struct rt_scan *scan);

#endif
