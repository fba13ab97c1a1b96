/* SPDX-License-Identifier: GPL-2.0 */
/*
 * program_port.h - what programs need from their environment: a read of memory that never faults a
 * page in, and the current task.  The kernel provides both; on the host they are hooks, so that
 * tests decide what memory contains.
 */
#ifndef RT_PROGRAM_PORT_H
#define RT_PROGRAM_PORT_H

#ifdef __KERNEL__

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include <uapi/ringtail.h>

#if defined(__aarch64__)
#define RT_PORT_REGISTERS RT_REGISTERS_ARM64
#define RT_PORT_SAVED	  RT_SAVED_ARM64
#elif defined(__x86_64__)
#define RT_PORT_REGISTERS RT_REGISTERS_X86_64
#define RT_PORT_SAVED	  RT_SAVED_X86_64
#else
#define RT_PORT_REGISTERS 0
#define RT_PORT_SAVED	  0
#endif

/* A probe on code that runs at a hit would recurse. */
#ifndef RT_PORT_NOPROBE
#define RT_PORT_NOPROBE(name) NOKPROBE_SYMBOL(name)
#endif

#define RT_PORT_NOINLINE noinline

/* A kernel thread has no user memory; it runs on the page tables of another task. */
static inline int rt_port_read_user(void *to, u64 from, u32 size)
{
	if (!current->mm)
		return -EFAULT;
	return copy_from_user_nofault(to, (const void __user *)(unsigned long)from, size);
}

/*
 * x86: the kernel checks an address against the width that the processor supports, not against the
 * width in use.  On a processor with five levels of page tables, booted with four, it accepts a
 * non-canonical address, and then warns when the read traps.
 */
static __always_inline bool rt_port_canonical(u64 address)
{
#ifdef CONFIG_X86_64
	return (u64)((s64)(address << (63 - __VIRTUAL_MASK_SHIFT)) >>
		     (63 - __VIRTUAL_MASK_SHIFT)) == address;
#else
	return true;
#endif
}

/*
 * The address that a pointer means.  arm64 ignores the top byte of a pointer, where a program, or a
 * kernel with tag-based KASAN, may keep a tag.
 */
static __always_inline u64 rt_port_untagged(u64 address)
{
#ifdef CONFIG_ARM64
	return (u64)((s64)(address << 8) >> 8);
#else
	return address;
#endif
}

/*
 * A pointer argument of a system call is a user address, but users do not always say so.  The
 * address ranges of kernel and user do not overlap, so the address itself tells which one is meant.
 */
static inline int rt_port_read(void *to, u64 from, u32 size)
{
	if (from < TASK_SIZE)
		return rt_port_read_user(to, from, size);
	if (!rt_port_canonical(from))
		return -EFAULT;
	return copy_from_kernel_nofault(to, (const void *)(unsigned long)from, size);
}

static inline u32 rt_port_pid(void)
{
	return current->tgid;
}

static inline u32 rt_port_tid(void)
{
	return current->pid;
}

static inline u32 rt_port_cpu(void)
{
	return raw_smp_processor_id();
}

static inline int rt_port_prio(void)
{
	return current->prio;
}

/* RT_COMM_LEN bytes.  They may lack a NUL, because another CPU may be renaming the task. */
static inline const char *rt_port_comm(void)
{
	BUILD_BUG_ON(sizeof(current->comm) < RT_COMM_LEN);
	return current->comm;
}

#else /* the host */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <ringtail.h>

#ifndef likely
#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif
#define RT_PORT_NOINLINE __attribute__((noinline))

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#ifndef RT_PORT_NOPROBE
#define RT_PORT_NOPROBE(name) struct rt_port_noprobe
#endif

/* Tests and fuzz targets that run programs on the host set this. */
struct rt_program_host {
	int (*read)(void *to, u64 from, u32 size, bool user);
	u32 pid, tid, cpu;
	int prio;
	char comm[RT_COMM_LEN];
};

extern struct rt_program_host rt_program_host;

static inline int rt_port_read_user(void *to, u64 from, u32 size)
{
	return rt_program_host.read(to, from, size, true);
}

static inline int rt_port_read(void *to, u64 from, u32 size)
{
	return rt_program_host.read(to, from, size, false);
}

static inline u32 rt_port_pid(void)
{
	return rt_program_host.pid;
}

static inline u32 rt_port_tid(void)
{
	return rt_program_host.tid;
}

static inline u32 rt_port_cpu(void)
{
	return rt_program_host.cpu;
}

static inline int rt_port_prio(void)
{
	return rt_program_host.prio;
}

static inline const char *rt_port_comm(void)
{
	return rt_program_host.comm;
}

#endif

#endif
