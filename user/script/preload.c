// SPDX-License-Identifier: GPL-2.0
#include "script/preload.h"

void rt_preload_sample(const struct rt_pending *pend, bool swapped)
{
	struct rt_record rec = {
		.hdr = pend->hdr, .event = pend->layout, .swapped = swapped, .block = pend->block
	};
	struct rt_object *last = NULL;
	const struct rt_map *map;
	struct rt_sample s;
	uint64_t i;

	if (!pend->event || !pend->maps || rt_sample_parse(&rec, &s, NULL))
		return;
	for (i = 0; i < s.callchain.nr; i++) {
		/* Addresses of the kernel are in no map of a process. */
		map = rt_maps_find(pend->maps, s.callchain.ips[i]);
		if (!map || map->object == last)
			continue;
		last = map->object;
		/* Any question makes it load. */
		rt_object_symbol(last, 0);
	}
}
