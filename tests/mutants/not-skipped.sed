# SPDX-License-Identifier: GPL-2.0
# what: a sub-buffer that was passed over is published all the same
# file: module/ring.c
# caught by: unit ring_nest
/^	skip(ring, v);/d
/^static void skip(/s/^/__attribute__((unused)) /
