# SPDX-License-Identifier: GPL-2.0
# what: the live reader loads the number without acquire
# file: user/agent/subbuf.c
# caught by: tsan
s/__atomic_load_n(&sub->seq, __ATOMIC_ACQUIRE)/__atomic_load_n(\&sub->seq, __ATOMIC_RELAXED)/
s/__atomic_load_n(&head->seq, __ATOMIC_ACQUIRE)/__atomic_load_n(\&head->seq, __ATOMIC_RELAXED)/
