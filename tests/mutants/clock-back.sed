# SPDX-License-Identifier: GPL-2.0
# what: a clock that steps back is believed
# file: module/ring/ring_reserve.h
# caught by: unit ring_time
/^		if (unlikely((s64)(time - rt_claim_time(claim)) < 0))/,+1d
