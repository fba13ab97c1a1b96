/* SPDX-License-Identifier: GPL-2.0 */
/*
 * slice_rows.h - rows of numbers over time, for a page that shows a part of the recorded time.
 *
 * A row is written as a string.  Each number that is not zero has two parts: how many zeros are in
 * front of it, and the number.  Both are written with five bits in a digit of base 64, the lowest
 * bits first; the sixth bit says that more digits follow.  Numbers are divided by a unit that
 * divides all of them, so that samples of a fixed period become small numbers.
 */
#ifndef RT_DRAW_SLICE_ROWS_H
#define RT_DRAW_SLICE_ROWS_H

#include "analysis/slices.h"
#include "base/text.h"

struct rt_slice_rows {
	const struct rt_slices *slices;
	struct rt_text *out;
	uint32_t count;			   /* of slices */
	uint64_t values[RT_SLICES_MAX];	   /* of the row at work */
	uint64_t used[RT_SLICES_MAX / 64]; /* a bit for each value that may not be zero */
};

/* The largest number that divides the weights of the item and UNIT, which is 0 at first. */
uint64_t rt_slice_unit(const struct rt_slices *s, uint32_t item, uint64_t unit);

/* Add the weights of an item to the row. */
void rt_slice_rows_weights(struct rt_slice_rows *r, uint32_t item);
/* Append the row and begin a new one. */
void rt_slice_rows_end(struct rt_slice_rows *r, uint64_t unit);
/* Append a row of values that the caller has added up, one for each slice. */
void rt_slice_rows_put(struct rt_slice_rows *r, const uint64_t *values, uint64_t unit);

#endif
