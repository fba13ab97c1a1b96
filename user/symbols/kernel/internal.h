/* SPDX-License-Identifier: GPL-2.0 */
/* internal.h - struct rt_kernel, for kernel.c and load.c. */
#ifndef RT_SYMBOLS_KERNEL_INTERNAL_H
#define RT_SYMBOLS_KERNEL_INTERNAL_H

#include <pthread.h>

#include "symbols/internal.h"
#include "symbols/kernel/kernel.h"

struct rt_kmap {
	uint64_t start, end;
	uint64_t reach; /* the greatest end up to here: set by rt_kernel_set_maps() */
	struct rt_object *object;
	bool identity; /* object addresses are ips; otherwise ip - start + object->pgoff */
	bool module;   /* of a module that the recording describes */
	bool late;     /* added after the symbols were loaded: kallsyms gave it none */
	bool bpf;      /* of a BPF program: stays with kcore's maps */
};

/* Sorted by start.  Readers use the published one; a change publishes a copy. */
struct rt_kmaps {
	struct rt_kmaps *retired; /* older ones, freed with the kernel */
	unsigned int count;
	struct rt_kmap map[];
};

struct rt_kernel {
	struct rt_kernel *next;
	struct rt_symbols *syms;
	const char *name;
	const char *osrelease; /* never NULL */
	uint16_t machine;

	pthread_mutex_t lock; /* protects everything below */
	struct rt_buildid id;
	const char *ref_symbol; /* NULL: unknown */
	uint64_t ref_address;
	bool has_text;
	bool uses_kcore;       /* the maps cover everything: later modules add nothing */
	int loaded;	       /* atomic */
	int loading;	       /* atomic */
	struct rt_kmaps *maps; /* atomic */
	struct rt_object *object;
	const char *symbol_file;
	struct rt_kallsyms_cache *cache; /* holds the object's names; or NULL */
	struct rt_arena module_names;	 /* of modules that are loaded later */
	int modules_wait;		 /* atomic: their symbols are not read yet */
};

/* The caller of all of these holds k->lock. */

/* Fill object tables and adjust the maps from the first usable source. */
void rt_kernel_load(struct rt_kernel *k);

/* Try one source; 0 if it was usable. */
int rt_kernel_load_vmlinux(struct rt_kernel *k, const char *path);
int rt_kernel_load_kallsyms(struct rt_kernel *k, const char *path);
/* Load the modules' part if rt_kernel_load_kallsyms() left it out (modules_wait). */
void rt_kernel_load_modules(struct rt_kernel *k);

/* Add a map; replace one with the same start. */
int rt_kernel_put_map(struct rt_kernel *k, const struct rt_kmap *map);

/* Replace all maps; takes the contents of the array, which need not be sorted. */
int rt_kernel_set_maps(struct rt_kernel *k, struct rt_kmap *map, unsigned int count);

/*
 * from_kcore.c: whether DIR/kallsyms belongs to a kcore with everything at its recorded address;
 * and the maps that kcore describes.
 */
bool rt_kcore_matches(struct rt_kernel *k, const char *kallsyms);
int rt_kcore_maps(struct rt_kernel *k, const char *kallsyms, struct rt_kmap **maps,
		  unsigned int *count);

#endif
