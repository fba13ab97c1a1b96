# SPDX-License-Identifier: GPL-2.0
# what: a sub-buffer is used again without being wiped
# file: module/ring/ring_switch.c
# caught by: unit ring_take
/^	rt_wipe(sub + 1/d
