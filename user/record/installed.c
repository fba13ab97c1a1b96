// SPDX-License-Identifier: GPL-2.0
#include "record/installed.h"

#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__aarch64__)
#define MULTIARCH "aarch64-linux-gnu"
#define MACHINE	  EM_AARCH64
#else
#define MULTIARCH "x86_64-linux-gnu"
#define MACHINE	  EM_X86_64
#endif

static const char *const library_places[] = {
	"/usr/local/lib", "/lib/" MULTIARCH, "/usr/lib/" MULTIARCH, "/lib64", "/usr/lib64",
	"/lib",		  "/usr/lib",
};

size_t rt_installed_name(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	size_t size = 0;

	*name = slash ? slash + 1 : path;
	while (isalnum((unsigned char)(*name)[size]) || (*name)[size] == '_')
		size++;
	return size;
}

static bool has_name(const char *path, const char *name)
{
	const char *own;
	size_t size = rt_installed_name(path, &own);

	/* libc.so.6, libc-2.31.so, but not libc++.so.1 */
	return strlen(name) == size && !strncmp(own, name, size) &&
	       (!own[size] || strchr(".-", own[size]));
}

/* A program or library of this machine; many names are those of scripts and archives. */
static bool is_code(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr head;
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, &head, sizeof(head)) == (ssize_t)sizeof(head) &&
	     !memcmp(head.e_ident, ELFMAG, SELFMAG) && head.e_machine == MACHINE &&
	     (head.e_type == ET_EXEC || head.e_type == ET_DYN);
	close(fd);
	return is;
}

struct search {
	const char *name;
	char *found;
	struct stat file; /* of the one found */
	struct rt_err *err;
};

static int take(struct search *s, const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !is_code(path))
		return 0;
	if (!s->found) {
		s->found = strdup(path);
		s->file = st;
		return s->found ? 0 : rt_err_set(s->err, ENOMEM, "out of memory");
	}
	/* The same file by a link, or in a directory that has two names. */
	if (st.st_ino == s->file.st_ino && st.st_dev == s->file.st_dev)
		return 0;
	return rt_err_set(s->err, ENOTUNIQ,
			  "'%s' is %s or %s: write uprobe:PATH:FUNCTION or usdt:PATH:PROVIDER:NAME",
			  s->name, s->found, path);
}

static int search_in(struct search *s, const char *place)
{
	DIR *dir = opendir(place);
	struct dirent *entry;
	char path[PATH_MAX];
	int ret = 0;

	while (dir && !ret && (entry = readdir(dir)))
		if (has_name(entry->d_name, s->name) &&
		    snprintf(path, sizeof(path), "%s/%s", place, entry->d_name) < PATH_MAX)
			ret = take(s, path);
	if (dir)
		closedir(dir);
	return ret;
}

static int search_programs(struct search *s)
{
	char *all = strdup(getenv("PATH") ? getenv("PATH") : ""), *place, *rest = all;
	int ret = all ? 0 : rt_err_set(s->err, ENOMEM, "out of memory");

	while (!ret && (place = strsep(&rest, ":")))
		if (*place == '/')
			ret = search_in(s, place);
	free(all);
	return ret;
}

int rt_installed_find(void *data, const char *name, char **path, struct rt_err *err)
{
	struct search s = { .name = name, .err = err };
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(library_places) / sizeof(library_places[0]); i++)
		ret = search_in(&s, library_places[i]);
	if (!ret && !s.found)
		ret = search_programs(&s);
	if (ret || !s.found) {
		free(s.found);
		return ret ? ret : -ENOENT;
	}
	*path = s.found;
	return 0;
}
