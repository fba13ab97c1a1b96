# SPDX-License-Identifier: GPL-2.0
# what: a copy loads a head without acquire
# file: module/ring/ring_reader.c
# caught by: tsan
s/smp_load_acquire(&from\[at\])/READ_ONCE(from[at])/
