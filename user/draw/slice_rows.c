// SPDX-License-Identifier: GPL-2.0
#include "draw/slice_rows.h"

#include "draw/number.h"

uint64_t rt_slice_unit(const struct rt_slices *s, uint32_t item, uint64_t unit)
{
	const struct rt_slice_cell *cell, *end = rt_slices_of(s, item, &cell);
	uint64_t a, b, rest;

	for (; cell < end; cell++) {
		if (unit == 1 || (unit && cell->weight % unit == 0))
			continue;
		for (a = cell->weight, b = unit; b; a = b, b = rest)
			rest = a % b;
		unit = a;
	}
	return unit;
}

static uint64_t *value_of(struct rt_slice_rows *r, uint32_t slice)
{
	r->used[slice / 64] |= 1ull << slice % 64;
	return &r->values[slice];
}

void rt_slice_rows_weights(struct rt_slice_rows *r, uint32_t item)
{
	const struct rt_slice_cell *cell, *end = rt_slices_of(r->slices, item, &cell);

	for (; cell < end; cell++)
		*value_of(r, cell->slice) += cell->weight;
}

void rt_slice_rows_end(struct rt_slice_rows *r, uint64_t unit)
{
	uint32_t i, word, next = 0;

	rt_text_char(r->out, '"');
	for (word = 0; word < RT_SLICES_MAX / 64; word++)
		for (; r->used[word]; r->used[word] &= r->used[word] - 1) {
			i = word * 64 + (uint32_t)__builtin_ctzll(r->used[word]);
			if (!r->values[i])
				continue;
			rt_number_packed(r->out, i - next);
			rt_number_packed(r->out, r->values[i] / (unit ? unit : 1));
			r->values[i] = 0;
			next = i + 1;
		}
	rt_text_char(r->out, '"');
}

void rt_slice_rows_put(struct rt_slice_rows *r, const uint64_t *values, uint64_t unit)
{
	uint32_t i, next = 0;

	rt_text_char(r->out, '"');
	for (i = 0; i < r->count; i++) {
		if (!values[i])
			continue;
		rt_number_packed(r->out, i - next);
		rt_number_packed(r->out, values[i] / (unit ? unit : 1));
		next = i + 1;
	}
	rt_text_char(r->out, '"');
}
