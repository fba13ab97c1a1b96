/* SPDX-License-Identifier: GPL-2.0 */
/*
 * vet.h - run code that may crash in a child process first.
 *
 * libtraceevent's parser trusts its formats.  Those in a file may come from anybody, and one wrong
 * byte can make it follow a null pointer.  So a child parses them first, step by step.  If the
 * child dies, the next child skips the step that killed it.  The steps that remain are safe for
 * this process.
 */
#ifndef RT_PERFDATA_READ_VET_H
#define RT_PERFDATA_READ_VET_H

#include <stdbool.h>

#define RT_VET_MAX 32 /* bad steps; with more, the whole file is not trusted */

struct rt_vet {
	unsigned next; /* number of the next step */
	unsigned bad[RT_VET_MAX];
	unsigned bad_count;
	unsigned *at; /* shared by child and parent: the current step; NULL: not in a child */
};

/* Call before each step: whether to do it. */
bool rt_vet_step(struct rt_vet *vet);

/*
 * Run `work` in children until one survives; vet->bad then lists the steps that killed others.
 * False if there are too many of them.
 */
bool rt_vet_run(struct rt_vet *vet, void (*work)(struct rt_vet *vet, void *arg), void *arg);

#endif
