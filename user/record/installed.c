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

/* Call each(arg, path) for every entry of PLACE, in the order of their names. */
static int walk_place(const char *place, int (*each)(void *arg, const char *path), void *arg)
{
	struct dirent **entries;
	int i, ret = 0, count = scandir(place, &entries, NULL, alphasort);
	char path[PATH_MAX];

	if (count < 0)
		return errno == ENOMEM ? -ENOMEM : 0;
	for (i = 0; i < count; i++) {
		if (!ret && snprintf(path, sizeof(path), "%s/%s", place, entries[i]->d_name) <
				    (int)sizeof(path))
			ret = each(arg, path);
		free(entries[i]);
	}
	free(entries);
	return ret;
}

static int walk_libraries(int (*each)(void *arg, const char *path), void *arg)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(library_places) / sizeof(library_places[0]); i++)
		ret = walk_place(library_places[i], each, arg);
	return ret;
}

static int walk_programs(int (*each)(void *arg, const char *path), void *arg)
{
	char *all = strdup(getenv("PATH") ? getenv("PATH") : ""), *place, *rest = all;
	int ret = all ? 0 : -ENOMEM;

	while (!ret && (place = strsep(&rest, ":")))
		if (*place == '/')
			ret = walk_place(place, each, arg);
	free(all);
	return ret;
}

static int take_named(void *arg, const char *path)
{
	struct search *s = arg;

	return has_name(path, s->name) ? take(s, path) : 0;
}

int rt_installed_find(void *data, const char *name, char **path, struct rt_err *err)
{
	struct search s = { .name = name, .err = err };
	int ret = walk_libraries(take_named, &s);

	if (!ret && !s.found)
		ret = walk_programs(take_named, &s);
	if (ret == -ENOMEM)
		rt_err_set(err, ENOMEM, "out of memory");
	if (ret || !s.found) {
		free(s.found);
		return ret ? ret : -ENOENT;
	}
	*path = s.found;
	return 0;
}

struct visit {
	int (*each)(void *arg, const char *path);
	void *arg;
};

static int visit_code(void *arg, const char *path)
{
	const struct visit *visit = arg;
	struct stat st;

	/* A name may be that of a FIFO: look before opening it. */
	if (stat(path, &st) || !S_ISREG(st.st_mode) || !is_code(path))
		return 0;
	return visit->each(visit->arg, path);
}

int rt_installed_each(int (*each)(void *arg, const char *path), void *arg)
{
	struct visit visit = { .each = each, .arg = arg };
	int ret = walk_libraries(visit_code, &visit);

	return ret ? ret : walk_programs(visit_code, &visit);
}
