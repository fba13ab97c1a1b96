# SPDX-License-Identifier: GPL-2.0
# what: the writer's exchange has no order
# file: module/ring/ring_switch.c
# caught by: tsan
s/if (!rt_cas(word, slot, mine))/if (!rt_cas_local(word, slot, mine))/
