/* SPDX-License-Identifier: GPL-2.0 */
/*
 * targets.h - what a recording is restricted to, as typed.
 */
#ifndef RT_RECORD_TARGETS_H
#define RT_RECORD_TARGETS_H

#include <stdbool.h>
#include <sys/types.h>

#include "agent/session.h"
#include "base/error.h"

struct rt_targets {
	bool all;
	bool no_inherit;
	const char *cpus; /* "0-3,6" */
	const char *pids; /* "12,34" */
	const char *tids;
};

/* Whether what was typed goes together. */
int rt_targets_check(const struct rt_targets *t, bool command, struct rt_err *err);
/* WORKLOAD is 0, or the process of the command. */
int rt_targets_apply(const struct rt_targets *t, struct rt_session *s, pid_t workload,
		     struct rt_err *err);

#endif
