/* SPDX-License-Identifier: GPL-2.0 */
/* kcore.h - where /proc/kcore maps memory on older kernels (4.9, not 4.14), which do not write it there. */
#ifndef RT_IMAGE_KCORE_H
#define RT_IMAGE_KCORE_H

#include <elf.h>
#include <stddef.h>
#include <stdio.h>

/*
 * The kernel maps all memory at one distance from its physical address, and kcore has a segment
 * for each "System RAM" of /proc/iomem, without pages that are only partly memory.  Find that
 * distance by the sizes, give the segments that are memory their physical address, and return how many are.
 */
size_t rt_kcore_place(Elf64_Phdr *segments, size_t count, FILE *iomem);

#endif
