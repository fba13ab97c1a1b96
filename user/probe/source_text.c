// SPDX-License-Identifier: GPL-2.0
/* Find the source files that debug information names: on another machine they were elsewhere. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "host/buildid.h"
#include "probe/sources.h"
#include "types/debuginfod.h"

enum {
	SOURCE_SIZE_MAX = 64 << 20,
	WORDS_MIN =
		2, /* of a path that is looked for where nobody has named a directory: fs/namei.c */
};

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, R_OK);
}

static int words(const char *path)
{
	int count = 1;

	while ((path = strchr(path, '/'))) {
		path++;
		count++;
	}
	return count;
}

/* Look below DIR for the longest end of FILE, which has at least LEAST words. */
static bool find_below(const char *dir, const char *file, int least, char path[PATH_MAX])
{
	const char *end = file;

	while (end) {
		end += *end == '/';
		if (words(end) < least)
			return false;
		if (snprintf(path, PATH_MAX, "%s/%s", dir, end) < PATH_MAX && is_file(path))
			return true;
		end = strchr(end, '/');
	}
	return false;
}

/* The trees below /usr/src, where packages put sources: /usr/src/linux-source-6.1, /usr/src/debug/PACKAGE. */
static bool find_installed(const char *top, const char *file, char path[PATH_MAX])
{
	struct dirent **list;
	int i, count = scandir(top, &list, NULL, versionsort);
	char dir[PATH_MAX];
	bool found = false;

	/* The newest last. */
	for (i = count; i-- > 0;) {
		if (!found && list[i]->d_name[0] != '.' &&
		    snprintf(dir, sizeof(dir), "%s/%s", top, list[i]->d_name) < (int)sizeof(dir))
			found = find_below(dir, file, WORDS_MIN, path);
		free(list[i]);
	}
	if (count >= 0)
		free(list);
	return found;
}

static bool find_on_server(const struct rt_buildid *id, const char *file, char path[PATH_MAX])
{
	struct rt_err ignored;

	return id->len && *file == '/' && rt_debuginfod_wanted() &&
	       !rt_debuginfod_source(id, file, path, &ignored);
}

int rt_probe_source_text(struct rt_probe_sources *s, const char *module, const char *file,
			 char path[PATH_MAX], char **text)
{
	const char *dir = rt_probe_sources_dir(s);
	struct rt_buildid id = { .len = 0 };
	int ret;

	snprintf(path, PATH_MAX, "%s", file);
	/* What the user names is meant to replace what is here. */
	if (dir) {
		if (!find_below(dir, file, 1, path))
			return -ENOENT;
	} else if (!is_file(path) && !find_installed("/usr/src", file, path) &&
		   !find_installed("/usr/src/debug", file, path)) {
		rt_probe_sources_id(s, module, &id);
		if (!find_on_server(&id, file, path))
			return -ENOENT;
		ret = rt_file_read(path, SOURCE_SIZE_MAX, text, NULL);
		/* Where libdebuginfod keeps it says nothing to a reader. */
		snprintf(path, PATH_MAX, "%s", file);
		return ret;
	}
	return rt_file_read(path, SOURCE_SIZE_MAX, text, NULL);
}
