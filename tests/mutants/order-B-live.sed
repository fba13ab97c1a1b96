# SPDX-License-Identifier: GPL-2.0
# what: the live reader loads a head without acquire
# file: user/agent/subbuf.c
# caught by: tsan
s/__atomic_load_n(&r->word\[r->at\], __ATOMIC_ACQUIRE)/__atomic_load_n(\&r->word[r->at], __ATOMIC_RELAXED)/
