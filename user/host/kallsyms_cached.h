/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kallsyms_cached.h - read the symbols of the running kernel and its modules without kallsyms.
 *
 * The caches of kallsyms_cache.h replace it if they can.  The symbols of modules count as known if
 * the same modules are loaded at the same addresses: names, sizes, addresses and build-ids are equal.
 * Where a module has no build-id, or is just being loaded or unloaded, kallsyms is read.
 */
#ifndef RT_HOST_KALLSYMS_CACHED_H
#define RT_HOST_KALLSYMS_CACHED_H

#include "host/host.h"
#include "host/kallsyms.h"

/* Like rt_kallsyms_read(), without code that the kernel generates ([bpf], [__builtin__ftrace], …). */
int rt_kallsyms_read_cached(int (*fn)(void *arg, struct rt_kallsym *sym), void *arg);

/* The same for another machine's files, with the caches below HOME. */
int rt_kallsyms_read_cached_at(const struct rt_host *host, const char *home,
			       int (*fn)(void *arg, struct rt_kallsym *sym), void *arg);

#endif
