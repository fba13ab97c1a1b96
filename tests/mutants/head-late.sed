# SPDX-License-Identifier: GPL-2.0
# what: the head is raised after the sub-buffer has been opened
# file: module/ring.c
# caught by: unit ring_nest
/^		lift(&ring->status->head, v->seq);/d
s/^		rt_point(RT_AT_OPENED);/&\
		lift(\&ring->status->head, v->seq);/
