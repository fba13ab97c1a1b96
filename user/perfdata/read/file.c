// SPDX-License-Identifier: GPL-2.0
/* file.c - open a file, a directory of files or a pipe, and map it. */
#include "perfdata/read/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/raw.h"

static rt_reader_expand_fn expand;

void rt_reader_expand_with(rt_reader_expand_fn fn)
{
	expand = fn;
}

static int open_error(struct rt_err *err, const char *path, int code)
{
	if (code == ENOENT)
		return rt_err_set(err, code,
				  "cannot open %s: no such file; record one first, or name it with "
				  "-i",
				  path);
	return rt_err_set(err, code, "cannot open %s: %s", path, strerror(code));
}

static struct rt_data_file *add_source(struct rt_reader *r, const char *path, int fd)
{
	struct rt_data_file *more;

	more = realloc(r->sources, (r->source_count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	r->sources = more;
	more += r->source_count;
	memset(more, 0, sizeof(*more));
	more->fd = fd;
	more->path = strdup(path);
	if (!more->path)
		return NULL;
	r->source_count++;
	return more;
}

static int map_source(struct rt_data_file *src, off_t size, struct rt_err *err)
{
	src->map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, src->fd, 0);
	if (src->map == MAP_FAILED) {
		src->map = NULL;
		return rt_err_set(err, errno, "cannot map %s: %s", src->path, strerror(errno));
	}
	src->map_size = size;
	madvise(src->map, size, MADV_SEQUENTIAL);
	return 0;
}

/* Add fd as one more source; takes ownership of it. */
static int open_fd(struct rt_reader *r, const char *path, int fd, struct rt_err *err)
{
	struct rt_data_file *src;
	struct stat st;
	int ret;

	if (fstat(fd, &st)) {
		ret = open_error(err, path, errno);
		close(fd);
		return ret;
	}
	src = add_source(r, path, fd);
	if (!src) {
		close(fd);
		return rt_err_set(err, ENOMEM, "no memory to open %s", path);
	}
	if (r->source_count == 1 && !r->header_mtime)
		r->header_mtime = st.st_mtime;
	if (!S_ISREG(st.st_mode)) {
		src->pipe = true;
		return 0;
	}
	if (!st.st_size)
		return rt_err_set(err, ENODATA, "%s is empty; was the recording stopped early?",
				  path);
	return map_source(src, st.st_size, err);
}

/* Whether a regular file begins as raw recordings do. */
static bool is_raw(int fd, const struct stat *st)
{
	uint64_t magic;

	return S_ISREG(st->st_mode) && pread(fd, &magic, sizeof(magic), 0) == sizeof(magic) &&
	       magic == RT_RAW_MAGIC;
}

/* Put the expanded recording in the place of a raw one. */
static int expand_path(struct rt_reader *r, const char *path, const struct stat *st, int *fd,
		       struct rt_err *err)
{
	char warning[RT_ERR_LEN] = "";
	int expanded = expand(path, warning, sizeof(warning), err);

	close(*fd);
	*fd = expanded;
	if (expanded < 0)
		return expanded;
	if (*warning)
		rt_reader_warn(r, "%s", warning);
	/* Not the time of the expanded file. */
	if (!r->source_count)
		r->header_mtime = st->st_mtime;
	return 0;
}

static int open_path(struct rt_reader *r, const char *path, struct rt_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = 0;
	struct stat st;

	if (fd < 0)
		return open_error(err, path, errno);
	if (expand && !r->opt.raw && !fstat(fd, &st) && is_raw(fd, &st)) {
		r->unexpanded = r->opt.header && rt_sections_are_whole(fd, st.st_size);
		if (!r->unexpanded)
			ret = expand_path(r, path, &st, &fd, err);
	}
	return ret ? ret : open_fd(r, path, fd, err);
}

static int data_file(const struct dirent *d)
{
	return !strncmp(d->d_name, "data.", 5);
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

/* `perf record --threads` writes a directory: data has the header, data.0 … have only records. */
static int open_directory(struct rt_reader *r, const char *path, struct rt_err *err)
{
	struct dirent **list = NULL;
	int ret, i, count;
	struct stat st;
	char *name;

	if (asprintf(&name, "%s/data", path) < 0)
		return rt_err_set(err, ENOMEM, "no memory to open %s", path);
	ret = open_path(r, name, err);
	free(name);
	if (ret)
		return ret;
	count = scandir(path, &list, data_file, by_number);
	for (i = 0; i < count; i++) {
		if (!ret && i < RT_DATA_FILES_MAX) {
			if (asprintf(&name, "%s/%s", path, list[i]->d_name) < 0)
				name = NULL;
			if (!name)
				ret = rt_err_set(err, ENOMEM, "no memory to open %s", path);
			else if (!stat(name, &st) && S_ISREG(st.st_mode) && st.st_size)
				ret = open_path(r, name, err);
			free(name);
		}
		free(list[i]);
	}
	free(list);
	return ret;
}

int rt_data_files_open(struct rt_reader *r, struct rt_err *err)
{
	const char *path = r->path;
	struct stat st;
	int ret, fd;

	if (!strcmp(path, "-")) {
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
		if (fd < 0)
			return open_error(err, "standard input", errno);
		ret = open_fd(r, "standard input", fd, err);
	} else if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		ret = open_directory(r, path, err);
	} else {
		ret = open_path(r, path, err);
	}
	return ret;
}

void rt_data_files_close(struct rt_reader *r)
{
	struct rt_data_file *src;

	for (src = r->sources; src < r->sources + r->source_count; src++) {
		rt_unpack_free(src->unpack);
		rt_block_put(src->span.block);
		if (src->map)
			munmap(src->map, src->map_size);
		close(src->fd);
		free(src->path);
	}
	free(r->sources);
	r->sources = NULL;
	r->source_count = 0;
}
