/* SPDX-License-Identifier: GPL-2.0 */
/* marker.h - the arguments of a marker (USDT) as values of a probe. */
#ifndef RT_EVENTS_MARKER_H
#define RT_EVENTS_MARKER_H

#include "arch/arch.h"

/*
 * Turn "-4@%edi 8@-8(%rbp)" into " arg1=%di:s32 arg2=-8(%bp):u64"; the caller frees it.  Arguments
 * that a program cannot fetch (floating point, an index register) are left out; the others keep their
 * numbers.  NULL: no memory.
 */
char *rt_marker_values(const char *args, enum rt_arch arch);

#endif
