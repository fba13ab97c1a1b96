/* SPDX-License-Identifier: GPL-2.0 */
/* file_functions.h - the function symbols of a program, a library or a module's file. */
#ifndef RT_TYPES_FILE_FUNCTIONS_H
#define RT_TYPES_FILE_FUNCTIONS_H

#include "base/error.h"

/*
 * Call each() for every function with code in PATH, as its symbol is called, until it returns non-zero.
 * The symbols may be in a separate debug file.
 */
int rt_file_functions(const char *path, int (*each)(void *arg, const char *name), void *arg,
		      struct rt_err *err);

#endif
