// SPDX-License-Identifier: GPL-2.0
#include "host/tracefs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define TEXT_MAX (16 << 20) /* largest file of tracefs, in bytes */

/* Find the text after "ID: " at the beginning of a line, or NULL. */
static const char *id_line(const char *text)
{
	const char *p = text;

	while (p) {
		if (!strncmp(p, "ID:", 3)) {
			p += 3;
			while (*p == ' ' || *p == '\t')
				p++;
			return isdigit((unsigned char)*p) ? p : NULL;
		}
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	return NULL;
}

int rt_format_id(const char *text)
{
	const char *p = id_line(text);
	unsigned long id;

	if (!p)
		return -EINVAL;
	id = strtoul(p, NULL, 10);
	return id <= UINT16_MAX ? (int)id : -EINVAL;
}

char *rt_format_with_id(const char *text, unsigned id)
{
	const char *p = id_line(text);
	char *copy;

	if (!p)
		return NULL;
	return asprintf(&copy, "%.*s%u%s", (int)(p - text), text, id, p + strspn(p, "0123456789")) <
			       0 ?
		       NULL :
		       copy;
}

const char *rt_tracefs_path(const struct rt_host *host, char path[PATH_MAX], bool *forbidden)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	bool hidden = false;
	char events[PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		rt_host_path(host, events, "%s/events", places[i]);
		if (rt_file_exists(events))
			return rt_host_path(host, path, "%s", places[i]);
		hidden |= rt_file_forbidden(events);
	}
	if (forbidden)
		*forbidden = hidden;
	return NULL;
}

int rt_tracefs_read(const struct rt_host *host, const char *file, char **text, size_t *size)
{
	char path[PATH_MAX];
	size_t len;

	if (!rt_tracefs_path(host, path, NULL))
		return -ENOENT;
	len = strlen(path);
	if (snprintf(path + len, sizeof(path) - len, "/%s", file) >= (int)(sizeof(path) - len))
		return -ENAMETOOLONG;
	return rt_file_read(path, TEXT_MAX, text, size);
}

int rt_tracefs_events(const struct rt_host *host,
		      int (*each)(void *arg, const char *system, const char *name), void *arg)
{
	char *text, *line, *next, *colon;
	int ret;

	ret = rt_tracefs_read(host, "available_events", &text, NULL);
	if (ret)
		return ret;
	for (line = text; *line && !ret; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		colon = strchr(line, ':');
		if (!colon)
			continue;
		*colon = 0;
		ret = each(arg, line, colon + 1);
	}
	free(text);
	return ret;
}

int rt_tracefs_own_events(const struct rt_host *host,
			  int (*each)(void *arg, const char *system, const char *name), void *arg)
{
	char path[PATH_MAX], id[PATH_MAX];
	struct dirent **entries = NULL;
	int i, count, ret = 0;

	if (!rt_tracefs_path(host, path, NULL) || strlen(path) + 16 > sizeof(path))
		return -ENOENT;
	strcat(path, "/events/ftrace");
	count = scandir(path, &entries, NULL, alphasort);
	for (i = 0; i < count; i++) {
		/* Only those with a number can be recorded by perf_events. */
		if (!ret &&
		    snprintf(id, sizeof(id), "%s/%s/id", path, entries[i]->d_name) <
			    (int)sizeof(id) &&
		    rt_file_exists(id))
			ret = each(arg, "ftrace", entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return ret;
}

int rt_tracefs_format(const struct rt_host *host, const char *system, const char *event,
		      char **text, struct rt_err *err)
{
	char file[512], path[PATH_MAX];
	int ret;

	if (strchr(system, '/') || strchr(event, '/') ||
	    snprintf(file, sizeof(file), "events/%s/%s/format", system, event) >= (int)sizeof(file))
		return rt_err_set(err, EINVAL,
				  "'%s:%s' is not the name of a tracepoint: SYSTEM:EVENT", system,
				  event);
	if (!rt_tracefs_path(host, path, NULL))
		return rt_err_set(err, ENOENT,
				  "cannot read the format of %s:%s: tracefs is not mounted; as "
				  "root: mount -t tracefs nodev /sys/kernel/tracing",
				  system, event);
	ret = rt_tracefs_read(host, file, text, NULL);
	if (ret == -ENOENT)
		return rt_err_set(err, ENOENT, "this kernel has no tracepoint %s:%s", system,
				  event);
	if (ret)
		return rt_err_set(err, ret, "cannot read the format of %s:%s: %s", system, event,
				  strerror(-ret));
	return 0;
}
