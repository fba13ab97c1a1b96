# SPDX-License-Identifier: GPL-2.0
# what: a watermark that is never reached is accepted
# file: module/ring/ring_setup.c
# caught by: unit ring_wake
s/setup->watermark >= setup->subbufs)/setup->watermark > setup->subbufs)/
