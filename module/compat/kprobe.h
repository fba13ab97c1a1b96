/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_KPROBE_H
#define RT_COMPAT_KPROBE_H

#include <linux/kprobes.h>
#ifdef RT_HAVE_KPROBE_BOOST_INT
#include <asm/pgtable.h>
#endif

#ifndef NOKPROBE_SYMBOL
#define NOKPROBE_SYMBOL(function)
#endif

/* Whether the kernel accepts probes in the functions of this module that handle probes. */
#ifdef RT_HAVE_MODULE_NOKPROBE
#define rt_compat_kprobe_hits_us(address) false
#else
#define rt_compat_kprobe_hits_us(address) within_module(address, THIS_MODULE)
#endif

/*
 * Kernels of the 3.10 series refuse a kprobe at an instruction of x86 that addresses memory relative to
 * the instruction pointer: the function that copies the instruction forgets its length.  If CODE, the
 * entry of a function, is such an instruction that changes neither the first two arguments nor the
 * stack, return its length: the next instruction can be probed instead.  Otherwise 0.
 */
static inline unsigned int rt_compat_kprobe_skip(const u8 *code)
{
#ifdef CONFIG_X86_64
	/* mov number(%rip), %eax or %ecx or %edx */
	if (code[0] == 0x8b && (code[1] == 0x05 || code[1] == 0x0d || code[1] == 0x15))
		return 6;
	/* cmpl $byte, number(%rip) */
	if (code[0] == 0x83 && code[1] == 0x3d)
		return 7;
#endif
	return 0;
}

/*
 * Older kernels of x86 put a jump behind the copy of a probed instruction once they have stepped through
 * it.  3.18.140 maps the copies read-only and then oopses.  So forbid the jump if the copy is read-only.
 * For a probe that is registered and still disabled.  All probes at its address are linked in a ring, with
 * the one that stands for them all.
 */
static inline void rt_compat_kprobe_keep_copy(struct kprobe *kp)
{
#ifdef RT_HAVE_KPROBE_BOOST_INT
	unsigned int level;
	pte_t *pte = kp->ainsn.insn ? lookup_address((unsigned long)kp->ainsn.insn, &level) : NULL;
	struct kprobe *same = kp;

	if (!pte || pte_val(*pte) & _PAGE_RW)
		return;
	preempt_disable(); /* the kernel frees probes after a grace period */
	do {
		same->ainsn.boostable = -1;
		same = list_entry(READ_ONCE(same->list.next), struct kprobe, list);
	} while (same != kp);
	preempt_enable();
#endif
}

/* An entry of the kernel's list of forbidden places; false: this kernel does not say what it is. */
static inline bool rt_compat_kprobe_forbidden(const void *at, unsigned long *begin,
					      unsigned long *end)
{
#ifdef RT_HAVE_KPROBE_BLACKLIST_ENTRY
	const struct kprobe_blacklist_entry *entry =
		list_entry(at, struct kprobe_blacklist_entry, list);

	*begin = entry->start_addr;
	*end = entry->end_addr;
	return true;
#else
	return false;
#endif
}

/* On older kernels an instance points to its kretprobe. */
#ifndef RT_HAVE_GET_KRETPROBE
#define get_kretprobe(instance) ((instance)->rp)
#endif

/* The address that the probed function returns to. */
#ifndef RT_HAVE_GET_KRETPROBE_RETADDR
#define get_kretprobe_retaddr(instance) ((unsigned long)(instance)->ret_addr)
#endif

/*
 * arm64 kernels before 5.12 step through the copy of a probed instruction, where a watchpoint may
 * trap; later ones execute it with debug exceptions masked.
 */
#ifdef RT_HAVE_KPROBE_STEP_CTX
#define RT_COMPAT_KPROBE_STEPS true
#ifdef RT_HAVE_KPROBE_API
#define rt_compat_kprobe_copy(kp) ((unsigned long)(kp)->ainsn.api.insn)
#else
#define rt_compat_kprobe_copy(kp) ((unsigned long)(kp)->ainsn.insn)
#endif
#else
#define RT_COMPAT_KPROBE_STEPS	  false
#define rt_compat_kprobe_copy(kp) 0UL
#endif

#endif
