/* SPDX-License-Identifier: GPL-2.0 */
/* separate.h - find the file with a program's debug information, for libdwfl. */
#ifndef RT_TYPES_SEPARATE_H
#define RT_TYPES_SEPARATE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "base/buildid.h"

/*
 * Dwfl_Callbacks.find_debuginfo: by build-id below /usr/lib/debug, through .gnu_debuglink, from debuginfod.
 */
int rt_separate_find(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		     const char *file, const char *link, GElf_Word crc, char **found);

/* The build-id of a module; false if it has none. */
bool rt_separate_id(Dwfl_Module *module, struct rt_buildid *id);

/* Why debuginfod had nothing when this thread last asked it; "": it was not asked. */
const char *rt_separate_why(void);

#endif
