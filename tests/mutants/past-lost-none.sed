# SPDX-License-Identifier: GPL-2.0
# what: a header does not say what was lost
# file: module/ring/ring_switch.c
# caught by: unit ring_race
s/sub->lost\[i\] = past->lost\[i\];/sub->lost[i] = 0;/
