# SPDX-License-Identifier: GPL-2.0
# what: the reader is woken before the head is raised
# file: module/ring/ring_switch.c
# caught by: unit ring_wake
s/^		rt_point(RT_AT_PUBLISHED);/&\
		if (ring->watermark \&\& (s64)(v->next - ring->control->consumed) >= ring->watermark)\
			ring->wake(ring);/
s/^		if (raised && rt_ring_ready(ring))/		if (0)/
