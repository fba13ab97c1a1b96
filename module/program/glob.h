/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_GLOB_H
#define RT_GLOB_H

#include "program_port.h"

/*
 * Whether all of TEXT matches PATTERN.  * matches any bytes, ? any one byte, [a-z] one of the set,
 * [!a-z] or [^a-z] one byte outside it, \x the byte x.  A '[' that is never closed matches itself.
 * Does not recurse.
 */
bool rt_glob_match(const char *pattern, u32 pattern_size, const char *text, u32 text_size);

/*
 * How many steps rt_glob_match() takes at worst with a text of TEXT_SIZE bytes.  One step costs
 * about as much as the comparison of two bytes.
 */
u64 rt_glob_cost(const char *pattern, u32 pattern_size, u32 text_size);

#endif
