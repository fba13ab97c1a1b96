# SPDX-License-Identifier: GPL-2.0
# what: the newest sub-buffer is not among those to be had
# file: module/ring/ring_reader.c
# caught by: unit ring_race
s/\*newest = seq;/*newest = seq - 1;/
