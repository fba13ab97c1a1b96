# SPDX-License-Identifier: GPL-2.0
# what: the taker loads the commit count without acquire
# file: module/ring/ring_reader.c
# caught by: tsan
s/smp_load_acquire(&taken->commit)/READ_ONCE(taken->commit)/
