/* SPDX-License-Identifier: GPL-2.0 */
/* ring_port_host.h - module/ring_port.h for programs: a thread is a CPU, a signal an interrupt. */
#ifndef RING_PORT_HOST_H
#define RING_PORT_HOST_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;

#define noinline __attribute__((noinline))
#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#define likely(x)	      __builtin_expect(!!(x), 1)
#define unlikely(x)	      __builtin_expect(!!(x), 0)
#define barrier()	      __asm__ __volatile__("" ::: "memory")
#define RT_PORT_NOPROBE(name) extern int rt_port_unused_

#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))
#define smp_load_acquire(p)	__atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE)

static inline bool rt_port_cas(u64 *p, u64 old, u64 new)
{
	return __atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#define rt_cas(p, o, n) rt_port_cas((p), (o), (n))

/*
 * Against the thread's own signal handlers one instruction is enough, as it is in the kernel
 * against interrupts; other threads only read.
 */
#ifdef __x86_64__
static inline bool rt_cas_local(u64 *p, u64 old, u64 new)
{
	bool same;

	__asm__ __volatile__("cmpxchgq %3, %1"
			     : "=@ccz"(same), "+m"(*p), "+a"(old)
			     : "r"(new)
			     : "memory");
	return same;
}

static inline void rt_add_release(u64 *p, u64 v)
{
	__asm__ __volatile__("addq %1, %0" : "+m"(*p) : "er"(v) : "memory");
}

#define rt_inc_local(p) rt_add_release((p), 1)
#else
static inline bool rt_cas_local(u64 *p, u64 old, u64 new)
{
	return __atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#define rt_inc_local(p)	     ((void)__atomic_fetch_add((p), 1, __ATOMIC_RELAXED))
#define rt_add_release(p, v) ((void)__atomic_fetch_add((p), (v), __ATOMIC_RELEASE))
#endif

#define rt_wipe(p, bytes)      memset((p), 0, (bytes))
#define rt_copy_racy(to, p, n) memcpy((to), (p), (n))

/* Each test brings its own clock, and its own idea of what happens at a point. */
u64 rt_port_clock(void);

#ifdef RT_RING_POINTS
void rt_port_point(int where);
#define rt_point(where) rt_port_point(where)
#else
#define rt_point(where) \
	do {            \
	} while (0)
#endif

#endif
