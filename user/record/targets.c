// SPDX-License-Identifier: GPL-2.0
#include "record/targets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rt_targets_check(const struct rt_targets *t, bool command, struct rt_err *err)
{
	bool restricted = t->cpus || t->pids || t->tids;

	if (t->all && (t->pids || t->tids))
		return rt_err_set(err, EINVAL, "-a means everything: leave it out, or -p and -t");
	if (!t->all && !restricted && !command)
		return rt_err_set(
			err, EINVAL,
			"record what? -a for the whole machine, -p PID, -C CPU, or a command");
	return 0;
}

/* Numbers and, where RANGES, "a-b", separated by commas. */
static int add_list(struct rt_session *s, uint32_t what, const char *list, bool ranges,
		    const char *option, struct rt_err *err)
{
	unsigned long first, last;
	const char *at = list;
	char *end;
	int ret;

	for (;;) {
		errno = 0;
		first = last = strtoul(at, &end, 10);
		if (end != at && ranges && *end == '-') {
			at = end + 1;
			last = strtoul(at, &end, 10);
		}
		if (end == at || errno || last < first || (*end && *end != ','))
			return rt_err_set(err, EINVAL,
					  "%s takes numbers separated by commas, not '%s'", option,
					  list);
		for (; first <= last; first++) {
			ret = rt_session_target(s, what, first, err);
			if (ret)
				return rt_err_prefix(err, ret, "%s %lu", option, first);
		}
		if (!*end)
			return 0;
		at = end + 1;
	}
}

int rt_targets_apply(const struct rt_targets *t, struct rt_session *s, pid_t workload,
		     struct rt_err *err)
{
	int ret;

	/* The tracer leaves itself out. */
	ret = rt_session_target(s, RT_TARGET_NOT_AGENT, getpid(), err);
	if (!ret && !t->no_inherit)
		ret = rt_session_target(s, RT_TARGET_INHERIT, 1, err);
	if (!ret && t->cpus)
		ret = add_list(s, RT_TARGET_CPU, t->cpus, true, "-C", err);
	if (!ret && t->pids)
		ret = add_list(s, RT_TARGET_PROCESS, t->pids, false, "-p", err);
	if (!ret && t->tids)
		ret = add_list(s, RT_TARGET_TASK, t->tids, false, "-t", err);
	if (!ret && workload && !t->all && !t->pids && !t->tids)
		ret = rt_session_target(s, RT_TARGET_PROCESS, workload, err);
	return ret;
}
