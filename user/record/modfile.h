/* SPDX-License-Identifier: GPL-2.0 */
/* modfile.h - the name by which the kernel knows the module in a .ko file. */
#ifndef RT_RECORD_MODFILE_H
#define RT_RECORD_MODFILE_H

#include "base/error.h"

/* As struct rt_event_env wants it. */
char *rt_modfile_name(void *data, const char *path, struct rt_err *err);

#endif
