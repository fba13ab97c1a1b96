/* SPDX-License-Identifier: GPL-2.0 */
/*
 * vdso.h - the vdso of this process as an ELF image.
 */
#ifndef RT_SYMBOLS_VDSO_H
#define RT_SYMBOLS_VDSO_H

#include <stddef.h>

/* Return a copy, which the caller frees, or NULL if the kernel provides none. */
char *rt_vdso_copy(size_t *size);

#endif
