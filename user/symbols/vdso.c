// SPDX-License-Identifier: GPL-2.0
/* vdso.c - see vdso.h */
#include "symbols/vdso.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

char *rt_vdso_copy(size_t *size)
{
	const ElfW(Ehdr) *ehdr = (const ElfW(Ehdr) *)getauxval(AT_SYSINFO_EHDR);
	char *copy;

	if (!ehdr)
		return NULL;
	/* The section headers come last. */
	*size = ehdr->e_shoff + (size_t)ehdr->e_shnum * ehdr->e_shentsize;
	copy = malloc(*size);
	if (copy)
		memcpy(copy, ehdr, *size);
	return copy;
}
