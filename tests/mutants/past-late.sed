# SPDX-License-Identifier: GPL-2.0
# what: the losses in a header are read after the sub-buffer was taken
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
s/sub->lost\[i\] = past->lost\[i\];/sub->lost[i] = READ_ONCE(ring->status->lost[i]);/
