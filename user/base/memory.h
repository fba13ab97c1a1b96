/* SPDX-License-Identifier: GPL-2.0 */
/*
 * memory.h - whether an allocation of this program ever failed.
 *
 * The linker sends each call of malloc(), calloc(), realloc() and reallocarray() through memory.c.  So a
 * command that went on without some memory cannot end as if its output were complete, wherever that was.
 */
#ifndef RT_BASE_MEMORY_H
#define RT_BASE_MEMORY_H

#include <stdbool.h>

bool rt_memory_failed(void);

#endif
