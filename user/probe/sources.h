/* SPDX-License-Identifier: GPL-2.0 */
/* sources.h - what describes the functions of a kernel and its modules; each part is read once. */
#ifndef RT_PROBE_SOURCES_H
#define RT_PROBE_SOURCES_H

#include <limits.h>

#include "base/buildid.h"
#include "base/error.h"
#include "events/spec.h"
#include "types/debuginfo.h"
#include "types/types.h"

struct rt_probe_sources;

/*
 * ENV answers where functions are; it must stay as long as the result.  BTF: a file to use instead of
 * the running kernel's own, or NULL.  NULL: no memory.
 */
struct rt_probe_sources *rt_probe_sources_new(const struct rt_event_env *env, const char *btf);
void rt_probe_sources_free(struct rt_probe_sources *s);

const struct rt_event_env *rt_probe_sources_env(const struct rt_probe_sources *s);

/* Whether the types are those of the running kernel. */
bool rt_probe_sources_running(const struct rt_probe_sources *s);

/* The types of the kernel or, if MODULE is not NULL, of a module.  -ENOENT with the reason in ERR. */
int rt_probe_sources_types(struct rt_probe_sources *s, const char *module, struct rt_types **out,
			   struct rt_err *err);

/*
 * The debug information of the kernel (MODULE NULL), of a module, or of the file whose path MODULE is.
 * -ENOENT with a sentence that says which debug information is missing.
 */
int rt_probe_sources_debug(struct rt_probe_sources *s, const char *module,
			   struct rt_debuginfo **out, struct rt_err *err);

/*
 * The same if it is on this machine: servers are not asked, because what wants it can do without.  NULL:
 * there is none.
 */
struct rt_debuginfo *rt_probe_sources_local(struct rt_probe_sources *s, const char *module);

/* The build-id of the kernel, a module or a file; its length is 0 if it is not known. */
void rt_probe_sources_id(struct rt_probe_sources *s, const char *module, struct rt_buildid *id);

/* Look for source files below DIR alone, which must stay; NULL, as at first: where they usually are. */
void rt_probe_sources_set_dir(struct rt_probe_sources *s, const char *dir);
const char *rt_probe_sources_dir(const struct rt_probe_sources *s);

/*
 * Read the source file FILE that the debug information of MODULE names: from there, below the user's directory,
 * from /usr/src, or from a server of DEBUGINFOD_URLS.  PATH is where it was; the caller frees *TEXT.
 */
int rt_probe_source_text(struct rt_probe_sources *s, const char *module, const char *file,
			 char path[PATH_MAX], char **text);

#endif
