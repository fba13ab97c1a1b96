/* SPDX-License-Identifier: GPL-2.0 */
/* plain_row.h - the short form of a row of call frame information, which nearly all rows have. */
#ifndef RT_SYMBOLS_UNWIND_PLAIN_ROW_H
#define RT_SYMBOLS_UNWIND_PLAIN_ROW_H

#include "symbols/unwind/cfi.h"

#define RT_PLAIN_MAX 8 /* registers */

/*
 * A row as nearly all are: the frame's address is a register and an offset, and the caller's
 * registers lie at offsets from that address.
 */
struct rt_plain_row {
	uint8_t count; /* 0: the row is not plain */
	bool signal;
	uint8_t return_register, cfa_register;
	int32_t cfa_offset;
	int32_t lowest; /* of the offsets */
	uint32_t span;	/* bytes from there to the end of the highest */
	uint64_t mask;	/* the registers */
	uint8_t reg[RT_PLAIN_MAX];
	int16_t offset[RT_PLAIN_MAX];
};

/* `sp_reg`: DWARF's number of the stack pointer.  count is 0 if the row has no such form. */
void rt_plain_row_make(const struct rt_cfi_row *row, unsigned int sp_reg, struct rt_plain_row *p);

#endif
