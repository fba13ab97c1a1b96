// SPDX-License-Identifier: GPL-2.0
/* The memory of a file that libdw reads through a mapping. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

#include "types/debuginfo_internal.h"

/* libelf maps a file if it can, but does not say where. */
void rt_debuginfo_find_mapping(struct rt_debuginfo *d)
{
	uint64_t from, to, inode;
	const char *section;
	GElf_Ehdr ehdr;
	char line[512];
	FILE *maps;
	size_t size;

	/* libdwfl relocates unlinked files in memory: these pages are not those of the file. */
	section = rt_debuginfo_section(d->dw, ".debug_info", &size);
	if (!section || !gelf_getehdr(dwarf_getelf(d->dw), &ehdr) || ehdr.e_type == ET_REL)
		return;
	maps = fopen("/proc/self/maps", "re");
	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*4[-rwxp] %*x %*x:%*x %" SCNu64, &from,
			   &to, &inode) == 3 &&
		    inode && from <= (uintptr_t)section && (uintptr_t)section + size <= to) {
			d->mapping.base = (void *)(uintptr_t)from;
			d->mapping.size = to - from;
		}
	if (maps)
		fclose(maps);
}

void rt_debuginfo_give_back(const struct rt_debuginfo *d)
{
	if (d->mapping.base)
		madvise(d->mapping.base, d->mapping.size, MADV_DONTNEED);
}
