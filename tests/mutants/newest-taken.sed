# SPDX-License-Identifier: GPL-2.0
# what: the reader takes the sub-buffer that is being written
# file: module/ring/ring_reader.c
# caught by: unit ring_newest
s/for (; seq < newest; seq++)/for (; seq <= newest; seq++)/
