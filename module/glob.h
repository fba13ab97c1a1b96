/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_GLOB_H
#define RT_GLOB_H

#include "program_port.h"

/*
 * Whether all of TEXT matches PATTERN: * any run, ? any byte, [a-z] one of,
 * [!a-z] or [^a-z] none of, \x x itself.  A bracket that is never closed stands
 * for itself.  Takes at most pattern_size * text_size steps, without recursion.
 */
bool rt_glob_match(const char *pattern, u32 pattern_size, const char *text, u32 text_size);

#endif
