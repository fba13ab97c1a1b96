/* SPDX-License-Identifier: GPL-2.0 */
/*
 * workload.h - the command to record: forked early, so that its pid is known before anything is
 * armed, and started when everything is armed.
 */
#ifndef RT_RECORD_WORKLOAD_H
#define RT_RECORD_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct rt_workload {
	pid_t pid;  /* 0: none */
	int go;	    /* write end: closing it without writing a byte ends the child */
	int failed; /* read end: the child's errno if exec failed */
};

/* ASIDE: the recording goes to standard output, so send the command's output to standard error. */
int rt_workload_prepare(struct rt_workload *w, char **argv, bool aside, struct rt_err *err);
/* Start the command; fails with the reason if it cannot be executed. */
int rt_workload_go(struct rt_workload *w, const char *name, struct rt_err *err);
/* Whether the command has ended; *status is then as from wait(2). */
int rt_workload_ended(struct rt_workload *w, int *status);
/* Terminate the command and wait for it. */
void rt_workload_end(struct rt_workload *w);

#endif
