/* SPDX-License-Identifier: GPL-2.0 */
/*
 * error.h - how the program reports errors to its user.
 *
 * An error is one line that says what is wrong and what to do.  Libraries fill a struct rt_err and
 * return a negative errno; only commands print it.
 *
 * This folder: errors, text, files, memory, names and numbers that every part needs.  It knows
 * nothing about tracing.  May use: nothing; libc.
 */
#ifndef RT_BASE_ERROR_H
#define RT_BASE_ERROR_H

#define RT_ERR_LEN   512
#define RT_ERR_WHERE 320

struct rt_err {
	char text[RT_ERR_LEN];
	/* What the user typed, and a caret below the wrong character: two lines; "": nothing. */
	char where[RT_ERR_WHERE];
};

/* Set the sentence and return -code, so that callers can `return rt_err_set(...)`. */
int rt_err_set(struct rt_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Put "<prefix>: " in front of the sentence, as an error is passed up. */
int rt_err_prefix(struct rt_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
