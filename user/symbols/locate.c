// SPDX-License-Identifier: GPL-2.0
/* locate.c - see locate.h */
#include "symbols/locate.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_SIZE RT_SYMBOLS_PATH

bool rt_is_regular_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool fits(int len)
{
	return len > 0 && len < PATH_SIZE;
}

void rt_locate_join(const struct rt_symbols *syms, const char *path, char *out)
{
	const char *symfs = syms->opt.symfs;

	if (!fits(snprintf(out, PATH_SIZE, "%s%s%s", symfs, symfs[0] ? "/" : "", path)))
		out[0] = '\0';
}

static void append(char *text, size_t size, const char *more)
{
	size_t have = strlen(text), len = strlen(more);

	if (len > size - have - 1)
		len = size - have - 1;
	memcpy(text + have, more, len);
	text[have + len] = '\0';
}

void rt_locate_note(char looked[RT_LOOKED_MAX], const char *path, const char *why)
{
	if (looked[0])
		append(looked, RT_LOOKED_MAX, ", ");
	append(looked, RT_LOOKED_MAX, path);
	if (!why)
		return;
	append(looked, RT_LOOKED_MAX, " (");
	append(looked, RT_LOOKED_MAX, why);
	append(looked, RT_LOOKED_MAX, ")");
}

/* Make a path below the debug directory, itself below symfs. */
static bool below_debug(const struct rt_symbols *syms, const char *format, const char *a,
			const char *b, char *out)
{
	char dir[PATH_SIZE];
	int len;

	rt_locate_join(syms, syms->opt.debug_dir, dir);
	len = strlen(dir);
	memcpy(out, dir, len);
	return fits(len + snprintf(out + len, PATH_SIZE - len, format, a, b));
}

bool rt_locate_cache(const struct rt_symbols *syms, const struct rt_buildid *id, const char *base,
		     char *out)
{
	char hex[RT_BUILDID_HEX];
	int len;

	if (!id->len)
		return false;
	rt_buildid_hex(id, hex);
	len = snprintf(out, PATH_SIZE, "%s/.build-id/%.2s/%s", syms->opt.buildid_dir, hex, hex + 2);
	if (!fits(len))
		return false;
	/* Caches of old perfs link to the file, newer ones to its directory. */
	if (rt_is_regular_file(out))
		return true;
	return fits(len + snprintf(out + len, PATH_SIZE - len, "/%s", base));
}

static const char *cache_base(const struct rt_object *obj)
{
	if (obj->kind == RT_OBJECT_VDSO)
		return "vdso";
	if (obj->kind == RT_OBJECT_MODULE && obj->path[0] != '/')
		return "kallsyms";
	return "elf";
}

static bool by_debuglink(const struct rt_object *obj, char *path)
{
	char dir[PATH_SIZE], link[PATH_SIZE];
	const char *name;
	struct rt_elf e;
	char *slash;

	rt_locate_join(obj->syms, obj->path, dir);
	if (!rt_is_regular_file(dir) || rt_elf_open(&e, dir))
		return false;
	name = rt_elf_debuglink(&e);
	if (!name || strlen(name) >= sizeof(link)) {
		rt_elf_close(&e);
		return false;
	}
	strcpy(link, name);
	rt_elf_close(&e);

	slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
	else
		dir[0] = '\0';
	if (fits(snprintf(path, PATH_SIZE, "%s", link)) && rt_is_regular_file(path))
		return true;
	if (fits(snprintf(path, PATH_SIZE, "%s/%s", dir, link)) && rt_is_regular_file(path))
		return true;
	if (fits(snprintf(path, PATH_SIZE, "%s/.debug/%s", dir, link)) && rt_is_regular_file(path))
		return true;
	return fits(snprintf(path, PATH_SIZE, "%s%s/%s", obj->syms->opt.debug_dir, dir, link)) &&
	       rt_is_regular_file(path);
}

static bool beside(const struct rt_object *obj, char *path)
{
	char dir[PATH_SIZE];
	const char *slash = strrchr(obj->path, '/');

	if (!slash || slash == obj->path)
		return false;
	snprintf(dir, sizeof(dir), "%.*s/.debug%s", (int)(slash - obj->path), obj->path, slash);
	rt_locate_join(obj->syms, dir, path);
	return true;
}

static bool by_debuginfod(const struct rt_object *obj, char *path)
{
	char hex[RT_BUILDID_HEX];

	if (!obj->id.len)
		return false;
	return fits(snprintf(path, PATH_SIZE, "%s/.cache/debuginfod_client/%s/debuginfo",
			     obj->syms->opt.home, rt_buildid_hex(&obj->id, hex)));
}

bool rt_locate(const struct rt_object *obj, enum rt_locate_place place, char *path)
{
	const struct rt_symbols *syms = obj->syms;
	bool module = obj->kind == RT_OBJECT_MODULE;
	char hex[RT_BUILDID_HEX], two[3];

	if (place >= RT_LOCATE_PERF_END && syms->opt.perf_only)
		return false;
	switch (place) {
	case RT_LOCATE_CACHE:
		return rt_locate_cache(syms, &obj->id, cache_base(obj), path);
	case RT_LOCATE_CACHE_DEBUG:
		return rt_locate_cache(
			syms, &obj->id,
			obj->kind == RT_OBJECT_USER || module ? "debug" : cache_base(obj), path);
	case RT_LOCATE_MODULE:
		if (module)
			rt_locate_join(syms, obj->path, path);
		return module;
	case RT_LOCATE_MODULE_DEBUG:
		return module && below_debug(syms, "%s%s", obj->path, "", path);
	case RT_LOCATE_DEBUGINFOD:
		return by_debuginfod(obj, path);
	default:
		break;
	}
	if (module)
		return false;

	switch (place) {
	case RT_LOCATE_DEBUGLINK:
		return by_debuglink(obj, path);
	case RT_LOCATE_DEBUG_DOT:
		return below_debug(syms, "%s%s", obj->path, ".debug", path);
	case RT_LOCATE_DEBUG_PATH:
		return below_debug(syms, "%s%s", obj->path, "", path);
	case RT_LOCATE_DEBUG_BUILDID:
		if (!obj->id.len)
			return false;
		rt_buildid_hex(&obj->id, hex);
		snprintf(two, sizeof(two), "%.2s", hex);
		return below_debug(syms, "/.build-id/%s/%s.debug", two, hex + 2, path);
	case RT_LOCATE_PATH:
		rt_locate_join(syms, obj->path, path);
		return true;
	case RT_LOCATE_BESIDE:
		return beside(obj, path);
	case RT_LOCATE_DEBUG_USRLIB:
		return !strncmp(obj->path, "/usr/lib/", 9) &&
		       below_debug(syms, "%s%s", obj->path + 4, "", path);
	default:
		return false;
	}
}
