// SPDX-License-Identifier: GPL-2.0
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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
