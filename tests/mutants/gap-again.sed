# SPDX-License-Identifier: GPL-2.0
# what: a second gap tells the first again
# file: user/agent/live.c
# caught by: unit ring_race
/^		l->lost\[i\] = sub->lost\[i\];/d
