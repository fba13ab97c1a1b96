# SPDX-License-Identifier: GPL-2.0
# what: the bytes are counted without release
# file: module/ring/ring.h
# caught by: tsan
s/rt_add_release(&sub->commit, count);/__atomic_fetch_add(\&sub->commit, count, __ATOMIC_RELAXED);/
