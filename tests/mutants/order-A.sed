# SPDX-License-Identifier: GPL-2.0
# what: the number is stored without release
# file: module/ring/ring_switch.c
# caught by: tsan
s/smp_store_release(&sub->seq, seq);/WRITE_ONCE(sub->seq, seq);/
