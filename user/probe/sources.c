// SPDX-License-Identifier: GPL-2.0
#include "probe/sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/buildid.h"
#include "host/source_file.h"
#include "probe/definition.h"
#include "symbols/elffile.h"
#include "types/btf.h"
#include "types/debuginfod.h"

struct source {
	char *module; /* NULL: the kernel itself */
	struct rt_types *types;
	struct rt_err why; /* types is NULL: this is the reason */
	bool types_tried, debug_tried;
	struct rt_debuginfo *debug;
	struct rt_err why_debug;
};

struct rt_probe_sources {
	const struct rt_event_env *env;
	const char *btf;
	const char *dir; /* of source files; NULL: the usual ones */
	struct source *list;
	size_t count;
};

struct rt_probe_sources *rt_probe_sources_new(const struct rt_event_env *env, const char *btf)
{
	struct rt_probe_sources *s = calloc(1, sizeof(*s));

	if (s) {
		s->env = env;
		s->btf = btf;
	}
	return s;
}

void rt_probe_sources_free(struct rt_probe_sources *s)
{
	if (!s)
		return;
	/* Modules come after the kernel, whose types they use. */
	while (s->count) {
		s->count--;
		rt_types_close(s->list[s->count].types);
		rt_debuginfo_close(s->list[s->count].debug);
		free(s->list[s->count].module);
	}
	free(s->list);
	free(s);
}

const struct rt_event_env *rt_probe_sources_env(const struct rt_probe_sources *s)
{
	return s->env;
}

bool rt_probe_sources_running(const struct rt_probe_sources *s)
{
	return !s->btf;
}

static struct source *find(struct rt_probe_sources *s, const char *module)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (!module == !s->list[i].module &&
		    (!module || !strcmp(module, s->list[i].module)))
			return &s->list[i];
	return NULL;
}

static struct source *add(struct rt_probe_sources *s, const char *module)
{
	struct source *list = realloc(s->list, (s->count + 1) * sizeof(*list));
	char *name = module ? strdup(module) : NULL;

	if (list)
		s->list = list;
	if (!list || (module && !name)) {
		free(name);
		return NULL;
	}
	list = memset(&list[s->count++], 0, sizeof(*list));
	list->module = name;
	return list;
}

/* NULL: no memory. */
static struct source *get(struct rt_probe_sources *s, const char *module)
{
	struct source *source;

	if (module && !strcmp(module, RT_KSYMS_KERNEL))
		module = NULL;
	source = find(s, module);
	return source ? source : add(s, module);
}

static void explain(struct source *source)
{
	struct rt_err cause = source->why;

	if (source->module)
		rt_err_set(
			&source->why, ENOENT,
			"the kernel has no types of module '%s' (%.200s); kernels from 5.11 have "
			"them if the module was built with BTF; name its file if that has debug "
			"information, -m PATH.ko, or use registers: %%REGISTER, $argN, $retval:s64",
			source->module, cause.text);
	else
		rt_err_set(&source->why, ENOENT,
			   "this kernel has no BTF (%.200s), so parameters have no names here; use "
			   "registers: %%REGISTER, $argN, $retval:s64",
			   cause.text);
}

static int open_source(struct rt_probe_sources *s, struct source *source, struct rt_types *kernel)
{
	int ret;

	if (s->btf && source->module)
		ret = rt_err_set(&source->why, ENOENT, "only %s was given", s->btf);
	else if (s->btf)
		ret = rt_btf_open_file(&source->types, s->btf, NULL, &source->why);
	else
		ret = rt_btf_open_running(&source->types, NULL, source->module, kernel,
					  &source->why);
	if (ret && ret != -ENOMEM && !s->btf)
		explain(source);
	return ret;
}

int rt_probe_sources_types(struct rt_probe_sources *s, const char *module, struct rt_types **out,
			   struct rt_err *err)
{
	struct rt_types *kernel = NULL;
	struct source *source;
	int ret;

	if (module && !strcmp(module, RT_KSYMS_KERNEL))
		module = NULL;
	if (module) {
		ret = rt_probe_sources_types(s, NULL, &kernel, err);
		if (ret)
			return ret;
	}
	source = get(s, module);
	if (!source)
		return rt_err_set(err, ENOMEM, "out of memory");
	if (!source->types_tried) {
		source->types_tried = true;
		ret = open_source(s, source, kernel);
		if (ret)
			source->types = NULL;
	}
	*out = source->types;
	if (*out)
		return 0;
	return rt_err_set(err, ENOENT, "%s", source->why.text);
}

/* --- debug information -------------------------------------------------------------------- */

/* A .ko file must be the one that is loaded, if its module is. */
static int check_build(const char *path, struct rt_err *err)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	struct rt_buildid loaded, its;
	char module[64], *c;

	snprintf(module, sizeof(module), "%.*s", (int)strcspn(base, "."), base);
	for (c = module; *c; c++)
		if (*c == '-')
			*c = '_';
	if (rt_host_module_buildid(NULL, module, &loaded) || rt_buildid_of_file(&its, path) ||
	    rt_buildid_equal(&loaded, &its))
		return 0;
	return rt_err_set(
		err, ESTALE,
		"%s is not the module that is loaded: their build-ids differ; load it, or "
		"name the right file",
		path);
}

static int open_debug(struct rt_probe_sources *s, struct source *source)
{
	char path[PATH_MAX], hex[RT_BUILDID_HEX] = "unknown";
	struct rt_buildid id;

	if (source->module && strchr(source->module, '/')) {
		if (!s->btf && rt_probe_is_module(source->module) &&
		    check_build(source->module, &source->why_debug))
			return -ESTALE;
		return rt_debuginfo_open(&source->debug, source->module, &source->why_debug);
	}
	if (s->btf && !source->module)
		return rt_debuginfo_open(&source->debug, s->btf, &source->why_debug);
	if (!rt_source_file_debug(source->module, path))
		return rt_debuginfo_open(&source->debug, path, &source->why_debug);
	if (!(source->module ? rt_host_module_buildid(NULL, source->module, &id) :
			       rt_host_kernel_buildid(NULL, &id))) {
		rt_buildid_hex(&id, hex);
		if (rt_debuginfod_wanted())
			return rt_debuginfod_find(&id, path, &source->why_debug) ?
				       -ENOENT :
				       rt_debuginfo_open(&source->debug, path, &source->why_debug);
	}
	return rt_err_set(
		&source->why_debug, ENOENT,
		"there is no debug information for %s%s (build-id %s) below /usr/lib/debug; "
		"install the debug package of kernel %s ('ringtail doctor' names it) or set "
		"DEBUGINFOD_URLS%s",
		source->module ? "module " : "the kernel", source->module ? source->module : "",
		hex, rt_host_release(NULL),
		source->module ? ", or name the file: PATH.ko:FUNCTION" : "");
}

int rt_probe_sources_debug(struct rt_probe_sources *s, const char *module,
			   struct rt_debuginfo **out, struct rt_err *err)
{
	struct source *source = get(s, module);

	if (!source)
		return rt_err_set(err, ENOMEM, "out of memory");
	if (!source->debug_tried) {
		source->debug_tried = true;
		if (open_debug(s, source))
			source->debug = NULL;
	}
	*out = source->debug;
	return *out ? 0 : rt_err_set(err, ENOENT, "%s", source->why_debug.text);
}

struct rt_debuginfo *rt_probe_sources_local(struct rt_probe_sources *s, const char *module)
{
	struct source *source = get(s, module);
	struct rt_debuginfo *debug;
	struct rt_err ignored;
	char path[PATH_MAX];

	if (!source)
		return NULL;
	/* Otherwise only a server may have it. */
	if (!source->debug && !s->btf && !(source->module && strchr(source->module, '/')) &&
	    rt_source_file_debug(source->module, path))
		return NULL;
	return rt_probe_sources_debug(s, module, &debug, &ignored) ? NULL : debug;
}

void rt_probe_sources_id(struct rt_probe_sources *s, const char *module, struct rt_buildid *id)
{
	int ret;

	if (module && !strcmp(module, RT_KSYMS_KERNEL))
		module = NULL;
	if (module && strchr(module, '/'))
		ret = rt_buildid_of_file(id, module);
	else if (module)
		ret = rt_host_module_buildid(NULL, module, id);
	else
		ret = s->btf ? rt_buildid_of_file(id, s->btf) : rt_host_kernel_buildid(NULL, id);
	if (ret)
		id->len = 0;
}

void rt_probe_sources_set_dir(struct rt_probe_sources *s, const char *dir)
{
	s->dir = dir;
}

const char *rt_probe_sources_dir(const struct rt_probe_sources *s)
{
	return s->dir;
}
