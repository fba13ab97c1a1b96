# SPDX-License-Identifier: GPL-2.0
# what: what a header says of overwritten records is read too late
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
s/sub->overwritten = past->overwritten;/sub->overwritten = READ_ONCE(ring->status->overwritten);/
