/* SPDX-License-Identifier: GPL-2.0 */
/*
 * x86_length.h - how long an x86 instruction is.
 */
#ifndef RT_ARCH_X86_LENGTH_H
#define RT_ARCH_X86_LENGTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RT_X86_LENGTH_MAX 15

/* The length of the instruction at the start of `code`; 0 if it does not end within `len` bytes. */
unsigned int rt_x86_length(const uint8_t *code, size_t len, bool is_64bit);

#endif
