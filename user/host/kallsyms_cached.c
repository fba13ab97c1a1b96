// SPDX-License-Identifier: GPL-2.0
#include "host/kallsyms_cached.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "host/buildid.h"
#include "host/kallsyms_cache.h"
#include "host/modules.h"

/* What identifies the loaded modules and their symbols; NULL if that cannot be told. */
static char *identify_modules(const struct rt_host *host)
{
	struct rt_host_modules modules;
	char hex[RT_BUILDID_HEX], line[256];
	const struct rt_host_module *m;
	struct rt_buildid id;
	struct rt_text text;
	bool known;
	size_t i;

	known = !rt_host_modules_read(host, &modules);
	rt_text_init(&text);
	for (i = 0; known && i < modules.count; i++) {
		m = &modules.list[i];
		known = m->live && m->start && !rt_host_module_buildid(host, m->name, &id);
		if (!known)
			break;
		snprintf(line, sizeof(line), "%s %" PRIu64 " %" PRIx64 " %s\n", m->name, m->size,
			 m->start, rt_buildid_hex(&id, hex));
		rt_text_put(&text, line, strlen(line));
	}
	rt_text_char(&text, '\0');
	rt_host_modules_free(&modules);
	if (known && !text.failed)
		return text.base;
	rt_text_free(&text);
	return NULL;
}

static int give(const struct rt_kallsyms_cache *cache, int (*fn)(void *, struct rt_kallsym *),
		void *arg)
{
	struct rt_kallsym sym;
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < rt_kallsyms_cache_count(cache); i++) {
		rt_kallsyms_cache_symbol(cache, i, &sym);
		ret = fn(arg, &sym);
	}
	return ret;
}

struct reading {
	int (*fn)(void *arg, struct rt_kallsym *sym);
	void *arg;
	struct rt_kallsyms_cache_writer *kernel, *modules;
};

static int take(void *arg, struct rt_kallsym *sym)
{
	struct reading *r = arg;

	rt_kallsyms_cache_writer_add(r->kernel, sym);
	rt_kallsyms_cache_writer_add(r->modules, sym);
	return r->fn(r->arg, sym);
}

/* Read kallsyms and write both caches, unless modules came or went meanwhile. */
static int read_and_save(const struct rt_host *host, struct reading *r,
			 const struct rt_kallsyms_cache_place *kernel,
			 const struct rt_kallsyms_cache_place *modules)
{
	char *after;
	int ret;

	r->kernel = rt_kallsyms_cache_writer_new(kernel);
	r->modules = modules->modules ? rt_kallsyms_cache_writer_new(modules) : NULL;
	ret = rt_kallsyms_read(kernel->kallsyms, take, r);
	after = ret ? NULL : identify_modules(host);
	if (!ret)
		rt_kallsyms_cache_writer_save(r->kernel);
	if (after && modules->modules && !strcmp(after, modules->modules))
		rt_kallsyms_cache_writer_save(r->modules);
	free(after);
	rt_kallsyms_cache_writer_free(r->kernel);
	rt_kallsyms_cache_writer_free(r->modules);
	return ret;
}

int rt_kallsyms_read_cached_at(const struct rt_host *host, const char *home,
			       int (*fn)(void *arg, struct rt_kallsym *sym), void *arg)
{
	char kallsyms[PATH_MAX], boot_id[PATH_MAX], *identity = identify_modules(host);
	struct rt_kallsyms_cache_place kernel = { .home = home };
	struct rt_kallsyms_cache *own = NULL, *of_modules = NULL;
	struct reading r = { .fn = fn, .arg = arg };
	struct rt_kallsyms_cache_place modules;
	int ret;

	kernel.kallsyms = rt_host_path(host, kallsyms, RT_HOST_KALLSYMS);
	kernel.boot_id = rt_host_path(host, boot_id, RT_HOST_BOOT_ID);
	modules = kernel;
	modules.modules = identity;
	if (identity)
		of_modules = rt_kallsyms_cache_open(&modules);
	if (of_modules)
		own = rt_kallsyms_cache_open(&kernel);
	if (own) {
		ret = give(own, fn, arg);
		if (!ret)
			ret = give(of_modules, fn, arg);
	} else {
		ret = read_and_save(host, &r, &kernel, &modules);
	}
	rt_kallsyms_cache_close(own);
	rt_kallsyms_cache_close(of_modules);
	free(identity);
	return ret;
}

int rt_kallsyms_read_cached(int (*fn)(void *arg, struct rt_kallsym *sym), void *arg)
{
	const char *home = getenv("HOME");

	return rt_kallsyms_read_cached_at(NULL, home ? home : "", fn, arg);
}
