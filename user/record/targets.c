// SPDX-License-Identifier: GPL-2.0
#include "record/targets.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "host/cgroup.h"

enum { STATUS_LIMIT = 1 << 16 };  /* bytes of /proc/PID/status */
enum { RT_ABI_MINOR_CGROUP = 4 }; /* from here on the module has RT_TARGET_CGROUP */

/* Step over one number or, with RANGES, "a-b", and the comma behind it; false if it is neither. */
static bool take_range(const char **at, bool ranges, unsigned long *first, unsigned long *last)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*first = *last = strtoul(*at, &end, 10);
	if (ranges && *end == '-' && isdigit((unsigned char)end[1]))
		*last = strtoul(end + 1, &end, 10);
	if (errno || *last < *first || *last > INT_MAX || (*end && (*end != ',' || !end[1])))
		return false;
	*at = *end ? end + 1 : end;
	return true;
}

static int check_list(const char *list, bool ranges, const char *option, struct rt_err *err)
{
	unsigned long first, last;
	const char *at = list;

	while (list) {
		if (!take_range(&at, ranges, &first, &last))
			return rt_err_set(err, EINVAL,
					  "%s takes numbers separated by commas, not '%s'", option,
					  list);
		if (!*at)
			break;
	}
	return 0;
}

/* Add what check_list() has accepted. */
static int add_list(struct rt_agent_session *s, uint32_t what, const char *list, bool ranges,
		    const char *option, struct rt_err *err)
{
	unsigned long first, last;
	const char *at = list;
	int ret;

	while (take_range(&at, ranges, &first, &last)) {
		for (; first <= last; first++) {
			ret = rt_agent_session_target(s, what, first, err);
			if (ret)
				return rt_err_prefix(err, ret, "%s %lu", option, first);
		}
	}
	return 0;
}

int rt_target_options_check(const struct rt_target_options *t, bool command, struct rt_err *err)
{
	bool tasks = t->pids || t->tids || t->user;
	bool restricted = t->cpus || tasks || t->cgroup;
	int ret = check_list(t->cpus, true, "-C", err);

	if (!ret)
		ret = check_list(t->pids, false, "-p", err);
	if (!ret)
		ret = check_list(t->tids, false, "-t", err);
	if (ret)
		return ret;
	if (t->user && !*t->user)
		return rt_err_set(err, EINVAL, "-u takes a user, by name or number");
	if (t->cgroup && !*t->cgroup)
		return rt_err_set(err, EINVAL, "-G takes the directory of a cgroup");
	if (t->all && tasks)
		return rt_err_set(err, EINVAL,
				  "-a means everything: leave it out, or -p, -t and -u");
	if (t->user && command)
		return rt_err_set(err, EINVAL,
				  "-u records what the user runs already: leave out the command, "
				  "or -u");
	if (t->cgroup && strchr(t->cgroup, ','))
		return rt_err_set(err, EINVAL,
				  "-G takes one cgroup, for all events; perf pairs a list of them "
				  "with the events: run one record for each cgroup");
	if (!t->all && !restricted && !command)
		return rt_err_set(
			err, EINVAL,
			"record what? -a for the whole machine, -p PID, -C CPU, -G CGROUP, "
			"or a command");
	return 0;
}

static int user_id(const char *text, uid_t *id, struct rt_err *err)
{
	const struct passwd *found = getpwnam(text);
	unsigned long n;
	char *end;

	if (found) {
		*id = found->pw_uid;
		return 0;
	}
	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || n >= UINT32_MAX)
		return rt_err_set(err, EINVAL, "-u: there is no user '%s'", text);
	*id = n;
	return 0;
}

/* Every process whose real user is this one, as perf chooses them. */
static int add_user(struct rt_agent_session *s, const char *text, struct rt_err *err)
{
	const struct dirent *entry;
	char path[64], *status;
	unsigned long found = 0;
	const char *line;
	uid_t id = 0;
	DIR *dir;
	int ret = user_id(text, &id, err);

	if (ret)
		return ret;
	dir = opendir("/proc");
	if (!dir)
		return rt_err_set(err, errno, "cannot read /proc: %s", strerror(errno));
	while (!ret && (entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%.20s/status", entry->d_name);
		if (rt_file_read(path, STATUS_LIMIT, &status, NULL))
			continue; /* it has ended */
		line = strstr(status, "\nUid:");
		if (line && strtoul(line + 5, NULL, 10) == id) {
			ret = rt_agent_session_target(s, RT_TARGET_PROCESS,
						      strtoul(entry->d_name, NULL, 10), err);
			found += !ret;
			if (ret == -ESRCH)
				ret = 0;
		}
		free(status);
	}
	closedir(dir);
	if (!ret && !found)
		return rt_err_set(err, ESRCH, "-u %s: that user runs no process", text);
	return ret;
}

static int add_cgroup(struct rt_agent_session *s, const char *name, struct rt_err *err)
{
	struct rt_cgroup_place cgroup;
	int ret = rt_cgroup_find(NULL, name, &cgroup, err);

	if (ret)
		return rt_err_prefix(err, ret, "-G");
	if (s->info.abi_minor < RT_ABI_MINOR_CGROUP)
		return rt_err_set(err, EOPNOTSUPP,
				  "-G: the loaded module is older than this program and knows no "
				  "cgroups: load the module that belongs to it");
	ret = rt_agent_session_target(s, cgroup.v1 ? RT_TARGET_CGROUP_V1 : RT_TARGET_CGROUP,
				      cgroup.id, err);
	if (ret == -EOPNOTSUPP)
		return rt_err_set(err, EOPNOTSUPP,
				  "-G: this kernel does not tell the module the cgroup of a task; "
				  "choose processes with -p");
	return ret ? rt_err_prefix(err, ret, "-G %s", name) : 0;
}

int rt_target_options_apply(const struct rt_target_options *t, struct rt_agent_session *s,
			    pid_t workload, struct rt_err *err)
{
	int ret;

	/* Exclude the tracer itself. */
	ret = rt_agent_session_target(s, RT_TARGET_NOT_AGENT, getpid(), err);
	if (!ret && !t->no_inherit)
		ret = rt_agent_session_target(s, RT_TARGET_INHERIT, 1, err);
	if (!ret && t->cpus)
		ret = add_list(s, RT_TARGET_CPU, t->cpus, true, "-C", err);
	if (!ret && t->pids)
		ret = add_list(s, RT_TARGET_PROCESS, t->pids, false, "-p", err);
	if (!ret && t->tids)
		ret = add_list(s, RT_TARGET_TASK, t->tids, false, "-t", err);
	if (!ret && t->user)
		ret = add_user(s, t->user, err);
	if (!ret && t->cgroup)
		ret = add_cgroup(s, t->cgroup, err);
	/* With -G, as with -a, the command only says how long to record. */
	if (!ret && workload && !t->all && !t->pids && !t->tids && !t->cgroup)
		ret = rt_agent_session_target(s, RT_TARGET_PROCESS, workload, err);
	return ret;
}
