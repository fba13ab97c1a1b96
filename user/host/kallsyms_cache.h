/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kallsyms_cache.h - cache files for the symbols of the running kernel.
 *
 * The kernel takes tens of milliseconds to print /proc/kallsyms, more than a small recording takes
 * in all.  Its own symbols, without those of modules, BPF programs and trampolines, do not change
 * until the next boot.  HOME/.cache/ringtail/kernel-symbols keeps them, together with the boot id
 * and the beginning of /proc/kallsyms as this user sees it.  If one of these or the checksum
 * differs, the file is ignored.  A second file, module-symbols, keeps the symbols of the modules that
 * were loaded, together with a text that identifies these modules (kallsyms_cached.h).
 */
#ifndef RT_HOST_KALLSYMS_CACHE_H
#define RT_HOST_KALLSYMS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/kallsyms.h"

#define RT_HOST_BOOT_ID "/proc/sys/kernel/random/boot_id"

struct rt_kallsyms_cache_place {
	const char *home;
	const char *kallsyms; /* RT_HOST_KALLSYMS */
	const char *boot_id;  /* RT_HOST_BOOT_ID */
	const char *modules; /* what identifies the loaded modules; NULL: the kernel's own symbols */
};

struct rt_kallsyms_cache; /* an opened cache */

/* NULL if there is no usable cache. */
struct rt_kallsyms_cache *rt_kallsyms_cache_open(const struct rt_kallsyms_cache_place *place);
uint32_t rt_kallsyms_cache_count(const struct rt_kallsyms_cache *k);
/* Get the i-th symbol.  Its name is read-only and valid until rt_kallsyms_cache_close(). */
void rt_kallsyms_cache_symbol(const struct rt_kallsyms_cache *k, uint32_t i,
			      struct rt_kallsym *sym);
void rt_kallsyms_cache_close(struct rt_kallsyms_cache *k);

struct rt_kallsyms_cache_writer; /* a cache being built */

/* The functions below accept NULL and then do nothing. */
struct rt_kallsyms_cache_writer *
rt_kallsyms_cache_writer_new(const struct rt_kallsyms_cache_place *p);
/* Add one line of kallsyms; call this in the order of the lines. */
void rt_kallsyms_cache_writer_add(struct rt_kallsyms_cache_writer *k, const struct rt_kallsym *sym);
/* Call after the last line: write the file, if kernel and module symbols can be told apart. */
bool rt_kallsyms_cache_writer_save(struct rt_kallsyms_cache_writer *k);
void rt_kallsyms_cache_writer_free(struct rt_kallsyms_cache_writer *k);

#endif
