/* SPDX-License-Identifier: GPL-2.0 */
/*
 * message.h - the lines that commands print for their user, on standard error.
 *
 * This folder is what every command shares at the terminal: options, help, errors and warnings.
 * Only user/cmd may use it; a library returns what there is to say.
 *
 * May use: base.
 */
#ifndef RT_CLI_MESSAGE_H
#define RT_CLI_MESSAGE_H

#include "base/error.h"

/* Print "ringtail: <text>" and a newline to stderr. */
void rt_err_print(const struct rt_err *err);
/* On a terminal, show the wrong character of what the user typed.  Logs keep one line per error. */
void rt_err_point(const struct rt_err *err);
void rt_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void rt_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
