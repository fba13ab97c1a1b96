// SPDX-License-Identifier: GPL-2.0
#include "host/memmap.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

struct entry {
	uint64_t start, last;
	char type[sizeof(((struct rt_memmap_gap *)0)->type)];
};

static int read_line(const struct rt_host *host, const char *entry, const char *name, char *line,
		     size_t size)
{
	char path[PATH_MAX];

	rt_host_path(host, path, RT_HOST_MEMMAP "/%s/%s", entry, name);
	return rt_file_line(path, line, size) < 0 ? -EIO : 0;
}

static int read_entry(const struct rt_host *host, const char *name, struct entry *e)
{
	char start[32], last[32];

	if (read_line(host, name, "start", start, sizeof(start)) ||
	    read_line(host, name, "end", last, sizeof(last)) ||
	    read_line(host, name, "type", e->type, sizeof(e->type)) ||
	    sscanf(start, "%" SCNx64, &e->start) != 1 || sscanf(last, "%" SCNx64, &e->last) != 1)
		return -EIO;
	return 0;
}

/*
 * What firmware says about the byte AT: 0, and GAP is the longest run from it on that one entry describes
 * or that none describes.  If two entries have the byte, the one that is not RAM counts.
 */
static int look_up(const struct rt_host *host, uint64_t at, struct rt_memmap_gap *gap)
{
	bool any = false, found = false;
	struct dirent *file;
	char path[PATH_MAX];
	struct entry e;
	int ret = 0;
	DIR *dir;

	*gap = (struct rt_memmap_gap){ .start = at, .last = UINT64_MAX };
	dir = opendir(rt_host_path(host, path, RT_HOST_MEMMAP));
	if (!dir)
		return -ENOENT;
	while (!ret && (file = readdir(dir))) {
		if (file->d_name[0] == '.')
			continue;
		any = true;
		ret = read_entry(host, file->d_name, &e);
		if (ret || e.last < at)
			continue;
		if (e.start > at) {
			/* Beyond its start, that entry decides. */
			if (gap->last >= e.start)
				gap->last = e.start - 1;
			continue;
		}
		if (gap->last > e.last)
			gap->last = e.last;
		if (!found || strcmp(e.type, "System RAM"))
			memcpy(gap->type, e.type, sizeof(gap->type));
		found = true;
	}
	closedir(dir);
	return any ? ret : -ENOENT;
}

int rt_host_memmap_ram(const struct rt_host *host, uint64_t start, uint64_t last,
		       struct rt_memmap_gap *gap)
{
	uint64_t at = start;
	int ret;

	for (;;) {
		ret = look_up(host, at, gap);
		if (ret)
			return ret;
		if (strcmp(gap->type, "System RAM")) {
			if (gap->last > last)
				gap->last = last;
			return -ERANGE;
		}
		if (gap->last >= last)
			return 0;
		at = gap->last + 1;
	}
}
