# SPDX-License-Identifier: GPL-2.0
# what: a copy goes on behind a place without a header
# file: module/ring/ring_reader.c
# caught by: unit ring_take
s/if (!size || size > ring->words - at)/if (!size \&\& (size = 1))\n			continue;\n		if (size > ring->words - at)/
