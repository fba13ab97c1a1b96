/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's header of this name: see bitops.h. */
#ifndef RT_TEST_SLAB_H
#define RT_TEST_SLAB_H

#include <stdlib.h>

#define GFP_KERNEL		   0
#define kvcalloc(count, size, gfp) calloc(count, size)
#define kvfree(memory)		   free(memory)

#endif
