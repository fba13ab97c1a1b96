# SPDX-License-Identifier: GPL-2.0
# what: the taker's exchange has no order
# file: module/ring/ring_reader.c
# caught by: tsan
s/if (!rt_cas(word, slot, rt_slot_make(seq, ring->spare)))/if (!rt_cas_local(word, slot, rt_slot_make(seq, ring->spare)))/
