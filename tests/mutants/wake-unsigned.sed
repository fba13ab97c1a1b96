# SPDX-License-Identifier: GPL-2.0
# what: an untouched ring counts as ready
# file: module/ring/ring.h
# caught by: unit ring_wake
s/return ring->watermark && rt_ring_waiting(ring) >= (s64)ring->watermark;/return ring->watermark \&\& (u64)rt_ring_waiting(ring) >= ring->watermark;/
