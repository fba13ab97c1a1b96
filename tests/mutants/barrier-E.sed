# SPDX-License-Identifier: GPL-2.0
# what: barrier E: the reader's exchange is not ordered
# file: module/ring/ring_reader.c
# caught by: weak
# model: -DMODE=OVERWRITE -DREADER=TAKE -DWEAK -DNESTED=0 -DWORDS=2 -DOUTER=4 -DNO_E_READER
/\/\* E \*\//s/rt_cas(/rt_cas_local(/
