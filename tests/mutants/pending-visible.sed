# SPDX-License-Identifier: GPL-2.0
# what: a record says committed while its payload is being written
# file: module/ring/ring_reserve.h
# caught by: unit ring_nest
/^	WRITE_ONCE(rec\[0\]/s/RT_RECORD_PENDING/RT_RECORD_COMMITTED/
