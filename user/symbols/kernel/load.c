// SPDX-License-Identifier: GPL-2.0
/*
 * load.c - where the symbols of a kernel come from.
 *
 * In perf's order: if the user named a file, only that; the build-id cache; vmlinux in the usual
 * places; kallsyms: the running kernel's only if the build-id matches the recording, otherwise a
 * cached copy.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/buildid.h"
#include "host/kallsyms.h"
#include "symbols/kernel/internal.h"
#include "symbols/locate.h"

#define PATH_SIZE RT_SYMBOLS_PATH

static void note(char *looked, const char *path)
{
	rt_locate_note(looked, path, NULL);
}

static bool try_vmlinux_places(struct rt_kernel *k, char *looked)
{
	static const char *const plain[] = { "vmlinux", "/boot/vmlinux" };
	static const char *const released[] = {
		"/boot/vmlinux-%s",
		"/usr/lib/debug/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux",
		"/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/boot/vmlinux-%s.debug",
	};
	char path[PATH_SIZE];
	size_t i;

	for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (plain[i][0] == '/')
			snprintf(path, sizeof(path), "%s", plain[i]);
		else
			rt_locate_join(k->syms, plain[i], path);
		note(looked, path);
		if (!rt_kernel_load_vmlinux(k, path))
			return true;
	}
	for (i = 0; i < sizeof(released) / sizeof(released[0]) && !k->syms->opt.symfs[0]; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(path, sizeof(path), released[i], k->osrelease);
#pragma GCC diagnostic pop
		note(looked, path);
		if (!rt_kernel_load_vmlinux(k, path))
			return true;
	}
	return false;
}

static bool is_live(struct rt_kernel *k)
{
	struct rt_buildid id;

	return !k->syms->opt.no_live_kernel && !rt_host_kernel_buildid(NULL, &id) &&
	       rt_buildid_equal(&id, &k->id);
}

/* Find BUILDID_DIR/[kernel.kcore]/ID/WHEN/kallsyms with the recording's addresses. */
static bool cached_kcore(struct rt_kernel *k, const char *hex, char *path)
{
	char dir[PATH_SIZE];
	struct dirent *d;
	bool found = false;
	DIR *list;

	snprintf(dir, sizeof(dir), "%s/[kernel.kcore]/%s", k->syms->opt.buildid_dir, hex);
	list = opendir(dir);
	if (!list)
		return false;
	while (!found && (d = readdir(list)) != NULL) {
		if (d->d_name[0] == '.' ||
		    snprintf(path, PATH_SIZE, "%s/%s/kallsyms", dir, d->d_name) >= PATH_SIZE)
			continue;
		found = rt_kcore_matches(k, path);
	}
	closedir(list);
	return found;
}

static bool choose_kallsyms(struct rt_kernel *k, char *path, char *looked)
{
	char hex[RT_BUILDID_HEX];
	bool live;

	strcpy(path, RT_HOST_KALLSYMS);
	if (!k->id.len)
		return !k->syms->opt.no_live_kernel;
	live = is_live(k);
	if (live && !access("/proc/kcore", R_OK) && rt_kcore_matches(k, path))
		return true;
	rt_buildid_hex(&k->id, hex);
	if (cached_kcore(k, hex, path))
		return true;
	if (live) {
		strcpy(path, RT_HOST_KALLSYMS);
		return true;
	}
	snprintf(path, PATH_SIZE, "%s/[kernel.kallsyms]/%s/kallsyms", k->syms->opt.buildid_dir,
		 hex);
	note(looked, path);
	if (!access(path, F_OK))
		return true;
	snprintf(path, PATH_SIZE, "%s/[kernel.kallsyms]/%s", k->syms->opt.buildid_dir, hex);
	return rt_is_regular_file(path);
}

static void load_from_places(struct rt_kernel *k, char *looked)
{
	const struct rt_symbols_options *opt = &k->syms->opt;
	char path[PATH_SIZE];

	if (opt->kallsyms) {
		note(looked, opt->kallsyms);
		rt_kernel_load_kallsyms(k, opt->kallsyms);
		return;
	}
	if (opt->vmlinux) {
		if (opt->vmlinux[0] == '/')
			snprintf(path, sizeof(path), "%s", opt->vmlinux);
		else
			rt_locate_join(k->syms, opt->vmlinux, path);
		note(looked, path);
		rt_kernel_load_vmlinux(k, path);
		return;
	}
	if (!opt->ignore_vmlinux_buildid && rt_locate_cache(k->syms, &k->id, "elf", path)) {
		note(looked, path);
		if (!rt_kernel_load_vmlinux(k, path))
			return;
	}
	if (!opt->no_vmlinux_path && try_vmlinux_places(k, looked))
		return;
	if (opt->symfs[0])
		return; /* this machine's files belong to another kernel */
	if (choose_kallsyms(k, path, looked)) {
		note(looked, path);
		rt_kernel_load_kallsyms(k, path);
	}
}

void rt_kernel_load(struct rt_kernel *k)
{
	char looked[RT_LOOKED_MAX] = "";

	load_from_places(k, looked);
	if (!k->object->loaded) {
		rt_symbol_table_finish(&k->object->table);
		__atomic_store_n(&k->object->loaded, 1, __ATOMIC_RELEASE);
	}
	if (!k->object->table.count)
		k->object->looked = rt_symbols_str(k->syms, looked);
}
