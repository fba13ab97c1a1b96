// SPDX-License-Identifier: GPL-2.0
#include "host/buildid.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { NOTES_MAX = 1 << 20 };

static int read_notes(const char *path, struct rt_buildid *id)
{
	char *notes;
	size_t size;
	int ret;

	memset(id, 0, sizeof(*id));
	ret = rt_file_read(path, NOTES_MAX, &notes, &size);
	if (ret)
		return ret;
	ret = rt_buildid_in_notes(id, notes, size);
	free(notes);
	return ret;
}

int rt_host_kernel_buildid(const struct rt_host *host, struct rt_buildid *id)
{
	char path[PATH_MAX];

	return read_notes(rt_host_path(host, path, RT_HOST_NOTES), id);
}

int rt_host_module_buildid(const struct rt_host *host, const char *module, struct rt_buildid *id)
{
	char path[PATH_MAX];

	return read_notes(
		rt_host_path(host, path, "/sys/module/%s/notes/.note.gnu.build-id", module), id);
}
