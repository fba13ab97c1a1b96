/* SPDX-License-Identifier: GPL-2.0 */
/*
 * source_file.h - which source file a function of the running kernel comes from.
 *
 * The kernel does not know.  Debug information does, if it belongs to exactly this kernel or
 * module.
 */
#ifndef RT_HOST_SOURCE_FILE_H
#define RT_HOST_SOURCE_FILE_H

#include "host/ksyms.h"

/* Whether SYM comes from FILE: 1 or 0; -ENOENT if nothing says so. */
int rt_source_file_is(struct rt_ksyms *k, const struct rt_ksym *sym, const char *file);

/*
 * The same for the symbol NAME at VALUE of an ELF file.  SECTION: the section that VALUE is
 * relative to in an unlinked file, otherwise NULL.
 */
int rt_source_file_in_elf(const char *elf, const char *section, const char *name, uint64_t value,
			  const char *file);

/*
 * Find the file with the debug information of the running kernel or, if MODULE is not NULL, of a loaded
 * module, by its build-id; -ENOENT.
 */
int rt_source_file_debug(const char *module, char path[PATH_MAX]);

/* Whether FULL ends with FILE, compared by whole path components. */
bool rt_source_file_matches(const char *full, const char *file);

#endif
