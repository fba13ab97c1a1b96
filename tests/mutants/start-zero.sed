# SPDX-License-Identifier: GPL-2.0
# what: a sub-buffer starts long before its first record
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
s/past->start = view_clock(ring, v);/past->start = view_time(ring, v);/
