/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cfi.h - how to step out of a function: one row of a file's call frame information, in a form that
 * can be applied directly.
 */
#ifndef RT_SYMBOLS_UNWIND_CFI_H
#define RT_SYMBOLS_UNWIND_CFI_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "symbols/elffile.h"

#define RT_CFI_RULES \
	24 /* registers that one row restores: on arm64 up to x19 to x30, sp and d8 to d15 */

enum rt_cfi_kind {
	RT_CFI_NONE,	  /* the file has no entry for this address */
	RT_CFI_KNOWN,	  /* the rest is valid */
	RT_CFI_TOO_CURLY, /* too complex to keep: leave it to a library */
};

enum rt_cfi_how {
	RT_CFI_AT_CFA,	  /* stored at the frame's address + offset */
	RT_CFI_CFA,	  /* the frame's address + offset itself */
	RT_CFI_REGISTER,  /* in register `offset` */
	RT_CFI_AT,	  /* stored at the address that an expression gives */
	RT_CFI_IS,	  /* the value of an expression */
	RT_CFI_UNDEFINED, /* lost; for the return address: there is no caller */
};

struct rt_cfi_expression {
	const Dwarf_Op *ops; /* valid as long as the file */
	size_t count;
};

struct rt_cfi_row {
	uint8_t kind; /* enum rt_cfi_kind */
	bool signal;  /* the caller was interrupted; it did not call */
	uint8_t return_register;
	uint8_t rules;
	uint16_t cfa_register;
	int32_t cfa_offset;
	struct rt_cfi_expression cfa; /* if count: replaces the two above */
	struct rt_cfi_rule {
		uint8_t reg, how; /* DWARF's number, enum rt_cfi_how */
		int32_t offset;
		struct rt_cfi_expression at;
	} rule[RT_CFI_RULES];
};

struct rt_cfi; /* of one file */

/*
 * ELF and PATH must outlive it; PATH is NULL for an image in memory.  NULL if there is no memory.
 */
struct rt_cfi *rt_cfi_new(const struct rt_elf *elf, const char *path);
void rt_cfi_free(struct rt_cfi *cfi);

/*
 * The row for a virtual address of the file; `registers` is the number of DWARF registers that are
 * wanted besides the return address.  Any thread may call this.
 */
void rt_cfi_row(struct rt_cfi *cfi, uint64_t vaddr, unsigned int registers, struct rt_cfi_row *row);

#endif
