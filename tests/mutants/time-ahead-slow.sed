# SPDX-License-Identifier: GPL-2.0
# what: a record that opens a sub-buffer is stamped later than it is
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
s/^\t\ttime = view_clock(ring, &v);/\t\ttime = view_clock(ring, \&v) + 1000;/
