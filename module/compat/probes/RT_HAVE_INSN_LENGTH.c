// SPDX-License-Identifier: GPL-2.0
/*
 * 4.0: insn_init() takes the number of bytes, x86 only.
 * The replacement needs the older layout of its arguments.
 */
#include <asm/insn.h>

/* A pointer, because the kernel does not export the function. */
void rt_probe(typeof(&insn_init) init, struct insn *insn, const void *code);
void rt_probe(typeof(&insn_init) init, struct insn *insn, const void *code)
{
	init(insn, code, MAX_INSN_SIZE, 1);
}
