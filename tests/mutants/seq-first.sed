# SPDX-License-Identifier: GPL-2.0
# what: the number is written before the header
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
/^	smp_store_release(&sub->seq, seq); \/\* A \*\//d
s/^	sub->start = past->start;/	smp_store_release(\&sub->seq, seq);\
	rt_point(RT_AT_HEADED);\
&/
