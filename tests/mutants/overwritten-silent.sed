# SPDX-License-Identifier: GPL-2.0
# what: what is overwritten is not counted
# file: module/ring/ring_switch.c
# caught by: unit ring_take
/^	if (ring->mode == RT_MODE_OVERWRITE)$/{
N
/overwritten/d
}
