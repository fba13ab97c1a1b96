/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring_port.h - the little that the ring needs of the place it runs in.
 *
 * ring.c and ring_reader.c see only what is named here, so the very same source
 * is the kernel's ring and the one that the host tests torture.
 *
 *   rt_port_clock()          nanoseconds, NMI-safe; may step back, the ring clamps it
 *   rt_cas_local(p, o, n)    compare-and-exchange against this CPU's own nested contexts
 *   rt_cas(p, o, n)          the same against every CPU, fully ordered
 *   rt_inc_local(p)          count up, against nested contexts
 *   rt_add_release(p, v)     add against nested contexts; what came before is visible first
 *   rt_wipe(p, bytes)        zero whole words
 *   rt_copy_racy(to, p, n)   copy what may change meanwhile; the caller finds out
 *   rt_point(where)          nothing, or a test's hook: delay, nest, crash here
 *
 * READ_ONCE, WRITE_ONCE, smp_load_acquire, smp_store_release, smp_rmb and
 * smp_wmb mean what they mean in the kernel.
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

#include "clock.h"

#if BITS_PER_LONG != 64
#error "the ring exchanges 64-bit words: 64-bit kernels only"
#endif

#define rt_port_clock()	      rt_clock_read()
#define rt_inc_local(p)	      local_inc((local_t *)(p))
#define RT_PORT_NOPROBE(name) NOKPROBE_SYMBOL(name)

static __always_inline bool rt_cas_local(u64 *p, u64 old, u64 new)
{
	return cmpxchg_local(p, old, new) == old;
}

static __always_inline bool rt_cas(u64 *p, u64 old, u64 new)
{
	return cmpxchg(p, old, new) == old;
}

/*
 * A store of x86 is a release already, and its unlocked add is enough against
 * the same CPU.  Elsewhere local_t is atomic_long_t and has no ordering.
 */
#ifdef CONFIG_X86
#define rt_add_release(p, v)                    \
	do {                                    \
		barrier();                      \
		local_add((v), (local_t *)(p)); \
	} while (0)
#define rt_wipe(p, bytes) memset64((u64 *)(p), 0, (bytes) / 8) /* rep stosq */
#else
#define rt_add_release(p, v) ((void)atomic_long_add_return_release((v), (atomic_long_t *)(p)))
#define rt_wipe(p, bytes)    memset((p), 0, (bytes)) /* clears whole cache lines */
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
