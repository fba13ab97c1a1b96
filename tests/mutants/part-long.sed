# SPDX-License-Identifier: GPL-2.0
# what: what a part leaves is given back a word too long
# file: module/ring/ring_writer.c
# caught by: unit ring_write
/^		rec\[words\] = (size - used)/s/(size - used)/(size - used + RT_WORD)/
