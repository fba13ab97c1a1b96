# SPDX-License-Identifier: GPL-2.0
# what: the size of a record is rounded down
# file: module/ring_reserve.h
# caught by: unit ring_write
s/(payload + 8 + RT_RECORD_ALIGN - 1) \/ 8/(payload + 8) \/ 8/
