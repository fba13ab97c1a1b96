// SPDX-License-Identifier: GPL-2.0
/* report_sums.c - sums of samples: many tasks with one stack, and many stacks. */
#include <stdlib.h>

#include "report/sums.h"
#include "tap.h"

enum { TASKS = 1000, STACKS = 50, TIMES = 3 };

int main(void)
{
	struct rt_sums *sums = calloc(1, sizeof(*sums));
	static char comms[TASKS][2]; /* a name is known by its address */
	struct rt_sum sample = { .count = 1, .period = 5 };
	int task, stack, time, failed = 0, wrong = 0, other = 0;
	uint32_t i;

	for (time = 0; time < TIMES; time++)
		for (stack = 0; stack < STACKS; stack++)
			for (task = 0; task < TASKS; task++) {
				sample.stack = (uint32_t)stack;
				sample.comm = comms[task];
				failed += rt_sums_add(sums, &sample, NULL) != 0;
				i = (uint32_t)(stack * TASKS + task);
				other += sums->last != i;
			}
	is_int(failed, 0, "all are added");
	is_int(sums->count, TASKS * STACKS, "one sum for each task and stack");
	is_int(other, 0, "in the order of their first samples, and found again");
	for (i = 0; i < sums->count; i++)
		wrong += sums->list[i].count != TIMES || sums->list[i].period != 5 * TIMES;
	is_int(wrong, 0, "each counts its samples");
	rt_sums_free(sums);
	free(sums);
	return tap_done();
}
