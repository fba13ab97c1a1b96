# SPDX-License-Identifier: GPL-2.0
# what: the time is written before the head says that there is a record
# file: module/ring/ring_reserve.h
# caught by: unit ring_nest
/^	WRITE_ONCE(rec\[1\], time);/d
s/^	rt_point(RT_AT_CLAIMED);/	WRITE_ONCE(rec[1], time);\
&/
