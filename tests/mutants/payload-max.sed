# SPDX-License-Identifier: GPL-2.0
# what: the largest payload leaves no room for an extended time
# file: module/ring_setup.c
# caught by: unit ring_write
/ring->payload_max = /s/ - 16;/ - 8;/
