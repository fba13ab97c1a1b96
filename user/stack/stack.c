// SPDX-License-Identifier: GPL-2.0
#include "stack/stack.h"

#include <elf.h>

#include "process/machine.h"

void rt_stack_settle(struct rt_stack_how *how, const struct rt_reader *reader)
{
	const uint64_t copied = RT_SAMPLE_REGS_USER | RT_SAMPLE_STACK_USER;
	uint64_t sample_type = rt_reader_events(reader)->sample_type;

	how->elf = rt_machine_elf(rt_reader_env(reader));
	how->leaf_callers = how->elf == EM_AARCH64 &&
			    (sample_type & copied) == RT_SAMPLE_REGS_USER &&
			    !(sample_type & RT_SAMPLE_BRANCH_STACK);
}
