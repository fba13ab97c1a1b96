# SPDX-License-Identifier: GPL-2.0
# what: a copy loads the number without acquire
# file: module/ring/ring_reader.c
# caught by: tsan
s/smp_load_acquire(&from->seq)/READ_ONCE(from->seq)/
