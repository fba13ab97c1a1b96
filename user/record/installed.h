/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_RECORD_INSTALLED_H
#define RT_RECORD_INSTALLED_H

#include <stddef.h>

#include "base/error.h"

/* The name that perf uses for the file at PATH, up to the first odd character: its length. */
size_t rt_installed_name(const char *path, const char **name);

/* See rt_event_env.installed: a library in the usual directories, or a program in PATH. */
int rt_installed_find(void *data, const char *name, char **path, struct rt_err *err);

#endif
