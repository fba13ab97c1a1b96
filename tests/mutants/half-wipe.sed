# SPDX-License-Identifier: GPL-2.0
# what: the last word of a sub-buffer is not wiped
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
/^	rt_wipe(sub + 1/s/sizeof(\*sub))/sizeof(*sub) - RT_WORD)/
