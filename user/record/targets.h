/* SPDX-License-Identifier: GPL-2.0 */
/* targets.h - the CPUs and tasks that a recording is restricted to, as typed. */
#ifndef RT_RECORD_TARGETS_H
#define RT_RECORD_TARGETS_H

#include <stdbool.h>
#include <sys/types.h>

#include "agent/session.h"
#include "base/error.h"

struct rt_target_options {
	bool all;
	bool no_inherit;
	const char *cpus; /* "0-3,6" */
	const char *pids; /* "12,34" */
	const char *tids;
	const char *user;   /* a name or number */
	const char *cgroup; /* a directory, or a name below the mount */
};

/* Check that the options given can be combined. */
int rt_target_options_check(const struct rt_target_options *t, bool command, struct rt_err *err);
/* WORKLOAD is 0 or the pid of the command. */
int rt_target_options_apply(const struct rt_target_options *t, struct rt_agent_session *s,
			    pid_t workload, struct rt_err *err);

#endif
