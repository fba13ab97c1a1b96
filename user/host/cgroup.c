// SPDX-License-Identifier: GPL-2.0
#include "host/cgroup.h"

#include <errno.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MOUNTS_LINE = 8192 };

static bool has_word(const char *list, const char *word)
{
	size_t size = strlen(word);
	const char *p;

	for (p = strstr(list, word); p; p = strstr(p + 1, word))
		if ((p == list || p[-1] == ',') && (!p[size] || p[size] == ','))
			return true;
	return false;
}

enum hierarchy { NONE, VERSION_1, VERSION_2, OTHER_CONTROLLER };

static enum hierarchy hierarchy_of(const struct mntent *mount)
{
	if (!strcmp(mount->mnt_type, "cgroup2"))
		return VERSION_2;
	if (strcmp(mount->mnt_type, "cgroup"))
		return NONE;
	return has_word(mount->mnt_opts, "perf_event") ? VERSION_1 : OTHER_CONTROLLER;
}

/* Whether PATH is DIR or below it. */
static bool is_below(const char *path, const char *dir)
{
	size_t size = strlen(dir);

	return !strncmp(path, dir, size) && (!path[size] || path[size] == '/');
}

/* Take the directory PATH, which is on this hierarchy. */
static int take(const char *path, enum hierarchy hierarchy, struct rt_cgroup_place *found)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	found->id = st.st_ino;
	found->v1 = hierarchy == VERSION_1;
	return 0;
}

/* What the mounts know about NAME. */
struct search {
	bool mounted; /* any cgroup file system */
	bool found;
	bool by_name; /* below the mount of version 2: version 1 goes first, as in perf */
};

/* Look at one mount; 0, or a negative errno with *ERR set. */
static int look_at(struct search *s, const struct mntent *mount, const char *name,
		   struct rt_cgroup_place *place, struct rt_err *err)
{
	enum hierarchy hierarchy = hierarchy_of(mount);
	char path[PATH_MAX];

	if (hierarchy == NONE || (s->found && !s->by_name))
		return 0;
	s->mounted = true;
	if (is_below(name, mount->mnt_dir)) {
		if (hierarchy == OTHER_CONTROLLER)
			return rt_err_set(
				err, EINVAL,
				"'%s' is a cgroup of version 1 of other controllers (%s); "
				"name one of version 2 or of perf_event",
				name, mount->mnt_opts);
		s->found = !take(name, hierarchy, place);
		s->by_name = false;
	} else if (hierarchy == VERSION_1 || (hierarchy == VERSION_2 && !s->found)) {
		if (snprintf(path, sizeof(path), "%s/%s", mount->mnt_dir, name) <
			    (int)sizeof(path) &&
		    !take(path, hierarchy, place)) {
			s->found = true;
			s->by_name = hierarchy == VERSION_2;
		}
	}
	return 0;
}

int rt_cgroup_find(const struct rt_host *host, const char *name, struct rt_cgroup_place *place,
		   struct rt_err *err)
{
	char mounts[PATH_MAX], line[MOUNTS_LINE];
	struct search s = { false };
	struct mntent mount;
	int ret = 0;
	FILE *file = setmntent(rt_host_path(host, mounts, "/proc/self/mounts"), "re");

	if (!file)
		return rt_err_set(err, errno, "cannot read /proc/self/mounts: %s", strerror(errno));
	while (!ret && getmntent_r(file, &mount, line, sizeof(line)))
		ret = look_at(&s, &mount, name, place, err);
	endmntent(file);
	if (ret || s.found)
		return ret;
	return rt_err_set(err, ENOENT, "there is no cgroup '%s'%s", name,
			  s.mounted ? "; name its directory below /sys/fs/cgroup" :
				      ": no cgroup file system is mounted");
}
