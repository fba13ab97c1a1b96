// SPDX-License-Identifier: GPL-2.0
#include "types/separate.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/elffile.h"
#include "types/debuginfod.h"

#define DEBUG_DIRECTORY "/usr/lib/debug"

static __thread struct rt_err why;

const char *rt_separate_why(void)
{
	return why.text;
}

bool rt_separate_id(Dwfl_Module *module, struct rt_buildid *id)
{
	const unsigned char *bits;
	GElf_Addr address;
	int size = dwfl_module_build_id(module, &bits, &address);

	memset(id, 0, sizeof(*id));
	if (size > 0)
		rt_buildid_set(id, bits, size);
	return id->len;
}

/* Open PATH if it belongs to the program. */
static int try(const char *path, const struct rt_buildid *id, char **found)
{
	struct rt_buildid its;
	int fd;

	if (id->len && (rt_buildid_of_file(&its, path) || !rt_buildid_equal(&its, id)))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		*found = strdup(path);
	return fd;
}

static int by_link(const char *file, const char *link, const struct rt_buildid *id, char **found)
{
	const char *slash = strrchr(file, '/');
	int i, fd = -1, size = slash ? slash - file : 0;
	char path[PATH_MAX];

	for (i = 0; i < 3 && fd < 0; i++) {
		snprintf(path, sizeof(path), "%s%.*s/%s%s", i == 2 ? DEBUG_DIRECTORY : "", size,
			 file, i == 1 ? ".debug/" : "", link);
		fd = try(path, id, found);
	}
	return fd;
}

/* A program of a container, /proc/PID/root/PATH, may have its debug information there. */
static int in_root(const char *file, const struct rt_buildid *id, char **found)
{
	char path[PATH_MAX], hex[RT_BUILDID_HEX];
	int size = 0;

	sscanf(file, "/proc/%*[0-9]/root%n", &size);
	if (!size || file[size] != '/' || !id->len)
		return -1;
	rt_buildid_hex(id, hex);
	if (snprintf(path, sizeof(path), "%.*s" DEBUG_DIRECTORY "/.build-id/%.2s/%s.debug", size,
		     file, hex, hex + 2) >= (int)sizeof(path))
		return -1;
	return try(path, id, found);
}

int rt_separate_find(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		     const char *file, const char *link, GElf_Word crc, char **found)
{
	struct rt_buildid id;
	char path[PATH_MAX];
	int fd;

	why.text[0] = 0;
	rt_separate_id(module, &id);
	fd = file ? in_root(file, &id, found) : -1;
	if (fd >= 0)
		return fd;
	/* libdwfl would ask the servers, too, but cannot be interrupted and shows nothing. */
	if (!rt_debuginfod_wanted())
		return dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc,
						    found);
	fd = dwfl_build_id_find_debuginfo(module, data, name, base, file, link, crc, found);
	if (fd < 0 && file && link)
		fd = by_link(file, link, &id, found);
	if (fd < 0 && !rt_debuginfod_find(&id, path, &why)) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0)
			*found = strdup(path);
	}
	return fd;
}
