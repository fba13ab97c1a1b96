# SPDX-License-Identifier: GPL-2.0
# what: a record is stamped a little later than it is
# file: module/ring/ring_reserve.h
# caught by: unit ring_nest
s/time = rt_port_clock() - READ_ONCE(sub->start);/time = rt_port_clock() + 1000 - READ_ONCE(sub->start);/
