/* SPDX-License-Identifier: GPL-2.0 */
/*
 * anchor_build_ids.h - the build-ids of the loaded modules.
 *
 * Only sysfs tells them.  A worker reads them there, with the kernel's own root and mount namespace, and
 * nobody waits for it: whoever loads a module or sets up rings may be in a namespace where another file lies
 * in that place.  What the worker has read stays, so a later session has it at once.
 */
#ifndef RT_ANCHOR_BUILD_IDS_H
#define RT_ANCHOR_BUILD_IDS_H

#include <linux/mutex.h>
#include <linux/types.h>

struct rt_build_id;

/* The lock of all module tables.  Never held while a file is read. */
extern struct mutex rt_anchor_modules_lock;

/* Called by the worker under the lock, when it has read a build-id. */
typedef void (*rt_build_id_told)(const char *module, u64 base, const struct rt_build_id *id);

void rt_build_ids_start(rt_build_id_told told);
/* When nobody calls the functions below any more. */
void rt_build_ids_stop(void);

/* All under the lock.  A module is the same only if it has the same name and the same base. */

/* The module's build-id; NULL: not known, or not yet. */
const struct rt_build_id *rt_build_ids_find(const char *module, u64 base);
/* Let the worker read it unless it has tried already.  AGAIN: also then. */
void rt_build_ids_want(const char *module, u64 base, bool again);
void rt_build_ids_forget(const char *module, u64 base);

#endif
