/* SPDX-License-Identifier: GPL-2.0 */
/*
 * debug_index.h - what only a scan of all debug information of a file finds: for each function its code
 * and where it was inlined, or for each source file the addresses of its lines, or its units.
 *
 * Threads scan the units of a file (debug_index_scan.c).  HOME/.cache/ringtail/debug-BUILDID.WHAT keeps the
 * result, if the file is large and has a build-id.  A kept index that is cut, damaged, of another
 * version or of another file is ignored.
 *
 * An index does not change: any number of threads may read it.
 */
#ifndef RT_TYPES_DEBUG_INDEX_H
#define RT_TYPES_DEBUG_INDEX_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buildid.h"

struct rt_debug_index;

/* Each has its own index: who asks for one of them does not wait for the other. */
enum rt_debug_index_what {
	RT_DEBUG_INDEX_FUNCTIONS,
	RT_DEBUG_INDEX_LINES,
	RT_DEBUG_INDEX_UNITS,
	RT_DEBUG_INDEXES,
};

/* The kept index of a file, or NULL. */
struct rt_debug_index *rt_debug_index_open(const char *home, const struct rt_buildid *id,
					   enum rt_debug_index_what what);

/*
 * Scan FILE, with THREADS threads (0: one for each CPU).  NULL: no memory, or the file is one that
 * cannot be scanned: unlinked (a .ko), with more than 2 GB between its addresses, or with parts in other
 * files.
 */
struct rt_debug_index *rt_debug_index_scan(const char *file, const struct rt_buildid *id,
					   enum rt_debug_index_what what, unsigned int threads);

/* Keep it; false if that is not possible. */
bool rt_debug_index_save(const struct rt_debug_index *x, const char *home);

/* Take the bytes of a kept index, from malloc(); NULL, and they are freed, if they are not sound. */
struct rt_debug_index *rt_debug_index_of_bytes(void *bytes, size_t size,
					       const struct rt_buildid *id,
					       enum rt_debug_index_what what);
const void *rt_debug_index_bytes(const struct rt_debug_index *x, size_t *size);

void rt_debug_index_close(struct rt_debug_index *x);

/* Call each() for the function's code and its inlined copies, until it returns non-zero. */
int rt_debug_index_function(const struct rt_debug_index *x, const char *name,
			    int (*each)(void *arg, uint64_t address, bool inlined), void *arg);

/*
 * Call each() for the lines FIRST to LAST of the source files whose paths end with FILE, in the order of
 * the lines.
 */
int rt_debug_index_lines(
	const struct rt_debug_index *x, const char *file, unsigned int first, unsigned int last,
	int (*each)(void *arg, const char *path, unsigned int line, uint64_t address), void *arg);

/* Call each() with the offsets of the units whose names end with FILE, until it returns non-zero. */
int rt_debug_index_units(const struct rt_debug_index *x, const char *file,
			 int (*each)(void *arg, uint64_t offset), void *arg);

#endif
