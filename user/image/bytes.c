// SPDX-License-Identifier: GPL-2.0
#include "image/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
	struct rt_bytes bytes;
	int fd;
};

static size_t read_file(struct rt_bytes *b, uint64_t at, void *to, size_t bytes)
{
	struct file *f = (struct file *)b;
	size_t done = 0;
	ssize_t got;

	while (done < bytes && at + done <= INT64_MAX) {
		got = pread(f->fd, (char *)to + done, bytes - done, at + done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += got;
	}
	return done;
}

static void close_file(struct rt_bytes *b)
{
	close(((struct file *)b)->fd);
	free(b);
}

static struct file *new_file(int fd)
{
	struct file *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->fd = fd;
	f->bytes.read = read_file;
	f->bytes.close = close_file;
	f->bytes.size = UINT64_MAX;
	return f;
}

struct rt_bytes *rt_bytes_of(int fd)
{
	return (struct rt_bytes *)new_file(fd);
}

int rt_bytes_open(const char *path, struct rt_bytes **out, struct rt_err *err)
{
	struct file *f = new_file(-1);
	struct stat st;
	off_t end;

	if (!f)
		return rt_err_set(err, ENOMEM, "out of memory");
	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0 || fstat(f->fd, &st)) {
		int code = errno;

		if (f->fd >= 0)
			close(f->fd);
		free(f);
		return rt_err_set(err, code, "cannot open '%s': %s", path, strerror(code));
	}
	if (S_ISDIR(st.st_mode)) {
		close(f->fd);
		free(f);
		return rt_err_set(err, EISDIR, "'%s' is a directory; name the dump in it", path);
	}
	/* The sizes of /proc's files mean nothing, and a block device tells its own at its end. */
	end = S_ISBLK(st.st_mode) ? lseek(f->fd, 0, SEEK_END) : 0;
	f->bytes.size = S_ISREG(st.st_mode) && st.st_size ? (uint64_t)st.st_size :
			end > 0				  ? (uint64_t)end :
							    UINT64_MAX;
	if (strncmp(path, "/proc/", 6) == 0)
		f->bytes.size = UINT64_MAX;
	*out = &f->bytes;
	return 0;
}

bool rt_bytes_get(struct rt_bytes *b, uint64_t at, void *to, size_t bytes)
{
	return b->read(b, at, to, bytes) == bytes;
}
