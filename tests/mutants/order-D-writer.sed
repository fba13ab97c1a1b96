# SPDX-License-Identifier: GPL-2.0
# what: the writer loads consumed without acquire
# file: module/ring/ring_switch.c
# caught by: tsan
s/smp_load_acquire(&ring->control->consumed)/READ_ONCE(ring->control->consumed)/
