// SPDX-License-Identifier: GPL-2.0
#include "host/cache_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Build HOME/.cache/ringtail.  Do not use another user's home. */
static bool folder(const char *home, bool make, char *path, size_t size)
{
	struct stat st;
	int n;

	if (!home || !home[0] || stat(home, &st) || st.st_uid != geteuid())
		return false;
	n = snprintf(path, size, "%s/.cache", home);
	if (n < 0 || (size_t)n + sizeof("/ringtail") > size)
		return false;
	if (make)
		mkdir(path, 0700);
	strcat(path, "/ringtail");
	if (make)
		mkdir(path, 0700);
	return !stat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

bool rt_cache_path(const char *home, bool make, const char *name, char *path, size_t size)
{
	size_t room = strlen(name) + 2;

	if (size < room || !folder(home, make, path, size - room))
		return false;
	strcat(path, "/");
	strcat(path, name);
	return true;
}

void *rt_cache_map(const char *path, size_t limit, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	void *at = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & 022) && st.st_size > 0 && (uint64_t)st.st_size <= limit)
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return NULL;
	*size = (size_t)st.st_size;
	return at;
}

static bool write_all(int fd, const char *data, size_t size)
{
	ssize_t n;

	while (size) {
		n = write(fd, data, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		size -= (size_t)n;
	}
	return true;
}

bool rt_cache_write(const char *home, const char *name, const struct rt_cache_part *parts,
		    size_t count)
{
	char path[PATH_MAX], fresh[PATH_MAX + 8];
	bool done = true;
	size_t i;
	int fd;

	if (!rt_cache_path(home, true, name, path, sizeof(path)))
		return false;
	snprintf(fresh, sizeof(fresh), "%s.XXXXXX", path);
	fd = mkostemp(fresh, O_CLOEXEC);
	if (fd < 0)
		return false;
	for (i = 0; done && i < count; i++)
		done = write_all(fd, parts[i].data, parts[i].size);
	done = !close(fd) && done && !rename(fresh, path);
	if (!done)
		unlink(fresh);
	return done;
}

/* Remove the oldest of the files if there are more than COUNT; false if there are not. */
static bool drop_oldest(const char *path, const char *prefix, size_t count)
{
	char oldest[NAME_MAX + 1] = "";
	DIR *dir = opendir(path);
	struct timespec first = { 0 };
	struct dirent *entry;
	struct stat st;
	size_t seen = 0;
	bool dropped;

	if (!dir)
		return false;
	while ((entry = readdir(dir))) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)) ||
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (!seen++ || st.st_mtim.tv_sec < first.tv_sec ||
		    (st.st_mtim.tv_sec == first.tv_sec && st.st_mtim.tv_nsec < first.tv_nsec)) {
			first = st.st_mtim;
			snprintf(oldest, sizeof(oldest), "%s", entry->d_name);
		}
	}
	dropped = seen > count && !unlinkat(dirfd(dir), oldest, 0);
	closedir(dir);
	return dropped;
}

void rt_cache_trim(const char *home, const char *prefix, size_t count)
{
	char path[PATH_MAX];

	if (folder(home, false, path, sizeof(path)))
		while (drop_oldest(path, prefix, count))
			;
}
