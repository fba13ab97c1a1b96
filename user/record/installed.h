/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_RECORD_INSTALLED_H
#define RT_RECORD_INSTALLED_H

#include <stddef.h>

#include "base/error.h"

/* The name that perf uses for the file at PATH, up to the first odd character: its length. */
size_t rt_installed_name(const char *path, const char **name);

/* See rt_event_env.installed: a library in the usual directories, or a program in PATH. */
int rt_installed_find(void *data, const char *name, char **path, struct rt_err *err);

/*
 * Call each(arg, path) for every library in the usual directories and every program in PATH until it
 * returns non-zero: 0, that value, or -ENOMEM.  A file that has several names comes several times.
 */
int rt_installed_each(int (*each)(void *arg, const char *path), void *arg);

#endif
