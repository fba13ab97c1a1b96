# SPDX-License-Identifier: GPL-2.0
# what: a nested writer takes the sub-buffer that the interrupted one prepares
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
/^	if (slot & RT_SLOT_PREPARING)$/,+1d
