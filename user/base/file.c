// SPDX-License-Identifier: GPL-2.0
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CHUNK = 4096 };

int rt_file_read(const char *path, size_t limit, char **data, size_t *size)
{
	size_t room = FIRST_CHUNK, len = 0;
	char *buf = NULL, *bigger;
	ssize_t n;
	int fd, ret;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (;;) {
		bigger = realloc(buf, room + 1);
		if (!bigger) {
			ret = -ENOMEM;
			goto err_buf;
		}
		buf = bigger;
		n = read(fd, buf + len, room - len);
		if (n < 0) {
			ret = -errno;
			goto err_buf;
		}
		if (!n)
			break;
		len += n;
		if (len > limit) {
			ret = -EFBIG;
			goto err_buf;
		}
		if (len == room)
			room *= 2;
	}
	close(fd);
	buf[len] = 0;
	*data = buf;
	if (size)
		*size = len;
	return 0;

err_buf:
	free(buf);
	close(fd);
	return ret;
}

int rt_file_line(const char *path, char *line, size_t size)
{
	ssize_t n;
	int fd, ret = 0;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, line, size - 1);
	if (n < 0) {
		ret = -errno;
		n = 0;
	}
	close(fd);
	line[n] = 0;
	line[strcspn(line, "\n")] = 0;
	return ret;
}

int rt_file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

int rt_file_forbidden(const char *path)
{
	return access(path, F_OK) && (errno == EACCES || errno == EPERM);
}

static int write_all(int fd, const char *data, size_t size)
{
	ssize_t n;

	for (; size; data += n, size -= (size_t)n) {
		n = write(fd, data, size);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n < 0)
			n = 0;
	}
	return 0;
}

/* Write into FILE.XXXXXX beside the file, which then takes its name. */
static int replace(const char *path, const char *data, size_t size)
{
	char *aside = NULL;
	mode_t mask;
	int fd, ret;

	if (asprintf(&aside, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkostemp(aside, O_CLOEXEC);
	ret = fd < 0 ? -errno : write_all(fd, data, size);
	if (fd >= 0) {
		mask = umask(0);
		umask(mask);
		if (!ret && fchmod(fd, 0666 & ~mask))
			ret = -errno;
		if (close(fd) && !ret)
			ret = -errno;
		if (!ret && rename(aside, path))
			ret = -errno;
		if (ret)
			unlink(aside);
	}
	free(aside);
	return ret;
}

int rt_file_write(const char *path, const char *data, size_t size)
{
	struct stat st;
	int fd, ret;

	/* A link stays a link: write through it, as to a device. */
	if (lstat(path, &st) || S_ISREG(st.st_mode))
		return replace(path, data, size);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write_all(fd, data, size);
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}
