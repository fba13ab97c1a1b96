/* SPDX-License-Identifier: GPL-2.0 */
/*
 * terminal.h - names from a recording must not control the terminal that shows them.  A task can put
 * escape sequences into its name, and a file into its path.
 */
#ifndef RT_CLI_TERMINAL_H
#define RT_CLI_TERMINAL_H

#include <stdio.h>

/*
 * If standard output is a terminal, make stdout a stream that prints '?' in place of control
 * characters (except newline and tab) and of bytes that are not UTF-8.  This stream has no descriptor.
 */
void rt_terminal_guard(void);

/* Standard output itself, for what controls the terminal on purpose. */
FILE *rt_terminal_stdout(void);

/* Print a message to standard error, guarded in the same way if that is a terminal. */
void rt_terminal_complain(const char *bytes, size_t n);

#endif
