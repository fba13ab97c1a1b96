/* SPDX-License-Identifier: GPL-2.0 */
/* number.h - numbers for people: grouped digits, durations, shares. */
#ifndef RT_DRAW_NUMBER_H
#define RT_DRAW_NUMBER_H

#include "base/text.h"

/* Append 1234567 as "1,234,567". */
void rt_number_grouped(struct rt_text *t, uint64_t v);
/* Append nanoseconds with a fitting unit: "1.235 ms". */
void rt_number_duration(struct rt_text *t, uint64_t ns);
/* Append the share of PART in WHOLE: "12.34%". */
void rt_number_percent(struct rt_text *t, double part, double whole);
/* Append a coordinate with two decimals and without trailing zeros. */
void rt_number_pixels(struct rt_text *t, double v);
/* Append a bar of the same share; it lies behind the text of a table's cell. */
void rt_number_bar(struct rt_text *t, double part, double whole);

/* Digits of base 64, five bits in each, the lowest first; the sixth bit says that more follow. */
void rt_number_packed(struct rt_text *out, uint64_t n);

#endif
