// SPDX-License-Identifier: GPL-2.0
#include "host/host.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "base/file.h"

static struct utsname uts;
static pthread_once_t uts_once = PTHREAD_ONCE_INIT;

/* If the call fails, every name stays empty. */
static void read_uts(void)
{
	(void)uname(&uts);
}

const char *rt_host_path(const struct rt_host *host, char buf[PATH_MAX], const char *fmt, ...)
{
	va_list ap;
	int len;

	len = snprintf(buf, PATH_MAX, "%.*s", RT_HOST_ROOT_MAX,
		       host && host->root ? host->root : "");
	va_start(ap, fmt);
	vsnprintf(buf + len, PATH_MAX - len, fmt, ap);
	va_end(ap);
	return buf;
}

const char *rt_host_release(const struct rt_host *host)
{
	if (host && host->release)
		return host->release;
	pthread_once(&uts_once, read_uts);
	return uts.release;
}

const char *rt_host_machine(void)
{
	pthread_once(&uts_once, read_uts);
	return uts.machine;
}

const char *rt_host_node(void)
{
	pthread_once(&uts_once, read_uts);
	return uts.nodename;
}

bool rt_host_moduleless(const struct rt_host *host)
{
	char path[PATH_MAX];

	/* Without /proc nothing is known. */
	return rt_file_exists(rt_host_path(host, path, "/proc/version")) &&
	       !rt_file_exists(rt_host_path(host, path, "/proc/modules"));
}
