/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring_port_host.h - module/ring/ring_port.h on the host: a thread stands for a CPU, a signal for
 * an interrupt.
 */
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
#define RT_RING_NOPROBE(name) extern int rt_port_unused_

#define smp_load_acquire(p)	__atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)

/*
 * ThreadSanitizer checks the orders that the code requests, whatever order the machine keeps.  So
 * nothing is volatile or assembly, and each access has exactly the order that its name promises.
 * The sanitizer does not know fences, so there are none here; the model checks them.
 */
#ifdef __SANITIZE_THREAD__
#define READ_ONCE(x)	 __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define smp_rmb()	 barrier()
#define smp_wmb()	 barrier()
#else
#define READ_ONCE(x)	 (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define smp_rmb()	 __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb()	 __atomic_thread_fence(__ATOMIC_RELEASE)
#endif

static inline bool rt_port_cas(u64 *p, u64 old, u64 new)
{
	return __atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#define rt_cas(p, o, n) rt_port_cas((p), (o), (n))

#define rt_hide(value) __asm__("" : "+r"(value))

/*
 * One instruction is atomic against the thread's own signal handlers, as it is against interrupts
 * in the kernel.  Other threads only read these words.
 */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
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

/* Each test defines its own clock, and what happens at a point. */
u64 rt_port_clock(void);

#ifdef RT_RING_POINTS
void rt_port_point(int where);
#define rt_point(where) rt_port_point(where)
#else
#define rt_point(where) \
	do {            \
	} while (0)
#endif

/* In two halves with a point between them: an interrupt may arrive during a wipe or a copy. */
#define rt_wipe(p, bytes)                                 \
	do {                                              \
		char *wiped_ = (char *)(p);               \
		size_t half_ = (bytes) / 8 * 4;           \
		memset(wiped_, 0, half_);                 \
		rt_point(RT_AT_WIPING);                   \
		memset(wiped_ + half_, 0, (bytes)-half_); \
	} while (0)

#ifdef __SANITIZE_THREAD__
/*
 * A copy may race with writers that lap it, and is then dropped, so the sanitizer does not see it.
 * If no writer laps (rt_port_quiet), it sees all of the copy except the two header words that
 * writers change, claim and commit.
 */
extern bool rt_port_quiet;

static noinline __attribute__((no_sanitize_thread)) void
rt_port_copy_unseen(void *to, const void *from, size_t bytes)
{
	volatile u32 *out = to;
	const volatile u32 *in = from;

	for (; bytes; bytes -= 4)
		*out++ = *in++;
}

static inline void rt_port_copy(char *to, const char *from, size_t bytes, size_t claim,
				size_t after)
{
	if (!rt_port_quiet) {
		rt_port_copy_unseen(to, from, bytes);
	} else if ((uintptr_t)from % 4096) { /* a record */
		memcpy(to, from, bytes);
	} else {
		memcpy(to, from, claim);
		rt_port_copy_unseen(to + claim, from + claim, after - claim);
		memcpy(to + after, from + after, bytes - after);
	}
}

#define rt_copy_racy(to, p, n)                                                                \
	rt_port_copy((char *)(to), (const char *)(p), (n), offsetof(struct rt_subbuf, claim), \
		     offsetof(struct rt_subbuf, overwritten))
#else
#define rt_copy_racy(to, p, n)                                 \
	do {                                                   \
		char *to_ = (char *)(to);                      \
		const char *from_ = (const char *)(p);         \
		size_t half_ = (n) / 8 * 4;                    \
		memcpy(to_, from_, half_);                     \
		rt_point(RT_AT_COPYING);                       \
		memcpy(to_ + half_, from_ + half_, (n)-half_); \
	} while (0)

#endif

#endif
