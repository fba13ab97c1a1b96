# SPDX-License-Identifier: GPL-2.0
# what: the bytes are counted before the record says committed
# file: module/ring/ring.h
# caught by: unit ring_nest
/^	smp_store_release(rec, head); \/\* B \*\//{
h
d
}
/^	rt_add_release(&sub->commit, count); \/\* C \*\//G
