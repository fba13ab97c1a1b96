# SPDX-License-Identifier: GPL-2.0
# what: a copy does not look whose number a sub-buffer has
# file: module/ring/ring_reader.c
# caught by: unit ring_race
s/	    smp_load_acquire(&from->seq) != seq)/	    0)/
