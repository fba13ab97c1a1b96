// SPDX-License-Identifier: GPL-2.0
#include "script/preload.h"

void rt_preload_sample(const struct rt_pending *pend, bool swapped)
{
	struct rt_perf_record rec = {
		.hdr = pend->hdr, .event = pend->layout, .swapped = swapped, .block = pend->block
	};
	struct rt_object *last = NULL;
	const struct rt_map *map;
	const struct rt_sample *s = pend->sample;
	struct rt_sample taken;
	uint64_t i;

	if (!pend->event || !pend->maps || (!s && rt_sample_parse(&rec, &taken, NULL)))
		return;
	s = s ? s : &taken;
	for (i = 0; i < s->callchain.nr; i++) {
		/* A process has no map for kernel addresses. */
		map = rt_maps_find(pend->maps, s->callchain.ips[i]);
		if (!map || map->object == last)
			continue;
		last = map->object;
		/* Any lookup loads the symbols. */
		rt_object_symbol(last, 0);
	}
}
