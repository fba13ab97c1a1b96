/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The number of debug registers of arm64, and what they can watch.  Older kernels read the number through
 * a function that they do not export.
 *
 * Included by its users, not by compat.h.
 */
#ifndef RT_COMPAT_SLOTS_H
#define RT_COMPAT_SLOTS_H

#include <asm/hw_breakpoint.h>
#include <asm/sysreg.h>

#ifdef RT_HAVE_NUM_WRPS
#define rt_compat_watch_slots get_num_wrps
#define rt_compat_break_slots get_num_brps
#else
/* The fields of ID_AA64DFR0_EL1 have the number less one. */
static inline u32 rt_compat_watch_slots(void)
{
	return ((read_sysreg(id_aa64dfr0_el1) >> 20) & 0xf) + 1;
}

static inline u32 rt_compat_break_slots(void)
{
	return ((read_sysreg(id_aa64dfr0_el1) >> 12) & 0xf) + 1;
}
#endif

/* Before 4.10 a watch begins at a multiple of eight and has 1, 2, 4 or 8 bytes. */
#ifdef ARM_BREAKPOINT_LEN_3
#define RT_COMPAT_WATCH_ANY_BYTES true
#else
#define RT_COMPAT_WATCH_ANY_BYTES false
#endif

#endif
