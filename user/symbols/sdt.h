/* SPDX-License-Identifier: GPL-2.0 */
/* sdt.h - the markers (USDT) that a file declares in .note.stapsdt. */
#ifndef RT_SYMBOLS_SDT_H
#define RT_SYMBOLS_SDT_H

#include "symbols/elffile.h"

struct rt_sdt {
	char *provider, *name, *args;
	uint64_t offset;    /* of the instruction, in the file */
	uint64_t semaphore; /* of its count, in the file; 0: none */
};

struct rt_sdt_list {
	struct rt_sdt *markers;
	size_t count;
};

/* 0, or -ENOMEM.  A damaged note gives no marker. */
int rt_sdt_read(const struct rt_elf *e, struct rt_sdt_list *out);
void rt_sdt_list_free(struct rt_sdt_list *list);

#endif
