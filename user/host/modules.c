// SPDX-License-Identifier: GPL-2.0
#include "host/modules.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define MODULES_MAX (4U << 20) /* bytes of /proc/modules */
#define DEP_MAX	    (64U << 20)

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* name size references dependents state address */
static bool parse(const char *line, struct rt_host_module *m)
{
	char state[16];

	if (sscanf(line, "%63s %" SCNu64 " %*s %*s %15s %" SCNx64, m->name, &m->size, state,
		   &m->start) != 4)
		return false;
	m->live = !strcmp(state, "Live");
	return true;
}

int rt_host_modules_read(const struct rt_host *host, struct rt_host_modules *out)
{
	char path[PATH_MAX], *text;
	size_t lines = 0;
	const char *line;

	memset(out, 0, sizeof(*out));
	if (rt_file_read(rt_host_path(host, path, "/proc/modules"), MODULES_MAX, &text, NULL))
		return 0;
	for (line = text; *line; line = next_line(line))
		lines++;
	out->list = calloc(lines + 1, sizeof(*out->list));
	for (line = text; out->list && *line; line = next_line(line))
		out->count += parse(line, &out->list[out->count]);
	free(text);
	return out->list ? 0 : -ENOMEM;
}

void rt_host_modules_free(struct rt_host_modules *modules)
{
	free(modules->list);
	modules->list = NULL;
	modules->count = 0;
}

bool rt_host_module_is_file(const char *path, size_t len, const char *module)
{
	const char *base = memrchr(path, '/', len);
	size_t n = strlen(module), i;

	base = base ? base + 1 : path;
	len -= base - path;
	if (len < n + 3 || memcmp(base + n, ".ko", 3) || (len > n + 3 && base[n + 3] != '.'))
		return false;
	for (i = 0; i < n; i++)
		if (base[i] != module[i] && !(base[i] == '-' && module[i] == '_'))
			return false;
	return true;
}

char *rt_host_modules_dep(const struct rt_host *host)
{
	char path[PATH_MAX], *dep;

	rt_host_path(host, path, "/lib/modules/%s/modules.dep", rt_host_release(host));
	return rt_file_read(path, DEP_MAX, &dep, NULL) ? NULL : dep;
}

const char *rt_host_modules_dep_find(const char *dep, const char *module, size_t *len)
{
	const char *line;

	for (line = dep; line && *line; line = next_line(line)) {
		*len = strcspn(line, ":\n");
		if (rt_host_module_is_file(line, *len, module))
			return line;
	}
	return NULL;
}

int rt_host_module_section(const struct rt_host *host, const char *module, const char *section,
			   uint64_t *address)
{
	char path[PATH_MAX], line[32];
	int ret;

	rt_host_path(host, path, "/sys/module/%s/sections/%s", module, section);
	ret = rt_file_line(path, line, sizeof(line));
	if (ret)
		return ret;
	return sscanf(line, "%" SCNx64, address) == 1 ? 0 : -EINVAL;
}
