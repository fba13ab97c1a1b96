/* SPDX-License-Identifier: GPL-2.0 */
/*
 * vet.h - try something that may crash in a child process first.
 *
 * libtraceevent's parser trusts the formats it is given; those in a file may come from
 * anybody, and a wrong byte in one is enough to make it follow a null pointer.  So a
 * child parses them first, step by step.  When it dies, the step it was at is left
 * out and another child tries again; what is left is safe for us.
 */
#ifndef RT_PERFDATA_VET_H
#define RT_PERFDATA_VET_H

#include <stdbool.h>

#define RT_VET_MAX 32 /* bad steps: with more, nothing is to be believed */

struct rt_vet {
	unsigned next; /* number of the step to come */
	unsigned bad[RT_VET_MAX];
	unsigned bad_count;
	unsigned *at; /* shared by child and parent: the step under way; NULL: nobody asks */
};

/* Before each step: may it be taken? */
bool rt_vet_step(struct rt_vet *vet);

/*
 * Run `work` in children until one lives; its steps that killed others are then in
 * vet->bad.  False when there are too many of them.
 */
bool rt_vet_run(struct rt_vet *vet, void (*work)(struct rt_vet *vet, void *arg), void *arg);

#endif
