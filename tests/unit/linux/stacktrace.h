/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's header of this name as it was before 5.2, for tests of module/compat/. */
#ifndef RT_TEST_STACKTRACE_H
#define RT_TEST_STACKTRACE_H

struct pt_regs;

struct stack_trace {
	unsigned int nr_entries, max_entries;
	unsigned long *entries;
	int skip;
};

void save_stack_trace(struct stack_trace *trace);
unsigned long instruction_pointer(struct pt_regs *regs);

#endif
