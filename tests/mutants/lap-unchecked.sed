# SPDX-License-Identifier: GPL-2.0
# what: the writer does not ask which lap the next slot is in
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
/^	if (rt_slot_seq(slot) != v->next - ring->subbufs)/,+1d
