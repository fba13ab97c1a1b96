// SPDX-License-Identifier: GPL-2.0
/*
 * Where a recording is written to.
 *
 * A file has no name at first.  It gets its own when it is readable and its recording has begun.
 * So a command that is refused, or killed before that, leaves the previous recording and nothing
 * else.  If the file system does not support files without a name, the writer uses a temporary
 * name.  The previous recording of the same name is kept as FILE.old, as in perf.
 *
 * If the file exists and is empty, the writer fills it in place: nothing is lost, and it may have
 * been created for this purpose.  The same goes for devices and pipes.
 */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/discard.h"

enum { PROC_NAME = 32 };

/* Keep a link: replace its target. */
static int find_target(struct rt_writer *w, struct stat *st)
{
	w->target = realpath(w->path, NULL);
	if (w->target)
		return stat(w->target, st) ? -errno : 0;
	if (errno != ENOENT)
		return -errno;
	w->target = strdup(w->path);
	return w->target ? -ENOENT : -ENOMEM;
}

/* The name by which linkat() finds an open file. */
static void name_of_fd(int fd, char name[PROC_NAME])
{
	snprintf(name, PROC_NAME, "/proc/self/fd/%d", fd);
}

/* Create a file without a name in the target's directory; false if the file system cannot. */
static bool open_nameless(struct rt_writer *w)
{
	char *copy = strdup(w->target), name[PROC_NAME];

	w->fd = copy ? open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) : -1;
	free(copy);
	if (w->fd < 0)
		return false;
	name_of_fd(w->fd, name);
	w->nameless = !access(name, F_OK);
	if (w->nameless)
		return true;
	close(w->fd);
	w->fd = -1;
	return false;
}

static int open_aside(struct rt_writer *w)
{
	int ret;

	if (open_nameless(w))
		return 0;
	if (asprintf(&w->aside, "%s.XXXXXX", w->target) < 0) {
		w->aside = NULL;
		return -ENOMEM;
	}
	w->fd = mkostemp(w->aside, O_CLOEXEC);
	if (w->fd >= 0)
		return 0;
	ret = -errno;
	free(w->aside);
	w->aside = NULL;
	return ret;
}

int rt_write_place_open(struct rt_writer *w, struct rt_err *err)
{
	struct stat st;
	int ret;

	ret = find_target(w, &st);
	w->replaces = !ret && S_ISREG(st.st_mode) && st.st_size;
	if (ret == -ENOENT || w->replaces) {
		/* A dangling link: create the file to which it points. */
		if (ret && !lstat(w->path, &st))
			w->fd = open(w->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		else
			ret = open_aside(w);
		if (w->fd >= 0)
			ret = 0;
	} else if (!ret) {
		/* Opening a FIFO waits here for its reader. */
		w->fd = open(w->path, O_WRONLY | O_CLOEXEC);
		ret = w->fd < 0 ? -errno : 0;
	}
	w->own_fd = w->fd >= 0;
	if (!ret && fstat(w->fd, &st))
		ret = -errno;
	if (ret == -EINTR)
		return rt_err_set(err, EINTR, "%s: no program has opened it for reading", w->path);
	if (ret)
		return rt_err_set(err, -ret, "cannot open %s for writing: %s", w->path,
				  strerror(-ret));
	/* A FIFO, a terminal or /dev/null cannot seek. */
	w->pipe = !S_ISREG(st.st_mode);
	return 0;
}

static int keep_old(struct rt_writer *w)
{
	char *old;
	int held;

	if (asprintf(&old, "%s.old", w->target) < 0)
		return rt_write_fail(w, ENOMEM, "no memory to write %s", w->path);
	held = rt_discard_hold(old);
	if (rename(w->target, old))
		rt_write_fail(w, errno, "cannot keep %s as %s: %s; record to another file with -o",
			      w->target, old, strerror(errno));
	rt_discard_free(held);
	free(old);
	return w->failed;
}

static int give_name(struct rt_writer *w)
{
	char name[PROC_NAME];

	if (!w->nameless)
		return rename(w->aside, w->target);
	name_of_fd(w->fd, name);
	return linkat(AT_FDCWD, name, AT_FDCWD, w->target, AT_SYMLINK_FOLLOW);
}

int rt_write_place_publish(struct rt_writer *w)
{
	int ret;

	if (!w->aside && !w->nameless)
		return 0;
	if (w->replaces && keep_old(w))
		return w->failed;
	ret = give_name(w);
	/* Another recording took the name after this one began. */
	if (ret && errno == EEXIST)
		ret = keep_old(w) ? 0 : give_name(w);
	if (ret)
		rt_write_fail(w, errno,
			      "cannot give %s its name: %s; record to another file with -o",
			      w->path, strerror(errno));
	if (w->failed)
		return w->failed;
	free(w->aside);
	w->aside = NULL;
	w->nameless = false;
	return 0;
}

void rt_write_place_free(struct rt_writer *w)
{
	if (w->aside)
		unlink(w->aside);
	free(w->aside);
	free(w->target);
	if (w->own_fd)
		close(w->fd);
}
