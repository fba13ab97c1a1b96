# SPDX-License-Identifier: GPL-2.0
# what: barrier A: the number is stored without release
# file: module/ring/ring_switch.c
# caught by: weak
# model: -DMODE=DISCARD -DREADER=LIVE -DWEAK -DNESTED=0 -DWORDS=2 -DOUTER=3 -DNO_A
s/smp_store_release(&sub->seq, seq); \/\* A \*\//WRITE_ONCE(sub->seq, seq);/
