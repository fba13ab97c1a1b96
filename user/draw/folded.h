/* SPDX-License-Identifier: GPL-2.0 */
/* folded.h - a tree of stacks as text: "outermost;…;innermost WEIGHT", one line per stack. */
#ifndef RT_DRAW_FOLDED_H
#define RT_DRAW_FOLDED_H

#include "base/text.h"
#include "draw/flame.h"

/*
 * Append a line for each stack with a weight, sorted by text.  With two sides, both weights follow:
 * first RT_FLAME_BEFORE, then RT_FLAME_NOW.
 */
void rt_flame_folded(const struct rt_flame *f, bool two_sides, struct rt_text *out);

#endif
