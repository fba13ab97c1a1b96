# SPDX-License-Identifier: GPL-2.0
# what: a full ring is counted as nesting
# file: module/ring/ring_switch.c
# caught by: unit ring_write
s/return v->next == v->seq + 1 ? RT_LOST_FULL : RT_LOST_NESTED;/return RT_LOST_NESTED;/
