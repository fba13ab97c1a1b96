/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included by its one user, not by compat.h.
 */
#ifndef RT_COMPAT_INSN_H
#define RT_COMPAT_INSN_H

#include <linux/types.h>
#include <asm/insn.h>

/* INIT is the kernel's insn_init(), looked up.  Without a length it may read MAX_INSN_SIZE bytes. */
static inline void rt_compat_insn_init(typeof(&insn_init) init, struct insn *insn, const u8 *code,
				       u32 bytes, bool is_64bit)
{
#ifdef RT_HAVE_INSN_LENGTH
	init(insn, code, bytes, is_64bit);
#else
	init(insn, code, is_64bit);
#endif
}

#endif
