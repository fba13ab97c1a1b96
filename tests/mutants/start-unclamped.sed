# SPDX-License-Identifier: GPL-2.0
# what: a clock step between closing and opening is believed
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
s/past->start = view_clock(ring, v);/past->start = rt_port_clock();/
