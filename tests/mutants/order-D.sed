# SPDX-License-Identifier: GPL-2.0
# what: consumed is stored without release
# file: user/agent/live.c
# caught by: tsan
s/__atomic_store_n(&l->control->consumed, l->seq, __ATOMIC_RELEASE)/__atomic_store_n(\&l->control->consumed, l->seq, __ATOMIC_RELAXED)/
