/* SPDX-License-Identifier: GPL-2.0 */
/*
 * workload.h - the command to record: forked early, so that its pid is known before
 * anything is armed, and let go when everything is.
 */
#ifndef RT_RECORD_WORKLOAD_H
#define RT_RECORD_WORKLOAD_H

#include <sys/types.h>

#include "base/error.h"

struct rt_workload {
	pid_t pid;  /* 0: none */
	int go;	    /* write end: closing it without a byte ends the child */
	int failed; /* read end: the child's errno if it could not execute */
};

int rt_workload_prepare(struct rt_workload *w, char **argv, struct rt_err *err);
/* Let it go; fails with the reason if the command cannot be executed. */
int rt_workload_go(struct rt_workload *w, const char *name, struct rt_err *err);
/* Whether it has ended; then *status is as of wait(2). */
int rt_workload_ended(struct rt_workload *w, int *status);
/* Ask it to end, and wait. */
void rt_workload_end(struct rt_workload *w);

#endif
