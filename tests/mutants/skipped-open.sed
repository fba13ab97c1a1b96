# SPDX-License-Identifier: GPL-2.0
# what: a sub-buffer that was passed over never counts as complete
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
/^	WRITE_ONCE(sub->commit, ring->words \* RT_WORD);/d
