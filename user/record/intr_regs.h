/* SPDX-License-Identifier: GPL-2.0 */
/*
 * intr_regs.h - from the slots of the kernel's struct pt_regs to the numbers that perf
 * gives registers.
 */
#ifndef RT_RECORD_INTR_REGS_H
#define RT_RECORD_INTR_REGS_H

#include <stdint.h>

#include "events/registers.h"

#define RT_INTR_REGS_MAX 33

/* perf's mask of the registers that a record can carry. */
uint64_t rt_intr_regs_mask(enum rt_arch arch);
/* Those of SLOTS, in the order of the mask, to TO, which has room for RT_INTR_REGS_MAX. */
void rt_intr_regs_take(enum rt_arch arch, const void *slots, uint64_t *to);

#endif
