/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernelmap.h - the insides of struct rt_kernel, for kernel.c and kernelload.c.
 */
#ifndef RT_SYMBOLS_KERNELMAP_H
#define RT_SYMBOLS_KERNELMAP_H

#include <pthread.h>

#include "symbols/context.h"
#include "symbols/kernel.h"

struct rt_kmap {
	uint64_t start, end;
	uint64_t reach; /* the greatest end up to here: set by rt_kernel_set_maps() */
	struct rt_object *object;
	bool identity; /* object addresses are ips; else ip - start + object->pgoff */
	bool module;   /* of a module described by the recording */
	bool bpf;      /* of a BPF program: stays when kcore takes over */
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

	pthread_mutex_t lock; /* of all below */
	struct rt_buildid id;
	const char *ref_symbol; /* NULL: not known */
	uint64_t ref_address;
	bool has_text;
	bool uses_kcore;       /* the maps cover everything: later modules add nothing */
	int loaded;	       /* atomic */
	int loading;	       /* likewise */
	struct rt_kmaps *maps; /* atomic */
	struct rt_object *object;
	const char *symbol_file;
};

/* All of these: the caller holds k->lock. */

/* Fill object tables and adjust the maps from the first source that serves. */
void rt_kernel_load(struct rt_kernel *k);

/* One source; 0 when it served. */
int rt_kernel_load_vmlinux(struct rt_kernel *k, const char *path);
int rt_kernel_load_kallsyms(struct rt_kernel *k, const char *path);

/* Add a map, in place of one with the same start. */
int rt_kernel_put_map(struct rt_kernel *k, const struct rt_kmap *map);

/* Replace all maps; takes the array's contents, which need not be sorted. */
int rt_kernel_set_maps(struct rt_kernel *k, struct rt_kmap *map, unsigned int count);

struct rt_kmap *rt_kernel_text_map(struct rt_kernel *k);

/* kernelkcore.c: whether DIR/kallsyms belongs to a kcore with everything at its
 * recorded address; and the maps that kcore describes. */
bool rt_kcore_matches(struct rt_kernel *k, const char *kallsyms);
int rt_kcore_maps(struct rt_kernel *k, const char *kallsyms, struct rt_kmap **maps,
		  unsigned int *count);

#endif
