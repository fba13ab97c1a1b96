# SPDX-License-Identifier: GPL-2.0
# what: barrier D: consumed is stored without release
# file: user/agent/live.c
# caught by: weak
# model: -DMODE=DISCARD -DREADER=LIVE -DWEAK -DNESTED=0 -DWORDS=2 -DOUTER=3 -DNO_D_READER
s/__atomic_store_n(&l->control->consumed, l->seq, __ATOMIC_RELEASE); \/\* D \*\//__atomic_store_n(\&l->control->consumed, l->seq, __ATOMIC_RELAXED);/
