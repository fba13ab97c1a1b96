// SPDX-License-Identifier: GPL-2.0
#include "cmd/input.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/nearest.h"
#include "perfdata/read/reader.h"
#include "raw/expand.h"

static const char magic[] = "PERFILE2", raw_magic[] = "RINGRAW1";

static int expand(const char *path, char *warning, size_t size, struct rt_err *err)
{
	return rt_raw_open(path, stderr, warning, size, err);
}

void rt_input_prepare(void)
{
	rt_reader_expand_with(expand);
}

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Accept only regular files: opening others may block or have side effects. */
static bool is_recording(const char *path)
{
	char begin[sizeof(magic) - 1];
	struct stat st;
	bool is = false;
	FILE *f;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	f = fopen(path, "r");
	if (!f)
		return false;
	is = fread(begin, 1, sizeof(begin), f) == sizeof(begin) &&
	     (!memcmp(begin, magic, sizeof(begin)) || !memcmp(begin, raw_magic, sizeof(begin)));
	fclose(f);
	return is;
}

/* Collect the recordings in DIR whose names are near NAME, or all of them if NAME is NULL. */
static void look_into(const char *dir, const char *name, struct rt_nearest *near)
{
	DIR *d = opendir(*dir ? dir : ".");
	char path[PATH_MAX];
	struct dirent *e;

	rt_nearest_begin(near, name ? name : "perf.data");
	if (!name)
		near->limit = RT_NEAREST_LEN;
	while (d && (e = readdir(d))) {
		if (snprintf(path, sizeof(path), "%s%s", dir, e->d_name) < (int)sizeof(path) &&
		    strlen(e->d_name) <= RT_NEAREST_LEN && is_recording(path))
			rt_nearest_offer(near, e->d_name);
	}
	if (d)
		closedir(d);
}

/* Print the names as the user must type them, with DIR in front. */
static void say(const char *dir, const struct rt_nearest *near, struct rt_err *err)
{
	size_t used = strlen(err->text);
	int i;

	for (i = 0; i < near->count && used < sizeof(err->text); i++)
		used += snprintf(err->text + used, sizeof(err->text) - used, "%s'-i %s%s'",
				 !i		     ? "; did you mean " :
				 i < near->count - 1 ? ", " :
						       " or ",
				 dir, near->name[i]);
	if (near->count && used < sizeof(err->text))
		snprintf(err->text + used, sizeof(err->text) - used, "?");
}

int rt_input_suggest(const char *path, int code, struct rt_err *err)
{
	const char *name;
	struct rt_nearest near;
	char dir[PATH_MAX];

	if (!path)
		path = "perf.data";
	if (!strcmp(path, "-"))
		return code;
	if (is_directory(path)) {
		rt_err_set(err, EISDIR, "%.200s is a directory, not a recording", path);
		snprintf(dir, sizeof(dir), "%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/");
		look_into(dir, NULL, &near);
		say(dir, &near, err);
		return code;
	}
	if (code != -ENOENT)
		return code;
	name = strrchr(path, '/');
	name = name ? name + 1 : path;
	if (snprintf(dir, sizeof(dir), "%.*s", (int)(name - path), path) >= (int)sizeof(dir))
		return code;
	look_into(dir, name, &near);
	say(dir, &near, err);
	return code;
}

int rt_input_word(const char *word, struct rt_err *err)
{
	int ret;

	if (is_recording(word))
		return rt_err_set(err, EINVAL, "'%.200s' is no option; -i %.200s reads that file",
				  word, word);
	ret = rt_err_set(err, EINVAL, "'%.200s' is no option; to read a file use -i FILE", word);
	rt_input_suggest(word, is_directory(word) ? ret : -ENOENT, err);
	return ret;
}
