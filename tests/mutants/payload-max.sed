# SPDX-License-Identifier: GPL-2.0
# what: the largest payload leaves no room for an extended time
# file: module/ring/ring_setup.c
# caught by: unit ring_write
s/ - RT_RECORD_EXTENDED;/ - RT_RECORD_HEADER;/
