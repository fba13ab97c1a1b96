// SPDX-License-Identifier: GPL-2.0
/* Raw recordings for readers of perf.data: expanded into a file without a name. */
#include "raw/expand.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool rt_raw_complaint(const struct rt_raw_found *found, const char *path, char *text, size_t size)
{
	const char *sign = ": ";
	int used;

	used = snprintf(text, size, "%s", path);
	if (!found->closed && used < (int)size) {
		used += snprintf(text + used, size - used,
				 "%snot closed cleanly, the last events may be missing", sign);
		sign = "; ";
	}
	if (found->damages && used < (int)size) {
		used += snprintf(text + used, size - used,
				 "%sdamaged in %u place%s, the first at offset %#" PRIx64, sign,
				 found->damages, found->damages == 1 ? "" : "s",
				 found->first_damage);
		sign = "; ";
	}
	if (found->skipped && used < (int)size)
		used += snprintf(text + used, size - used, ": %" PRIu64 " bytes are left out",
				 found->skipped);
	if (found->cut && used < (int)size) {
		used += snprintf(text + used, size - used, "%sit ends inside a record", sign);
		sign = "; ";
	}
	if (found->build_ids && used < (int)size) {
		snprintf(text + used, size - used,
			 "%s%sbuild-ids of programs and libraries %s missing", sign,
			 found->build_ids == RT_RAW_IDS_EARLIER ? "some " : "the ",
			 found->build_ids == RT_RAW_IDS_EARLIER ? "may be" : "are");
		sign = "; ";
	}
	if (*sign == ':' && *found->header)
		snprintf(text, size, "%s", found->header);
	return *sign != ':' || *found->header;
}

/* A file without a name in DIR, or -1. */
static int make_file(const char *dir)
{
	char *name;
	int fd;

	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || asprintf(&name, "%s/ringtail.XXXXXX", dir) < 0)
		return fd;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	free(name);
	return fd;
}

static int make_somewhere(const char **where)
{
	const char *const dirs[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };
	size_t i;
	int fd = -1;

	for (i = 0; fd < 0 && i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		*where = dirs[i];
		fd = dirs[i] && *dirs[i] ? make_file(dirs[i]) : -1;
	}
	return fd;
}

/* Errors that another directory may not have. */
static bool is_of_place(int code)
{
	return code == ENOSPC || code == EDQUOT || code == EFBIG || code == EROFS || code == EACCES;
}

static int fail_in(const char *where, const char *path, int code, struct rt_err *err)
{
	return rt_err_set(
		err, code,
		"cannot expand %s into a file in %s: %s; set TMPDIR to another directory, "
		"or use 'ringtail data %s -o FILE'",
		path, where, strerror(code), path);
}

int rt_raw_open(const char *path, FILE *messages, char *warning, size_t size, struct rt_err *err)
{
	struct rt_raw_found found;
	const char *where;
	int fd, ret;

	fd = make_somewhere(&where);
	if (fd < 0)
		return fail_in(where, path, errno, err);
	ret = rt_raw_expand_to(path, fd, messages, &found, err);
	if (found.opened && is_of_place(-ret))
		fail_in(where, path, -ret, err);
	if (ret) {
		close(fd);
		return ret;
	}
	if (!rt_raw_complaint(&found, path, warning, size))
		*warning = 0;
	return fd;
}
