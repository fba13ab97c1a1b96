# SPDX-License-Identifier: GPL-2.0
# what: a sub-buffer is used again while a record in it is pending
# file: module/ring/ring_switch.c
# caught by: unit ring_write
/^	if (RT_SUBBUF_COMMITTED(READ_ONCE(sub->commit)) != ring->words \* RT_WORD)/,+1d
