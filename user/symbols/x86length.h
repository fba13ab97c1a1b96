/* SPDX-License-Identifier: GPL-2.0 */
/*
 * x86length.h - how long an x86 instruction is.
 */
#ifndef RT_SYMBOLS_X86LENGTH_H
#define RT_SYMBOLS_X86LENGTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RT_X86_LENGTH_MAX 15

/* Of the instruction at the front of `code`; 0: it does not end within `len` bytes. */
unsigned int rt_x86_length(const uint8_t *code, size_t len, bool is_64bit);

#endif
