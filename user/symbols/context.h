/* SPDX-License-Identifier: GPL-2.0 */
/*
 * context.h - the insides of struct rt_symbols and struct rt_object, for the
 * files of this folder only.
 */
#ifndef RT_SYMBOLS_CONTEXT_H
#define RT_SYMBOLS_CONTEXT_H

#include <pthread.h>

#include "base/arena.h"
#include "symbols/elffile.h"
#include "symbols/object.h"
#include "symbols/symbols.h"
#include "symbols/table.h"

#define RT_SYMBOLS_PATH 4096

struct rt_lines;    /* srcline.c */
struct rt_codefile; /* codefile.c */

struct rt_object {
	/* Set when interned, then never changed. */
	struct rt_symbols *syms;
	struct rt_object *next_in_bucket;
	struct rt_object *next; /* all of them, newest first */
	enum rt_object_kind kind;
	unsigned int index;
	const char *name; /* what perf prints */
	const char *path; /* what perf opens; for a module "[name]" when no path is known */
	bool identity;	  /* addresses are ips */
	bool never;	  /* has no symbols by nature: do not look */
	struct rt_buildid given;
	uint64_t file; /* of its key */

	/* Written by the loader under `lock`, read by all once `loaded` is set. */
	pthread_mutex_t lock;
	int loaded;
	struct rt_table table;
	struct rt_buildid id;
	const char *symbol_file;  /* has .symtab: perf's symsrc_filename */
	const char *runtime_file; /* has the code, NULL for vdso images in memory */
	const char *looked;	  /* where symbols were sought in vain */
	bool found;		  /* some file was found: addresses below are valid */
	bool relocatable;	  /* ET_REL */
	uint64_t pgoff;		  /* kernel and modules: address of the map's start */
	uint64_t dump_delta;	  /* address + this = address in the ELF file, as objdump has it */
	struct rt_segment {
		uint64_t vaddr, offset, size;
	} * segment;
	unsigned int segments;

	uint64_t unanswered; /* look-ups without any symbols here; atomic */

	/* Made under `lock` when first asked for; atomic. */
	struct rt_lines *lines;
	struct rt_codefile *code;
};

struct rt_symbols {
	struct rt_symbols_options opt; /* strings never NULL but vmlinux and kallsyms */
	pthread_mutex_t lock;	       /* of the hash table, the lists and strings */
	struct rt_object **bucket;
	unsigned int buckets, count;
	struct rt_object *objects;
	struct rt_object *nameless;
	struct rt_kernel *kernels;
	struct rt_arena strings;
};

/* A copy of `s` that lives as long as the context. */
const char *rt_symbols_str(struct rt_symbols *syms, const char *s);

/* An object outside the hash table: kernels keep their own. */
struct rt_object *rt_object_new(struct rt_symbols *syms, enum rt_object_kind kind, const char *name,
				const char *path, const struct rt_buildid *id);

/* Make sure the object is loaded; kernels load theirs beforehand. */
void rt_object_load(struct rt_object *obj);

/* The two loaders behind it; they run under obj->lock. */
void rt_object_load_file(struct rt_object *obj);
void rt_object_load_jitmap(struct rt_object *obj);

void rt_kernel_free_all(struct rt_kernel *k);
void rt_lines_free(struct rt_lines *lines);

#endif
