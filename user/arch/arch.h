/* SPDX-License-Identifier: GPL-2.0 */
/*
 * arch.h - what differs between architectures: names, registers (one table, registers.c, with all
 * numberings) and the lengths of instructions.
 *
 * Nothing here reads the machine it runs on.
 *
 * May use: base, uapi.
 */
#ifndef RT_ARCH_ARCH_H
#define RT_ARCH_ARCH_H

/* The architectures that the module runs on. */
enum rt_arch { RT_ARCH_ARM64, RT_ARCH_X86_64 };

const char *rt_arch_name(enum rt_arch arch);

/* Convert the output of `uname -m` to perf's groups: "x86", "arm64", "arm", "powerpc", … */
const char *rt_arch_group(const char *machine);

#endif
