/* SPDX-License-Identifier: GPL-2.0 */
/* key_text.h - helpers of the sort keys: names of functions, and safe text. */
#ifndef RT_REPORT_KEY_TEXT_H
#define RT_REPORT_KEY_TEXT_H

#include "report/report.h"

/* Two functions with the same number are the same in a call tree. */
uint32_t rt_key_same(struct rt_report *r, uint32_t func);

/* The short name of the function's object: its number in the pool. */
uint32_t rt_key_object_name(struct rt_report *r, uint32_t func);

/* The source line of an address: its number in the pool. */
uint32_t rt_key_line_name(struct rt_report *r, const struct rt_where *w);

/* Append the level and the symbol, or without a symbol the address RAW. */
void rt_key_put_symbol(struct rt_report *r, const struct rt_where *w, uint64_t raw,
		       unsigned int width, struct rt_text *out);

struct rt_func_names *rt_key_names(struct rt_report *r, uint32_t func);

/* Append a text at most `width` wide, padded; control bytes and the separator are replaced. */
void rt_key_put(struct rt_report *r, const char *text, unsigned int width, bool pad,
		struct rt_text *out);
/* The same without a limit. */
void rt_key_put_all(const struct rt_report *r, const char *text, struct rt_text *out);

#endif
