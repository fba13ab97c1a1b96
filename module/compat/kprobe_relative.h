/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Find out whether the kernel accepts a kprobe at an instruction of x86 that addresses memory relative to
 * the instruction pointer.  Some kernels before 4.0 refuse it: the function that copies the instruction
 * forgets its length.  No header shows the difference, so try it, on kernels before 5.8.
 *
 * Included by its user, not by compat.h.
 */
#ifndef RT_COMPAT_KPROBE_RELATIVE_H
#define RT_COMPAT_KPROBE_RELATIVE_H

#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/linkage.h>

#if defined(CONFIG_X86_64) && !defined(RT_HAVE_MODULE_NOKPROBE)

#ifndef ASM_RET
#define ASM_RET "ret\n"
#endif

/* Nothing calls this function. */
extern const char rt_compat_relative[];
asm(".pushsection .text\n"
    ".type rt_compat_relative, @function\n"
    "rt_compat_relative:\n"
    "	movl rt_compat_relative(%rip), %eax\n"
    "	" ASM_RET ".size rt_compat_relative, . - rt_compat_relative\n"
    ".popsection\n");

static inline bool __init rt_compat_kprobe_relative_works(void)
{
	struct kprobe kp = {
		.addr = (kprobe_opcode_t *)rt_compat_relative,
		.flags = KPROBE_FLAG_DISABLED,
	};

	if (register_kprobe(&kp))
		return false;
	unregister_kprobe(&kp);
	return true;
}

#else

static inline bool __init rt_compat_kprobe_relative_works(void)
{
	return true;
}

#endif

#endif
