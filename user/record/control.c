// SPDX-License-Identifier: GPL-2.0
#include "record/control.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORM "fifo:PATH[,PATH] or fd:N[,N]"

static int open_fifo(const char *path, struct rt_err *err)
{
	struct stat st;
	/* Open for both, so that the reader does not see the end when a sender closes it. */
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return rt_err_set(err, errno,
				  "--control: cannot open %s: %s; create it with mkfifo", path,
				  strerror(errno));
	if (!fstat(fd, &st) && S_ISFIFO(st.st_mode))
		return fd;
	close(fd);
	return rt_err_set(err, EINVAL, "--control: %s is no FIFO; create one with mkfifo", path);
}

static int take_number(const char *text, struct rt_err *err)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < 0 || n > INT_MAX || fcntl(n, F_GETFD) < 0)
		return rt_err_set(err, EBADF, "--control: '%s' is not an open descriptor", text);
	return n;
}

int rt_control_open(struct rt_control *c, const char *text, struct rt_err *err)
{
	bool fifo = !strncmp(text, "fifo:", 5);
	char *copy, *second;
	int ret = 0;

	*c = (struct rt_control){ .commands = -1, .ack = -1, .opened = fifo };
	if (!fifo && strncmp(text, "fd:", 3))
		return rt_err_set(err, EINVAL, "--control takes " FORM ", not '%s'", text);
	copy = strdup(text + (fifo ? 5 : 3));
	if (!copy)
		return rt_err_set(err, ENOMEM, "out of memory");
	second = strchr(copy, ',');
	if (second)
		*second++ = 0;
	c->commands = fifo ? open_fifo(copy, err) : take_number(copy, err);
	if (c->commands >= 0 && second)
		c->ack = fifo ? open_fifo(second, err) : take_number(second, err);
	if (c->commands < 0 || (second && c->ack < 0)) {
		ret = -EINVAL;
		rt_control_close(c);
	}
	free(copy);
	return ret;
}

static enum rt_control_command command_of(const char *word)
{
	static const char *const words[] = {
		[RT_CONTROL_ENABLE] = "enable",	    [RT_CONTROL_DISABLE] = "disable",
		[RT_CONTROL_SNAPSHOT] = "snapshot", [RT_CONTROL_PING] = "ping",
		[RT_CONTROL_STOP] = "stop",
	};
	size_t i;

	for (i = RT_CONTROL_ENABLE; i <= RT_CONTROL_STOP; i++)
		if (!strcmp(word, words[i]))
			return i;
	return RT_CONTROL_UNKNOWN;
}

enum rt_control_command rt_control_next(struct rt_control *c)
{
	struct pollfd ready = { .fd = c->commands, .events = POLLIN };
	char byte;

	/* A line, or what a sender ends with a NUL. */
	while (c->commands >= 0 && poll(&ready, 1, 0) == 1 && ready.revents & POLLIN) {
		if (read(c->commands, &byte, 1) != 1)
			break;
		if (byte && byte != '\n') {
			if (c->used < sizeof(c->line) - 1)
				c->line[c->used++] = byte;
			continue;
		}
		c->line[c->used] = 0;
		c->used = 0;
		if (*c->line)
			return command_of(c->line);
	}
	return RT_CONTROL_NONE;
}

void rt_control_ack(struct rt_control *c)
{
	static const char text[] = "ack\n"; /* perf sends the NUL as well */

	/* A sender that does not read its answers must not stop the recording. */
	if (c->ack >= 0 && write(c->ack, text, sizeof(text)) < 0)
		return;
}

void rt_control_close(struct rt_control *c)
{
	if (c->opened && c->commands >= 0)
		close(c->commands);
	if (c->opened && c->ack >= 0)
		close(c->ack);
	c->commands = c->ack = -1;
}
