# SPDX-License-Identifier: GPL-2.0
# what: barrier F: the writer's exchange is not ordered
# file: module/ring/ring_switch.c
# caught by: weak
# model: -DMODE=OVERWRITE -DREADER=COPY -DWEAK -DNESTED=0 -DWORDS=2 -DOUTER=3 -DNO_F
/\/\* E, F \*\//s/rt_cas(/rt_cas_local(/
