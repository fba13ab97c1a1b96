// SPDX-License-Identifier: GPL-2.0
#include "report/key_text.h"

#include <stdlib.h>
#include <string.h>

void rt_key_put_all(const struct rt_report *r, const char *text, struct rt_text *out)
{
	rt_text_visible(out, text, strlen(text), r->opt->separator);
}

void rt_key_put(struct rt_report *r, const char *text, unsigned int width, bool pad,
		struct rt_text *out)
{
	size_t len = strlen(text);

	/* One cell for each byte, as perf counts. */
	rt_text_visible(out, text, len < width ? len : width, r->opt->separator);
	if (pad && len < width)
		rt_text_fill(out, ' ', (int)(width - len));
}

struct rt_func_names *rt_key_names(struct rt_report *r, uint32_t func)
{
	if (func >= r->names_count) {
		uint32_t count = rt_profile_func_count(r->profile);
		struct rt_func_names *names = realloc(r->names, count * sizeof(*names));

		if (!names) {
			static struct rt_func_names none;

			return &none;
		}
		memset(names + r->names_count, 0, (count - r->names_count) * sizeof(*names));
		r->names = names;
		r->names_count = count;
	}
	return &r->names[func];
}

uint32_t rt_key_same(struct rt_report *r, uint32_t func)
{
	const struct rt_profile_func *f = rt_profile_func(r->profile, func);
	struct rt_func_names *names;

	if (!f->inlined)
		return func;
	names = rt_key_names(r, func);
	if (!names->inlined)
		names->inlined = rt_pool_text(&r->pool, f->name);
	return names->inlined | 1u << 31;
}
