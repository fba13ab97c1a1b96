/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring_port.h - what the ring needs from its environment.
 *
 * The ring, except for ring_alloc.c, uses only what this header names.  So the kernel's ring and
 * the ring of the host tests are compiled from the same source.
 *
 *   rt_port_clock()          nanoseconds, NMI-safe; may step back, the ring clamps it
 *   rt_cas_local(p, o, n)    compare-and-exchange, atomic against nested contexts of this CPU
 *   rt_cas(p, o, n)          the same, atomic against every CPU and fully ordered
 *   rt_inc_local(p)          add one, atomic against nested contexts
 *   rt_add_release(p, v)     add, atomic against nested contexts; earlier stores are visible first
 *   rt_wipe(p, bytes)        zero whole words
 *   rt_copy_racy(to, p, n)   copy memory that may change meanwhile; the caller detects that
 *   rt_hide(value)           nothing at run time; the compiler forgets where the value comes from
 *   rt_point(where)          nothing, or a test's hook that delays, interrupts or crashes here
 *
 * READ_ONCE, WRITE_ONCE, smp_load_acquire, smp_store_release, smp_rmb and smp_wmb mean the same as
 * in the kernel.
 */
#ifndef RT_RING_PORT_H
#define RT_RING_PORT_H

#ifdef __KERNEL__

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/local.h>

#include "compat/local.h"
#include "kernel/clock.h"

#if BITS_PER_LONG != 64
#error "the ring exchanges 64-bit words: 64-bit kernels only"
#endif

#define rt_port_clock()	      rt_clock_read()
#define RT_RING_NOPROBE(name) NOKPROBE_SYMBOL(name)

static __always_inline bool rt_cas(u64 *p, u64 old, u64 new)
{
	return cmpxchg(p, old, new) == old;
}

#ifdef RT_COMPAT_LOCAL_INLINE
#define rt_inc_local(p)	     rt_compat_local_add((p), 1)
#define rt_add_release(p, v) rt_compat_local_add_release((p), (v))
#define rt_cas_local	     rt_compat_local_cas
#else
#define rt_inc_local(p) local_inc((local_t *)(p))

static __always_inline bool rt_cas_local(u64 *p, u64 old, u64 new)
{
	return cmpxchg_local(p, old, new) == old;
}

/*
 * On x86 every store is a release, and an add without a lock prefix is atomic against the same CPU.
 * On other architectures local_t is atomic_long_t, whose add has no ordering.
 */
#ifdef CONFIG_X86
#define rt_add_release(p, v)                    \
	do {                                    \
		barrier();                      \
		local_add((v), (local_t *)(p)); \
	} while (0)
#else
#define rt_add_release(p, v) ((void)atomic_long_add_return_release((v), (atomic_long_t *)(p)))
#endif
#endif

#ifdef CONFIG_X86
#define rt_wipe(p, bytes) memset64((u64 *)(p), 0, (bytes) / 8) /* rep stosq */
#else
#define rt_wipe(p, bytes) memset((p), 0, (bytes)) /* clears whole cache lines */
#endif

#define rt_copy_racy(to, p, n) data_race(memcpy((to), (p), (n)))

#ifndef rt_point
#define rt_point(where) \
	do {            \
	} while (0)
#endif

#else /* the host */

#include "ring_port_host.h"

#endif

#endif
