// SPDX-License-Identifier: GPL-2.0
#include "stack/location.h"

#include <string.h>

#include "perfdata/layout.h"

void rt_location_object(struct rt_location *p, struct rt_kernel *kernel, const struct rt_maps *maps,
			unsigned int cpumode, uint64_t ip)
{
	const struct rt_map *map;
	struct rt_kernel_hit hit;

	memset(p, 0, sizeof(*p));
	p->ip = p->address = ip;
	if (cpumode == RT_MISC_KERNEL) {
		if (!kernel)
			return;
		rt_kernel_find(kernel, ip, &hit);
		p->kernel = true;
		p->object = hit.object;
		if (hit.object) {
			p->symbol = hit.symbol;
			p->address = hit.address;
		}
	} else if (cpumode == RT_MISC_USER && maps) {
		map = rt_maps_find(maps, ip);
		if (map) {
			p->object = map->object;
			p->address = rt_object_address(map->object, ip, map->start, map->pgoff);
		}
	}
}

void rt_location_symbol(struct rt_location *p)
{
	if (p->object && !p->kernel)
		p->symbol = rt_object_symbol(p->object, p->address);
}

void rt_location_put_symbol(const struct rt_location *p, bool offset, struct rt_text *out)
{
	if (!p->symbol) {
		rt_text_lit(out, "[unknown]");
		return;
	}
	rt_text_str(out, p->symbol->name);
	if (offset) {
		rt_text_lit(out, "+0x");
		rt_text_hex(out, rt_location_offset(p));
	}
}

const char *rt_location_object_name(const struct rt_location *p, bool kernel_path)
{
	const char *path = NULL;

	if (!p->object)
		return "[unknown]";
	if (kernel_path && p->kernel)
		path = rt_object_symbol_file(p->object);
	return path ? path : rt_object_name(p->object);
}
