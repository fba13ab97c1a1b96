# SPDX-License-Identifier: GPL-2.0
# what: barrier B: the state is stored without release
# file: module/ring/ring.h
# caught by: weak
# model: -DMODE=DISCARD -DREADER=LIVE -DWEAK -DNESTED=0 -DWORDS=2 -DOUTER=1 -DNO_B
s/smp_store_release(rec, head); \/\* B \*\//WRITE_ONCE(*rec, head);/
