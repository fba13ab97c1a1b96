# SPDX-License-Identifier: GPL-2.0
# what: the size of a record is rounded down
# file: module/ring/ring_reserve.h
# caught by: unit ring_write
s/(payload + RT_RECORD_HEADER + RT_WORD - 1) \/ RT_WORD/(payload + RT_RECORD_HEADER) \/ RT_WORD/
