# SPDX-License-Identifier: GPL-2.0
# what: the spare keeps its magic number when the ring dies
# file: module/ring/ring_setup.c
# caught by: unit ring_setup
/^void rt_ring_wipe/,$s/i < ring->status->areas/i < ring->subbufs/
