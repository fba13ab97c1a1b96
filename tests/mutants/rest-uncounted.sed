# SPDX-License-Identifier: GPL-2.0
# what: the unused rest of a closed sub-buffer is not counted
# file: module/ring/ring_switch.c
# caught by: unit ring_write
/^	rt_add_release(&v->sub->commit, rest \* RT_WORD);/d
