# SPDX-License-Identifier: GPL-2.0
# what: the reader takes a sub-buffer that is being prepared
# file: module/ring/ring_reader.c
# caught by: unit ring_race
s/if ((slot & RT_SLOT_PREPARING) ||/if (0 ||/
