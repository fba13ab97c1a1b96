# SPDX-License-Identifier: GPL-2.0
# what: a copy takes a sub-buffer that is being prepared
# file: module/ring/ring_reader.c
# caught by: unit ring_race
s/rt_slot_seq(slot) != seq || (slot & RT_SLOT_PREPARING) ||/rt_slot_seq(slot) != seq ||/
