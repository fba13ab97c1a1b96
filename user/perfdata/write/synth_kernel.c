// SPDX-License-Identifier: GPL-2.0
/* The kernel and its modules: their addresses and build-ids. */
#include "perfdata/write/synth.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/buildid.h"
#include "host/kernel_range.h"
#include "host/modules.h"

#define KERNEL_NAME "[kernel.kallsyms]" /* perf's name for the kernel, in maps and build-ids */

/*
 * In the map, perf names the symbol from which it computes the kernel's displacement (KASLR), and
 * stores that symbol's address in place of a file offset.
 */
static int put_kernel(struct rt_writer *w)
{
	const char *home = getenv("HOME");
	struct rt_kallsyms_cache_place place = { home ? home : "", RT_HOST_KALLSYMS,
						 RT_HOST_BOOT_ID, NULL };
	struct rt_kernel_range r;
	struct rt_buildid id;
	uint64_t start, end;
	int ret = 0;

	if (!rt_host_kernel_buildid(NULL, &id))
		ret = rt_writer_build_id(w, KERNEL_NAME, true, &id);
	if (ret || rt_kernel_range_read(&place, &r))
		return ret;
	start = r.text ? r.text : r.stext;
	end = r.edata > start ? r.edata : r.etext;
	if (!start)
		return 0;
	return rt_writer_kernel_map(w, NULL, start, end > start ? end - start : ~start, start,
				    r.text ? KERNEL_NAME "_text" : KERNEL_NAME "_stext");
}

/* The path of the module's file; "[name]" if unknown. */
static void module_path(const char *dep, const char *name, char *path, size_t size)
{
	const char *file;
	size_t len;

	file = rt_host_modules_dep_find(dep, name, &len);
	if (!file)
		snprintf(path, size, "[%s]", name);
	else if (file[0] == '/')
		snprintf(path, size, "%.*s", (int)len, file);
	else
		snprintf(path, size, "/lib/modules/%s/%.*s", rt_host_release(NULL), (int)len, file);
}

static int put_module(struct rt_writer *w, const struct rt_writer_stamp *at, const char *dep,
		      const char *name, uint64_t start, uint64_t len)
{
	char path[PATH_MAX];
	struct rt_buildid id;
	int ret = 0;

	module_path(dep, name, path, sizeof(path));
	if (!rt_host_module_buildid(NULL, name, &id))
		ret = rt_writer_build_id(w, path, true, &id);
	return ret || !start ? ret : rt_writer_kernel_map(w, at, start, len, 0, path);
}

int rt_synth_module(struct rt_writer *w, const struct rt_writer_stamp *at, const char *name,
		    uint64_t start, uint64_t len)
{
	char *dep = rt_host_modules_dep(NULL);
	int ret = put_module(w, at, dep, name, start, len);

	free(dep);
	return ret;
}

/*
 * The start of the next module.  From 6.4 on, the size in /proc/modules is the sum of a module's
 * separate parts: counted from its text it reaches into neighbouring modules.
 */
static uint64_t next_module(const struct rt_host_modules *modules, uint64_t after)
{
	uint64_t next = UINT64_MAX;
	size_t i;

	for (i = 0; i < modules->count; i++)
		if (modules->list[i].start > after && modules->list[i].start < next)
			next = modules->list[i].start;
	return next;
}

static int put_modules(struct rt_writer *w)
{
	const struct rt_host_module *m;
	struct rt_host_modules modules;
	uint64_t room;
	int ret;
	size_t i;
	char *dep;

	ret = rt_host_modules_read(NULL, &modules);
	dep = ret ? NULL : rt_host_modules_dep(NULL);
	for (i = 0; i < modules.count && !ret; i++) {
		m = &modules.list[i];
		room = next_module(&modules, m->start) - m->start;
		ret = put_module(w, NULL, dep, m->name, m->start, m->size < room ? m->size : room);
	}
	free(dep);
	rt_host_modules_free(&modules);
	return ret;
}

int rt_synth_kernel(struct rt_writer *w, struct rt_err *err)
{
	int ret = put_kernel(w);

	if (!ret)
		ret = put_modules(w);
	return ret ? rt_err_set(err, ret, "cannot write where the kernel is: %s", strerror(-ret)) :
		     0;
}
