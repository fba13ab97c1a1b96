# SPDX-License-Identifier: GPL-2.0
# what: a copy is not verified
# file: module/ring/ring_reader.c
# caught by: unit ring_take
s/return READ_ONCE(\*word) == slot ? 0 : -ENOENT;/return 0;/
