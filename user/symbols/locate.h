/* SPDX-License-Identifier: GPL-2.0 */
/*
 * locate.h - the places where symbols of an object may be, in order.
 */
#ifndef RT_SYMBOLS_LOCATE_H
#define RT_SYMBOLS_LOCATE_H

#include <stdbool.h>

#include "symbols/context.h"

/* perf's order first; ours come after, so that both find the same. */
enum rt_place {
	RT_PLACE_DEBUGLINK,
	RT_PLACE_CACHE,
	RT_PLACE_CACHE_DEBUG,
	RT_PLACE_DEBUG_DOT,	/* /usr/lib/debug/path.debug */
	RT_PLACE_DEBUG_PATH,	/* /usr/lib/debug/path */
	RT_PLACE_DEBUG_BUILDID, /* /usr/lib/debug/.build-id/xx/yy.debug */
	RT_PLACE_PATH,		/* the object itself */
	RT_PLACE_MODULE,	/* a module itself */
	RT_PLACE_BESIDE,	/* dir/.debug/file */
	RT_PLACE_DEBUG_USRLIB,	/* /usr/lib/debug/lib/... for /usr/lib/... */
	RT_PLACE_PERF_END,
	RT_PLACE_DEBUGINFOD = RT_PLACE_PERF_END,
	RT_PLACE_MODULE_DEBUG, /* /usr/lib/debug/lib/modules/... */
	RT_PLACE_END,
};

/*
 * The file name to try; false when this place does not apply to the object.
 * `path` holds RT_SYMBOLS_PATH bytes.  The file need not exist.
 */
bool rt_locate(const struct rt_object *obj, enum rt_place place, char *path);

bool rt_is_regular_file(const char *path);

/* "path (why), path, ...": what `looked` of struct rt_missing shows. */
#define RT_LOOKED_MAX 2048
void rt_locate_note(char looked[RT_LOOKED_MAX], const char *path, const char *why);

/* symfs in front of a path, the way perf joins them; "" when it does not fit. */
void rt_locate_join(const struct rt_symbols *syms, const char *path, char *out);

/* BUILDID_DIR/.build-id/xx/yy[/base]. */
bool rt_locate_cache(const struct rt_symbols *syms, const struct rt_buildid *id, const char *base,
		     char *out);

#endif
