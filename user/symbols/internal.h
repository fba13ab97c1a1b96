/* SPDX-License-Identifier: GPL-2.0 */
/*
 * internal.h - struct rt_symbols and struct rt_object, only for this folder and the folders in it.
 */
#ifndef RT_SYMBOLS_INTERNAL_H
#define RT_SYMBOLS_INTERNAL_H

#include <pthread.h>

#include "base/arena.h"
#include "symbols/elffile.h"
#include "symbols/object.h"
#include "symbols/symbols.h"
#include "symbols/symbol_table.h"

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
	const char *path; /* what perf opens; for a module "[name]" if no path is known */
	bool identity;	  /* addresses are ips */
	bool never;	  /* never has symbols: do not look */
	struct rt_buildid given;
	uint64_t file; /* from its key */

	/* Written by the loader under `lock`; all threads may read it once `loaded` is set. */
	pthread_mutex_t lock;
	int loaded;
	struct rt_symbol_table table;
	struct rt_buildid id;
	const char *symbol_file;  /* has .symtab: perf's symsrc_filename */
	const char *runtime_file; /* has the code, NULL for vdso images in memory */
	const char *looked;	  /* places searched without success */
	bool found;		  /* some file was found: the addresses below are valid */
	bool relocatable;	  /* ET_REL */
	uint64_t pgoff;		  /* kernel and modules: address of the map's start */
	uint64_t dump_delta;	  /* address + this = address in the ELF file, as in objdump */
	struct rt_segment {
		uint64_t vaddr, offset, size;
		bool exec;
	} * segment;
	unsigned int segments;

	uint64_t unanswered; /* lookups while it has no symbols; atomic */

	/* Made under `lock` on first use; atomic. */
	struct rt_lines *lines;
	struct rt_codefile *code;
	void (*free_lines)(struct rt_lines *lines);  /* set with `lines` */
	void (*free_code)(struct rt_codefile *code); /* set with `code` */
};

struct rt_symbols {
	struct rt_symbols_options opt; /* no string is NULL, except vmlinux and kallsyms */
	pthread_mutex_t lock;	       /* protects the hash table, the lists and strings */
	struct rt_object **bucket;
	unsigned int buckets, count;
	struct rt_object *objects;
	struct rt_object *nameless;
	struct rt_kernel *kernels;
	void (*free_kernels)(struct rt_kernel *first); /* set with `kernels` */
	struct rt_arena strings;
};

/* Copy `s`; the copy lives as long as the context. */
const char *rt_symbols_str(struct rt_symbols *syms, const char *s);

/* Create an object outside the hash table: kernels keep their own. */
struct rt_object *rt_object_new(struct rt_symbols *syms, enum rt_object_kind kind, const char *name,
				const char *path, const struct rt_buildid *id);

/* Make sure that the object is loaded; kernels load theirs in advance. */
void rt_object_load(struct rt_object *obj);

/* The two loaders behind it; the caller holds obj->lock. */
void rt_object_load_file(struct rt_object *obj);
void rt_object_load_jitmap(struct rt_object *obj);

#endif
