// SPDX-License-Identifier: GPL-2.0
/*
 * The running tasks and their executable mappings.
 *
 * Tasks come and go while this code reads /proc; it skips whatever vanishes.
 */
#include "perfdata/write/synth.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"

#define ANON_NAME "//anon"

static bool is_number(const char *s)
{
	return isdigit((unsigned char)*s) && !s[strspn(s, "0123456789")];
}

/* The value of "KEY:\tnumber" in a status text; -1 if it is missing. */
static int32_t status_value(const char *text, const char *key)
{
	const char *p = strstr(text, key);

	return p ? strtol(p + strlen(key), NULL, 10) : -1;
}

static int32_t parent_of(pid_t pid)
{
	char path[64], *text;
	int32_t ppid;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (rt_file_read(path, 1024 * 1024, &text, NULL))
		return -1;
	ppid = status_value(text, "\nPPid:");
	free(text);
	return ppid;
}

/* Parse one line of /proc/PID/maps; the name is cut out of the line. */
static bool parse_map(char *line, struct rt_writer_map *map)
{
	char *p = line, *perms;
	uint64_t end;

	map->start = strtoull(p, &p, 16);
	if (*p++ != '-')
		return false;
	end = strtoull(p, &p, 16);
	if (*p++ != ' ' || end <= map->start || strlen(p) < 5)
		return false;
	map->len = end - map->start;
	perms = p;
	p += 4;
	map->prot = (perms[0] == 'r' ? PROT_READ : 0) | (perms[1] == 'w' ? PROT_WRITE : 0) |
		    (perms[2] == 'x' ? PROT_EXEC : 0);
	map->flags = perms[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	map->pgoff = strtoull(p, &p, 16);
	map->maj = strtoul(p, &p, 16);
	if (*p++ != ':')
		return false;
	map->min = strtoul(p, &p, 16);
	map->ino = strtoull(p, &p, 10);
	p += strspn(p, " ");
	p[strcspn(p, "\n")] = 0;
	map->filename = *p ? p : ANON_NAME;
	return true;
}

static int put_maps(struct rt_writer *w, pid_t pid)
{
	struct rt_writer_map map = { .pid = pid, .tid = pid };
	char path[64], *line = NULL;
	size_t room = 0;
	int ret = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	in = fopen(path, "re");
	if (!in)
		return 0;
	while (!ret && getline(&line, &room, in) > 0)
		if (parse_map(line, &map) && rt_writer_wants(w, &map))
			ret = rt_writer_map(w, NULL, &map);
	free(line);
	fclose(in);
	return ret;
}

static int put_task(struct rt_writer *w, pid_t pid, pid_t tid, int32_t ppid)
{
	char path[64], comm[64];
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	if (rt_file_line(path, comm, sizeof(comm)))
		return 0;
	/* /proc does not say who started a thread, so name its process. */
	ret = tid == pid ? rt_writer_fork(w, NULL, pid, ppid, tid, ppid) :
			   rt_writer_fork(w, NULL, pid, pid, tid, pid);
	return ret ? ret : rt_writer_comm(w, NULL, pid, tid, comm, false);
}

static int put_process(struct rt_writer *w, pid_t pid)
{
	int32_t ppid = parent_of(pid);
	struct dirent *entry;
	char path[64];
	pid_t tid;
	DIR *dir;
	int ret;

	if (ppid < 0)
		return -ESRCH;
	/* Write the leader and its maps first: threads share them. */
	ret = put_task(w, pid, pid, ppid);
	if (!ret)
		ret = put_maps(w, pid);
	if (ret)
		return ret;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && !ret && (entry = readdir(dir))) {
		tid = is_number(entry->d_name) ? atoi(entry->d_name) : pid;
		if (tid != pid)
			ret = put_task(w, pid, tid, pid);
	}
	if (dir)
		closedir(dir);
	return ret;
}

int rt_synth_process(struct rt_writer *w, pid_t pid, struct rt_err *err)
{
	int ret = put_process(w, pid);

	if (ret == -ESRCH)
		return rt_err_set(err, ret, "there is no process %d", pid);
	return ret ? rt_err_set(err, ret, "cannot write the maps of process %d: %s", pid,
				strerror(-ret)) :
		     0;
}

/* Write only its name: a fork record would also give it its parent's maps. */
static int put_starting(struct rt_writer *w, pid_t pid)
{
	char path[64], comm[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if (rt_file_line(path, comm, sizeof(comm)))
		return -ESRCH;
	return rt_writer_comm(w, NULL, pid, pid, comm, false);
}

int rt_synth_tasks(struct rt_writer *w, pid_t starting, struct rt_err *err)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int ret = 0;
	pid_t pid;

	if (!proc)
		return rt_err_set(err, errno, "cannot read /proc: %s", strerror(errno));
	while (!ret && (entry = readdir(proc))) {
		if (!is_number(entry->d_name))
			continue;
		pid = atoi(entry->d_name);
		ret = pid == starting ? put_starting(w, pid) : put_process(w, pid);
		if (ret == -ESRCH)
			ret = 0;
	}
	closedir(proc);
	return ret ? rt_err_set(err, ret, "cannot write the running tasks: %s", strerror(-ret)) : 0;
}
