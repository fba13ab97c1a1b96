# SPDX-License-Identifier: GPL-2.0
# what: in discard mode the oldest unread sub-buffer is used again
# file: module/ring/ring_switch.c
# caught by: unit ring_write
s/(s64)(consumed - rt_slot_seq(slot)) > 0/(s64)(consumed - rt_slot_seq(slot)) >= 0/
