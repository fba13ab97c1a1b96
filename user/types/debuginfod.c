// SPDX-License-Identifier: GPL-2.0
#include "types/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/progress.h"

enum { TIMEOUT_DEFAULT = 30 }; /* seconds without a byte */

/* As <elfutils/debuginfod.h> declares them; the header is not always installed. */
typedef struct debuginfod_client client;
typedef int (*progress_fn)(client *c, long done, long total);

static struct {
	client *(*begin)(void);
	void (*end)(client *c);
	int (*find)(client *c, const unsigned char *id, int size, char **path);
	int (*find_source)(client *c, const unsigned char *id, int size, const char *file,
			   char **path);
	void (*set_progress)(client *c, progress_fn fn);
} library;

/* The download under way; one at a time, because the signal handler and the callback have no argument. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *terminal;
static struct {
	struct rt_progress bar;
	bool begun;
	long done;
	time_t moved; /* when the last byte came */
	int timeout, ended;
} download;
static volatile sig_atomic_t interrupted;

void rt_debuginfod_show_on(FILE *stream)
{
	terminal = stream;
}

bool rt_debuginfod_wanted(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && *urls;
}

#ifdef RT_DLOPEN
static bool load(void)
{
	void *handle;

	if (library.begin)
		return true;
	handle = dlopen("libdebuginfod.so.1", RTLD_NOW);
	if (!handle)
		return false;
	*(void **)&library.end = dlsym(handle, "debuginfod_end");
	*(void **)&library.find = dlsym(handle, "debuginfod_find_debuginfo");
	*(void **)&library.find_source = dlsym(handle, "debuginfod_find_source");
	*(void **)&library.set_progress = dlsym(handle, "debuginfod_set_progressfn");
	if (library.end && library.find && library.find_source && library.set_progress)
		*(void **)&library.begin = dlsym(handle, "debuginfod_begin");
	return library.begin;
}
#else
static bool load(void)
{
	return false;
}
#endif

static void interrupt(int signal)
{
	interrupted = signal;
}

static time_t now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec;
}

/* libdebuginfod calls it about once a second; non-zero ends the download.  TOTAL 0: not known yet. */
static int progress(client *c, long done, long total)
{
	if (interrupted) {
		download.ended = EINTR;
	} else if (total > 0 && done != download.done) {
		download.done = done;
		download.moved = now();
	} else if (now() - download.moved >= download.timeout) {
		download.ended = ETIMEDOUT;
	}
	if (total > 0 && !download.begun) {
		download.begun = true;
		rt_progress_start(&download.bar, terminal, "downloading debug information", total);
	}
	if (download.begun)
		rt_progress_update(&download.bar, done);
	return download.ended;
}

/* Call the library with our handler of SIGINT; returns its descriptor or a negative errno. */
static int fetch(client *c, const struct rt_buildid *id, const char *file, char **path)
{
	struct sigaction old, ours = { .sa_handler = interrupt };
	const char *text = getenv("DEBUGINFOD_TIMEOUT");
	int fd;

	memset(&download, 0, sizeof(download));
	download.timeout = text && atoi(text) > 0 ? atoi(text) : TIMEOUT_DEFAULT;
	download.moved = now();
	interrupted = 0;
	library.set_progress(c, progress);
	sigaction(SIGINT, &ours, &old);
	fd = file ? library.find_source(c, id->data, id->len, file, path) :
		    library.find(c, id->data, id->len, path);
	sigaction(SIGINT, &old, NULL);
	if (download.begun)
		rt_progress_end(&download.bar);
	return fd < 0 && download.ended ? -download.ended : fd;
}

static int explain(int code, const char *hex, struct rt_err *err)
{
	switch (code) {
	case ENOENT:
		return rt_err_set(err, ENOENT,
				  "no server of DEBUGINFOD_URLS has the debug information %s", hex);
	case EINTR:
		return rt_err_set(err, EINTR,
				  "interrupted while debug information %s was downloaded", hex);
	case ETIMEDOUT:
	case ETIME:
		return rt_err_set(
			err, ETIMEDOUT,
			"the servers of DEBUGINFOD_URLS sent nothing for %d seconds; unset "
			"it, or set DEBUGINFOD_TIMEOUT",
			download.timeout);
	default:
		return rt_err_set(
			err, code,
			"the servers of DEBUGINFOD_URLS cannot be asked for %s (%s); unset "
			"it to work offline",
			hex, strerror(code));
	}
}

/* FILE NULL: the debug information itself. */
static int find(const struct rt_buildid *id, const char *file, char path[PATH_MAX],
		struct rt_err *err)
{
	char hex[RT_BUILDID_HEX], *found = NULL;
	client *c;
	int fd = -ENOSYS;

	rt_buildid_hex(id, hex);
	if (!id->len)
		return rt_err_set(err, ENOENT, "without a build-id no server can be asked");
	pthread_mutex_lock(&lock);
	if (load()) {
		c = library.begin();
		fd = c ? fetch(c, id, file, &found) : -ENOMEM;
		if (c)
			library.end(c);
	}
	if (fd < 0)
		explain(-fd, hex, err);
	pthread_mutex_unlock(&lock);
	if (fd < 0)
		return fd;
	close(fd);
	snprintf(path, PATH_MAX, "%s", found ? found : "");
	free(found);
	return 0;
}

int rt_debuginfod_find(const struct rt_buildid *id, char path[PATH_MAX], struct rt_err *err)
{
	return find(id, NULL, path, err);
}

int rt_debuginfod_source(const struct rt_buildid *id, const char *file, char path[PATH_MAX],
			 struct rt_err *err)
{
	return find(id, file, path, err);
}
