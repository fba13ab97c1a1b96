# SPDX-License-Identifier: GPL-2.0
# what: a copy loads the commit count without acquire
# file: module/ring/ring_reader.c
# caught by: tsan
s/smp_load_acquire(&from->commit)/READ_ONCE(from->commit)/
