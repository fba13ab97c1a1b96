// SPDX-License-Identifier: GPL-2.0
#include "cmd/list_markers.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/text_set.h"
#include "cli/message.h"
#include "cmd/command.h"
#include "record/installed.h"
#include "record/running.h"
#include "record/user_markers.h"

struct listing {
	const char *path;
	size_t markers; /* printed */
	size_t files;	/* looked at, and of these with markers */
	size_t with;
	struct rt_text_set seen; /* devices and inodes: a file may have several names */
};

static int print_marker(void *arg, const struct rt_user_marker *marker)
{
	struct listing *listing = arg;

	listing->markers++;
	printf("usdt:%s:%s:%s%s%s\n", listing->path, marker->provider, marker->name,
	       *marker->args ? "  " : "", marker->args);
	return 0;
}

static int list_file(const char *path)
{
	struct listing listing = { .path = path };
	struct rt_err err;

	if (rt_user_markers(path, print_marker, &listing, &err)) {
		rt_error("list: %s", err.text);
		return RT_EXIT_FAIL;
	}
	if (!listing.markers)
		rt_warning("list: %s has no markers (no section .note.stapsdt)", path);
	return RT_EXIT_OK;
}

/* A file that nobody asked for: if it cannot be read, there is nothing to say. */
static int try_file(void *arg, const char *path)
{
	struct listing *listing = arg;
	size_t before = listing->markers;
	struct rt_err ignored;
	struct stat st;
	char key[64];
	int ret;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return 0;
	snprintf(key, sizeof(key), "%llx:%llx", (unsigned long long)st.st_dev,
		 (unsigned long long)st.st_ino);
	ret = rt_text_set_add(&listing->seen, key);
	if (ret <= 0)
		return ret;
	listing->path = path;
	ret = rt_user_markers(path, print_marker, listing, &ignored);
	if (ret == -ENOMEM)
		return ret;
	listing->files += !ret;
	listing->with += listing->markers > before;
	return 0;
}

static int list_known(void)
{
	struct listing listing = { .path = NULL };
	int ret = rt_installed_each(try_file, &listing);

	if (!ret)
		ret = rt_running_each(try_file, &listing);
	rt_text_set_free(&listing.seen);
	if (ret) {
		rt_error("list: out of memory");
		return RT_EXIT_FAIL;
	}
	fprintf(stderr,
		"ringtail: list: %zu markers in %zu of %zu files: libraries in the usual directories, "
		"programs in PATH, and what processes run; for others: list sdt PATH...\n",
		listing.markers, listing.with, listing.files);
	return RT_EXIT_OK;
}

int rt_list_markers(char *const *paths, int count)
{
	int i, status = RT_EXIT_OK;

	if (!count)
		status = list_known();
	for (i = 0; i < count; i++)
		if (list_file(paths[i]))
			status = RT_EXIT_FAIL;
	if (fflush(stdout) || ferror(stdout)) {
		rt_error("list: cannot write the output");
		status = RT_EXIT_FAIL;
	}
	return status;
}
