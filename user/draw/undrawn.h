/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undrawn.h - the frames that a flame graph does not draw, as a compact table, so that a search in the
 * picture finds them, too.
 *
 * The first line of the table has numbers as rt_number_packed() writes them.  The first one is a unit
 * that divides all weights.  Then, for each drawn frame with undrawn callees: the drawn frames that
 * were left out since the last such frame, how many undrawn callees it has, and these.  An undrawn
 * frame is the number of its name, its weight in units, how many callees it has, and these.  Each of
 * the other lines is a name, from number 0 up.
 */
#ifndef RT_DRAW_UNDRAWN_H
#define RT_DRAW_UNDRAWN_H

#include "base/text.h"
#include "draw/flame.h"

/*
 * Append the table for the nodes that are not `drawn`; WEIGHTS are those that the picture uses.  More
 * frames than MOST make the narrowest be left out, and the element says so.
 */
void rt_undrawn_put(const struct rt_flame *f, const bool *drawn, const uint64_t *weights,
		    size_t most, struct rt_text *out);

#endif
