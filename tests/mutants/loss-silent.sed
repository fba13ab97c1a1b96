# SPDX-License-Identifier: GPL-2.0
# what: a lost record is not counted
# file: module/ring/ring_switch.c
# caught by: unit ring_write
/^	rt_ring_lose(ring, cause);/d
