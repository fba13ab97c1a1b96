# SPDX-License-Identifier: GPL-2.0
# what: the reader takes a sub-buffer with a pending record
# file: module/ring/ring_reader.c
# caught by: unit ring_take
s/RT_SUBBUF_COMMITTED(smp_load_acquire(&taken->commit)) !=/0 \&\& RT_SUBBUF_COMMITTED(smp_load_acquire(\&taken->commit)) !=/
