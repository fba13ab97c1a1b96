/* SPDX-License-Identifier: GPL-2.0 */
/* scan.h - a cursor over the text that the user typed; errors point at the wrong word. */
#ifndef RT_EVENTS_SCAN_H
#define RT_EVENTS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct rt_scan {
	const char *text; /* the whole text, for errors */
	const char *at;
	const char *end;
	struct rt_err *err;
};

void rt_scan_begin(struct rt_scan *scan, const char *text, struct rt_err *err);

/* Return the next character, 0 at the end. */
char rt_scan_peek(const struct rt_scan *scan);
/* Step over C if it is next. */
bool rt_scan_take(struct rt_scan *scan, char c);
/* Step over WORD if it is next. */
bool rt_scan_word(struct rt_scan *scan, const char *word);
void rt_scan_blanks(struct rt_scan *scan);

/* The length of the identifier, or kernel symbol, at the cursor. */
size_t rt_scan_identifier(const struct rt_scan *scan);
size_t rt_scan_symbol(const struct rt_scan *scan);
/* The number of characters up to a blank or one of STOP. */
size_t rt_scan_until(const struct rt_scan *scan, const char *stop);

/*
 * Return a copy of the next SIZE characters and step over them; the caller frees it.  NULL: no
 * memory.
 */
char *rt_scan_string(struct rt_scan *scan, size_t size);

/* Parse an unsigned number, decimal or 0x…; -EINVAL with the error set. */
int rt_scan_number(struct rt_scan *scan, uint64_t *value);

/*
 * Set the error to "TEXT, column N: sentence", where N is the column of AT, from 1; return -EINVAL.
 */
int rt_scan_fail(const struct rt_scan *scan, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int rt_scan_no_memory(const struct rt_scan *scan);

#endif
