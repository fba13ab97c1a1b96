# SPDX-License-Identifier: GPL-2.0
# what: the number of the lap before stays while a sub-buffer is wiped
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
/^	WRITE_ONCE(sub->seq, RT_SEQ_NONE);/d
