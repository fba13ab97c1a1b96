# SPDX-License-Identifier: GPL-2.0
# what: barrier C: the bytes are counted without release
# file: module/ring/ring.h
# caught by: weak
# model: -DMODE=DISCARD -DREADER=LIVE -DWEAK -DNESTED=0 -DWORDS=3 -DOUTER=2 -DNO_C
s/rt_add_release(&sub->commit, count); \/\* C \*\//__atomic_fetch_add(\&sub->commit, count, __ATOMIC_RELAXED);/
