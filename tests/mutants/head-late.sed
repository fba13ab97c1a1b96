# SPDX-License-Identifier: GPL-2.0
# what: the head is raised after the sub-buffer has been opened
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
/^		raised = raise_word(&ring->status->head, v->seq);/d
s/^		rt_point(RT_AT_OPENED);/&\
		raised = raise_word(\&ring->status->head, v->seq);/
