/* SPDX-License-Identifier: GPL-2.0 */
/*
 * error.h - how the program speaks to its user when something is wrong.
 *
 * An error is one line that says what is wrong and what to do.  Libraries fill
 * a struct rt_err and return a negative errno; only commands print it.
 */
#ifndef RT_BASE_ERROR_H
#define RT_BASE_ERROR_H

#define RT_ERR_LEN 512

struct rt_err {
	char text[RT_ERR_LEN];
};

/* Set the sentence and return -code, so that callers can `return rt_err_set(...)`. */
int rt_err_set(struct rt_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Put "<prefix>: " in front of what is there, as an error travels up. */
int rt_err_prefix(struct rt_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* "ringtail: <text>" and a newline to stderr. */
void rt_err_print(const struct rt_err *err);
void rt_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void rt_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
