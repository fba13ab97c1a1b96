// SPDX-License-Identifier: GPL-2.0
#include "buildid/live.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/buildid.h"
#include "host/kallsyms.h"
#include "host/modules.h"

struct module {
	uint64_t start, size;
	const char *name;
	char *path; /* of its file, or NULL */
};

int rt_buildid_live_kernel(FILE *out, struct rt_err *err)
{
	struct rt_buildid id;
	char hex[RT_BUILDID_HEX];
	int ret = rt_host_kernel_buildid(NULL, &id);

	if (ret)
		return rt_err_set(err, -ret,
				  "the running kernel shows no build-id in " RT_HOST_NOTES);
	fprintf(out, "%s\n", rt_buildid_hex(&id, hex));
	return 0;
}

/* The start of the kernel's text; 0 if addresses are hidden. */
static uint64_t kernel_start(void)
{
	uint64_t address;

	if (rt_kallsyms_address(RT_HOST_KALLSYMS, "_text", &address) &&
	    rt_kallsyms_address(RT_HOST_KALLSYMS, "_stext", &address))
		return 0;
	return address;
}

static int by_address(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Sort the modules by address; their names belong to FROM. */
static struct module *sort_modules(const struct rt_host_modules *from)
{
	struct module *list = calloc(from->count + 1, sizeof(*list));
	size_t i;

	for (i = 0; list && i < from->count; i++)
		list[i] = (struct module){ from->list[i].start, from->list[i].size,
					   from->list[i].name, NULL };
	if (list && from->count)
		qsort(list, from->count, sizeof(*list), by_address);
	return list;
}

static void find_paths(struct module *list, size_t count)
{
	char top[sizeof("/lib/modules/") + 256];
	char *paths[] = { top, NULL };
	FTSENT *e;
	FTS *fts;
	size_t i;

	snprintf(top, sizeof(top), "/lib/modules/%s", rt_host_release(NULL));
	fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	while (fts && (e = fts_read(fts))) {
		if (e->fts_info != FTS_F)
			continue;
		for (i = 0; i < count; i++)
			if (!list[i].path &&
			    rt_host_module_is_file(e->fts_name, e->fts_namelen, list[i].name))
				list[i].path = strdup(e->fts_path);
	}
	if (fts)
		fts_close(fts);
}

static void print_module(const struct module *m, FILE *out)
{
	char hex[RT_BUILDID_HEX] = "";
	struct rt_buildid id;

	if (!rt_host_module_buildid(NULL, m->name, &id))
		rt_buildid_hex(&id, hex);
	fprintf(out, "%s %16" PRIx64 " %16" PRIx64, hex, m->start, m->start + m->size);
	if (m->path)
		fprintf(out, " %s\n", m->path);
	else
		fprintf(out, " [%s]\n", m->name);
}

int rt_buildid_live_maps(FILE *out, struct rt_err *err)
{
	char hex[RT_BUILDID_HEX] = "";
	uint64_t start = kernel_start();
	struct rt_host_modules modules;
	struct module *list;
	struct rt_buildid id;
	size_t i, after, count;

	if (!start)
		return rt_err_set(err, EPERM,
				  "kernel addresses are hidden; be root, with "
				  "/proc/sys/kernel/kptr_restrict below 2");
	if (!rt_host_kernel_buildid(NULL, &id))
		rt_buildid_hex(&id, hex);
	if (rt_host_modules_read(NULL, &modules))
		return rt_err_set(err, ENOMEM, "no memory");
	count = modules.count;
	list = sort_modules(&modules);
	if (!list) {
		rt_host_modules_free(&modules);
		return rt_err_set(err, ENOMEM, "no memory");
	}
	find_paths(list, count);
	/* As in perf, the kernel reaches up to the next module above it. */
	for (after = 0; after < count && list[after].start < start; after++)
		print_module(&list[after], out);
	fprintf(out, "%s %16" PRIx64 " %16" PRIx64 " [kernel.kallsyms]\n", hex, start,
		after < count ? list[after].start : UINT64_MAX);
	for (; after < count; after++)
		print_module(&list[after], out);
	for (i = 0; i < count; i++)
		free(list[i].path);
	free(list);
	rt_host_modules_free(&modules);
	return 0;
}
