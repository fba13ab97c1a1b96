# SPDX-License-Identifier: GPL-2.0
# what: the state is stored without release
# file: module/ring/ring.h
# caught by: tsan
s/smp_store_release(rec, head);/WRITE_ONCE(*rec, head);/
