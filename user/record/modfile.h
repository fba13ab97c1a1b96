/* SPDX-License-Identifier: GPL-2.0 */
/* modfile.h - the name under which the kernel loads the module in a .ko file. */
#ifndef RT_RECORD_MODFILE_H
#define RT_RECORD_MODFILE_H

#include "base/error.h"

/* Has the signature of module_file in struct rt_event_env. */
char *rt_modfile_name(void *data, const char *path, struct rt_err *err);

#endif
