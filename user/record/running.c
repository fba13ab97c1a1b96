// SPDX-License-Identifier: GPL-2.0
#include "record/running.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DELETED " (deleted)"

/* The path of a line of /proc/PID/maps; NULL unless it is a file with code that still has a name. */
static char *code_path(char *line)
{
	char access[5] = "", *path = strchr(line, '/');
	size_t size;

	if (!path || sscanf(line, "%*s %4s", access) != 1 || access[2] != 'x')
		return NULL;
	path[strcspn(path, "\n")] = 0;
	size = strlen(path);
	if (size >= strlen(DELETED) && !strcmp(path + size - strlen(DELETED), DELETED))
		return NULL;
	return path;
}

/*
 * The kernel shows paths as the reader would open them if it can; of a file in another mount
 * namespace it shows the path there.
 */
static bool same_mounts(const char *pid)
{
	char path[PATH_MAX];
	struct stat ours, theirs;

	snprintf(path, sizeof(path), "/proc/%s/ns/mnt", pid);
	return !stat("/proc/self/ns/mnt", &ours) && !stat(path, &theirs) &&
	       ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev;
}

static int visit_process(const char *pid, int (*each)(void *arg, const char *path), void *arg)
{
	bool same = same_mounts(pid);
	char path[PATH_MAX], *line = NULL, *file;
	size_t room = 0;
	FILE *maps;
	int ret = 0;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	maps = fopen(path, "re");
	while (maps && !ret && getline(&line, &room, maps) >= 0) {
		file = code_path(line);
		if (file &&
		    snprintf(path, sizeof(path), "%s%s%s%s", same ? "" : "/proc/", same ? "" : pid,
			     same ? "" : "/root", file) < (int)sizeof(path))
			ret = each(arg, path);
	}
	free(line);
	if (maps)
		fclose(maps);
	return ret;
}

int rt_running_each(int (*each)(void *arg, const char *path), void *arg)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	int ret = 0;

	while (dir && !ret && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			ret = visit_process(entry->d_name, each, arg);
	if (dir)
		closedir(dir);
	return ret;
}
