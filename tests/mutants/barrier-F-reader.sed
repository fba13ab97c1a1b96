# SPDX-License-Identifier: GPL-2.0
# what: barrier F: nothing between a copy and the second look at its slot
# file: module/ring/ring_reader.c
# caught by: weak
# model: -DMODE=OVERWRITE -DREADER=COPY -DWEAK -DNESTED=0 -DWORDS=2 -DOUTER=3 -DNO_F_READER
/^	smp_rmb(); \/\* F \*\//d
