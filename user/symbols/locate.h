/* SPDX-License-Identifier: GPL-2.0 */
/* locate.h - the places where an object's symbols may be, in order. */
#ifndef RT_SYMBOLS_LOCATE_H
#define RT_SYMBOLS_LOCATE_H

#include <stdbool.h>

#include "symbols/internal.h"

/* perf's order first, then our own places, so that both find the same. */
enum rt_locate_place {
	RT_LOCATE_DEBUGLINK,
	RT_LOCATE_CACHE,
	RT_LOCATE_CACHE_DEBUG,
	RT_LOCATE_DEBUG_DOT,	 /* /usr/lib/debug/path.debug */
	RT_LOCATE_DEBUG_PATH,	 /* /usr/lib/debug/path */
	RT_LOCATE_DEBUG_BUILDID, /* /usr/lib/debug/.build-id/xx/yy.debug */
	RT_LOCATE_PATH,		 /* the object itself */
	RT_LOCATE_MODULE,	 /* a module itself */
	RT_LOCATE_BESIDE,	 /* dir/.debug/file */
	RT_LOCATE_DEBUG_USRLIB,	 /* /usr/lib/debug/lib/... for /usr/lib/... */
	RT_LOCATE_PERF_END,
	RT_LOCATE_DEBUGINFOD = RT_LOCATE_PERF_END,
	RT_LOCATE_MODULE_DEBUG, /* /usr/lib/debug/lib/modules/... */
	RT_LOCATE_END,
};

/*
 * Make the file name to try; false if this place does not apply to the object.  `path` holds
 * RT_SYMBOLS_PATH bytes.  The file need not exist.
 */
bool rt_locate(const struct rt_object *obj, enum rt_locate_place place, char *path);

bool rt_is_regular_file(const char *path);

/* "path (why), path, ...": the text of `looked` in struct rt_missing. */
#define RT_LOOKED_MAX 2048
void rt_locate_note(char looked[RT_LOOKED_MAX], const char *path, const char *why);

/* Put symfs in front of a path, joined as in perf; "" if it does not fit. */
void rt_locate_join(const struct rt_symbols *syms, const char *path, char *out);

/* BUILDID_DIR/.build-id/xx/yy[/base]. */
bool rt_locate_cache(const struct rt_symbols *syms, const struct rt_buildid *id, const char *base,
		     char *out);

#endif
