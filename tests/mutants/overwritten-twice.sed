# SPDX-License-Identifier: GPL-2.0
# what: what is overwritten is counted twice
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
s/^\t\trt_add_release(&ring->status->overwritten, RT_SUBBUF_RECORDS(sub->commit));/\t\trt_add_release(\&ring->status->overwritten, 2 * RT_SUBBUF_RECORDS(sub->commit));/
