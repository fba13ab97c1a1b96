/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's header of this name as it was before 5.0, for tests of module/compat/: user memory is
 * an array, and the limit of user addresses is a number.
 */
#ifndef RT_TEST_UACCESS_H
#define RT_TEST_UACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "preempt.h"

#define __user
#define OPTIMIZER_HIDE_VAR(v)	  ((void)(v))
#define VERIFY_READ		  0
#define USER_DS			  1
#define KERNEL_DS		  2
#define TASK_SIZE_MAX		  (1UL << 47)
#define unlikely(x)		  (x)
#define min(a, b)		  ((a) < (b) ? (a) : (b))
#define pagefault_disable()	  (test_faults_off++)
#define pagefault_enable()	  (test_faults_off--)
#define get_fs()		  test_limit
#define set_fs(limit)		  (test_limit = (limit))
#define access_ok(how, at, size)  (test_limit == USER_DS && test_user_has(at, size))
#define get_user(to, at)	  (test_user_has(at, sizeof(to)) ? ((to) = *(at), 0) : -14)
#define probe_kernel_read	  test_copy
#define copy_from_user		  test_copy
#define __copy_from_user_inatomic test_copy

typedef int mm_segment_t;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

static char test_user[64];
static int test_limit = USER_DS, test_faults_off;
static int test_leak; /* what a page fault leaves in the preemption count */

static inline bool test_user_has(const void *at, size_t size)
{
	const char *from = at;

	return from >= test_user && size <= sizeof(test_user) &&
	       from <= test_user + sizeof(test_user) - size;
}

/* As copy_from_user(): the number of bytes that were not copied. */
static inline size_t test_copy(void *to, const void *from, size_t size)
{
	if (!test_user_has(from, size)) {
		test_preempted += test_leak;
		return size;
	}
	memcpy(to, from, size);
	return 0;
}

#endif
