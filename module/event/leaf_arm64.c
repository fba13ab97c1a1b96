// SPDX-License-Identifier: GPL-2.0
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "leaf.h"
#include "kernel/lookup.h"

#ifdef CONFIG_ARM64

/* Read at most this many instructions before PC; if the function is longer, the answer is "no". */
#define SCAN_MAX 256U

/* Answers, by address.  They are valid until a module is loaded or unloaded. */
#define KNOWN_BITS 8
#define KNOWN_LEAF 1UL

static bool listening __read_mostly;
/* Addresses of instructions, with KNOWN_LEAF set if the answer is "yes". */
static unsigned long known[1U << KNOWN_BITS];

/* Other code may be at the same addresses now. */
static int leaf_module_changed(struct notifier_block *block, unsigned long state, void *data)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		WRITE_ONCE(known[i], 0);
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = { .notifier_call = leaf_module_changed };

void __init rt_leaf_init(void)
{
	/* Without the notifier an answer could become stale: then every answer is "no". */
	listening = !register_module_notifier(&module_notifier);
}

void rt_leaf_exit(void)
{
	unregister_module_notifier(&module_notifier);
}

/* Whether the link register may hold another value after this instruction. */
static bool ends_leaf(u32 insn, u32 before)
{
	/* stp x29, x30, [sp, …], with and without write-back */
	if ((insn & 0xfe407fff) == 0xa8007bfd)
		return true;
	/* str x30, [sp, …]! */
	if ((insn & 0xffe00fff) == 0xf8000ffe)
		return true;
	/* A call: bl, blr, blraa.  That of ftrace comes after "mov x9, x30" and restores x30. */
	if ((insn & 0xfc000000) == 0x94000000)
		return before != 0xaa1e03e9;
	if ((insn & 0xfefff000) == 0xd63f0000)
		return true;
	/* brk: a kprobe hides the original instruction */
	return (insn & 0xffe0001f) == 0xd4200000;
}

static bool leaf_look(unsigned long pc)
{
	unsigned long size, offset, at;
	__le32 word;
	u32 insn, before = 0;

	if (!listening || !rt_lookup_extent(pc, &size, &offset) || offset / sizeof(word) > SCAN_MAX)
		return false;
	for (at = pc - offset; at < pc; at += sizeof(word)) {
		if (copy_from_kernel_nofault(&word, (void *)at, sizeof(word)))
			return false;
		insn = le32_to_cpu(word);
		if (ends_leaf(insn, before))
			return false;
		before = insn;
	}
	return true;
}
NOKPROBE_SYMBOL(leaf_look);

bool rt_leaf_at(unsigned long pc)
{
	unsigned long *slot = &known[pc / sizeof(u32) % ARRAY_SIZE(known)];
	unsigned long answer = READ_ONCE(*slot);

	if ((answer & ~KNOWN_LEAF) != pc) {
		answer = pc | (leaf_look(pc) ? KNOWN_LEAF : 0);
		/* One word, so that a reader always sees an address with its own answer. */
		WRITE_ONCE(*slot, answer);
	}
	return answer & KNOWN_LEAF;
}
NOKPROBE_SYMBOL(rt_leaf_at);

#endif
