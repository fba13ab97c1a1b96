/* SPDX-License-Identifier: GPL-2.0 */
/* pt_regs.h - convert slots of the kernel's struct pt_regs to perf's register numbers. */
#ifndef RT_ARCH_PT_REGS_H
#define RT_ARCH_PT_REGS_H

#include <stdint.h>

#include "arch/arch.h"

#define RT_PT_REGS_MAX 33

/* perf's mask of the registers that a record can carry. */
uint64_t rt_pt_regs_mask(enum rt_arch arch);
/* Copy those of SLOTS to TO, in the order of the mask; TO has room for RT_PT_REGS_MAX. */
void rt_pt_regs_take(enum rt_arch arch, const void *slots, uint64_t *to);

#endif
