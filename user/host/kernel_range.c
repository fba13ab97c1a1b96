// SPDX-License-Identifier: GPL-2.0
#include "host/kernel_range.h"

#include <string.h>

struct search {
	struct rt_kernel_range *range;
	struct rt_kallsyms_cache_writer *cache;
};

static void look_at(struct rt_kernel_range *r, const struct rt_kallsym *sym)
{
	if (sym->name[0] != '_' || sym->module)
		return;
	if (!strcmp(sym->name, "_text"))
		r->text = sym->address;
	else if (!strcmp(sym->name, "_stext"))
		r->stext = sym->address;
	else if (!strcmp(sym->name, "_etext"))
		r->etext = sym->address;
	else if (!strcmp(sym->name, "_edata"))
		r->edata = sym->address;
}

static int take(void *arg, struct rt_kallsym *sym)
{
	struct search *s = arg;

	look_at(s->range, sym);
	rt_kallsyms_cache_writer_add(s->cache, sym);
	return 0;
}

static void scan(const struct rt_kallsyms_cache *cache, struct rt_kernel_range *out)
{
	struct rt_kallsym sym;
	uint32_t i;

	for (i = 0; i < rt_kallsyms_cache_count(cache); i++) {
		rt_kallsyms_cache_symbol(cache, i, &sym);
		look_at(out, &sym);
	}
}

int rt_kernel_range_read(const struct rt_kallsyms_cache_place *place, struct rt_kernel_range *out)
{
	struct rt_kallsyms_cache *cache = rt_kallsyms_cache_open(place);
	struct search s = { out, NULL };
	int ret;

	memset(out, 0, sizeof(*out));
	if (cache) {
		scan(cache, out);
		rt_kallsyms_cache_close(cache);
		return 0;
	}
	s.cache = rt_kallsyms_cache_writer_new(place);
	ret = rt_kallsyms_read(place->kallsyms, take, &s);
	if (!ret)
		rt_kallsyms_cache_writer_save(s.cache);
	rt_kallsyms_cache_writer_free(s.cache);
	return ret;
}
