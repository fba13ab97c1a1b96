// SPDX-License-Identifier: GPL-2.0
/*
 * The plain C of module/compat/: what older kernels get instead of functions that they lack.
 */
#include <errno.h>
#include <limits.h>

#include <linux/uaccess.h>

#define RT_HAVE_PROBE_KERNEL_READ 1

#include "compat/stacktrace.h"
#include "compat/string.h"
#include "compat/uaccess.h"
#include "tap.h"

static void test_strings(void)
{
	char to[4] = "zzz";
	u64 words[4] = { 1, 2, 3, 4 };

	is_int(strscpy(to, "ab", sizeof(to)), 2, "a string that fits");
	is_str(to, "ab", "is copied");
	is_int(strscpy(to, "abc", sizeof(to)), 3, "one that just fits");
	is_str(to, "abc", "is copied");
	is_int(strscpy(to, "abcd", sizeof(to)), -E2BIG, "one that does not fit");
	is_str(to, "abc", "is cut and ended");
	is_int(strscpy(to, "x", 0), -E2BIG, "nothing fits into nothing");
	is_str(to, "abc", "and nothing is written");
	memset64(words + 1, ~0ULL, 2);
	ok(words[0] == 1 && words[1] == ~0ULL && words[2] == ~0ULL && words[3] == 4,
	   "words are set, and no others");
}

/* A struct of 8 bytes, from callers whose struct is shorter, as long, or longer. */
static void test_struct(void)
{
	u64 to = ~0ULL;

	memcpy(test_user, "\1\2\3\4\5\6\7\10\0\0\0\0\0\0\0\1", 16);
	is_int(copy_struct_from_user(&to, 8, test_user, 4), 0, "a shorter struct");
	ok(to == 0x04030201, "the rest is zero");
	is_int(copy_struct_from_user(&to, 8, test_user, 8), 0, "one of the same length");
	ok(to == 0x0807060504030201, "is copied");
	is_int(copy_struct_from_user(&to, 8, test_user, 15), 0,
	       "a longer one that ends with zeros");
	is_int(copy_struct_from_user(&to, 8, test_user, 16), -E2BIG, "one that says more");
	is_int(copy_struct_from_user(&to, 8, test_user + 60, 8), -EFAULT, "one that is not there");
	is_int(copy_struct_from_user(&to, 8, test_user + 56, 16), -EFAULT, "nor its tail");
}

static void test_nofault(void)
{
	u32 to = 0;

	memcpy(test_user, "\1\0\0\0", 4);
	is_int(copy_from_user_nofault(&to, test_user, 4), 0, "user memory");
	is_int(to, 1, "is read");
	test_limit = KERNEL_DS;
	is_int(copy_from_user_nofault(&to, test_user, 4), 0,
	       "also while the kernel copies from itself");
	is_int(test_limit, KERNEL_DS, "whose limit is restored");
	is_int(copy_from_user_nofault(&to, test_user + 62, 4), -EFAULT, "what is not there");
	is_int(test_limit, KERNEL_DS, "the limit is restored, too");
	is_int(test_faults_off, 0, "and page faults are allowed again");
	test_preempted = 2;
	test_leak = 1;
	is_int(copy_from_user_nofault(&to, test_user + 62, 4), -EFAULT, "a fault that leaks");
	is_int(test_preempted, 2, "leaves preemption as it was");
	test_preempted = test_leak = 0;
	test_limit = USER_DS;
}

static unsigned long found[4];
static unsigned int found_count;

void save_stack_trace(struct stack_trace *trace)
{
	unsigned int i;

	for (i = trace->skip; i < found_count && trace->nr_entries < trace->max_entries; i++)
		trace->entries[trace->nr_entries++] = found[i];
}

/* Stands for the address in the registers. */
static unsigned long at;

unsigned long instruction_pointer(struct pt_regs *regs)
{
	return at;
}

static void walk(struct pt_regs *regs, struct stack_trace *trace)
{
	save_stack_trace(trace);
}

static void test_stack(void)
{
	unsigned long store[4];

	memcpy(found, (unsigned long[]){ 11, 12, 13, ULONG_MAX }, sizeof(found));
	found_count = 4;
	is_int(stack_trace_save(store, 4, 0), 3, "the mark at the end is no frame");
	is_int(stack_trace_save(store, 4, 2), 1, "frames are skipped");
	is_int(store[0], 13, "the first ones");
	is_int(stack_trace_save(store, 2, 0), 2, "a stack that was cut has no mark");
	at = 11;
	is_int(rt_compat_stack_regs(walk, NULL, store, 4), 3, "the same from registers");
	is_int(store[0], 11, "from their address");
	at = 10;
	is_int(rt_compat_stack_regs(walk, NULL, store, 4), 4, "a walker that leaves it out");
	ok(store[0] == 10 && store[1] == 11 && store[3] == 13, "gets it in front");
	is_int(rt_compat_stack_regs(walk, NULL, store, 2), 2, "also if the stack is cut");
	ok(store[0] == 10 && store[1] == 11 && store[2] == 12, "within its room");
	found_count = 0;
	is_int(stack_trace_save(store, 4, 0), 0, "no frames");
}

int main(void)
{
	test_strings();
	test_struct();
	test_nofault();
	test_stack();
	return tap_done();
}
