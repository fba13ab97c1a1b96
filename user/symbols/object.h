/* SPDX-License-Identifier: GPL-2.0 */
/*
 * object.h - one file or pseudo-file that holds user code, and its symbols.
 *
 * Addresses here are perf's map addresses.  For a mapping that starts at `start` from file offset
 * `pgoff`, address = ip - start + pgoff, which is the offset in the file.  For a JIT map
 * (/tmp/perf-PID.map) and for anonymous memory it is the ip itself.  rt_object_address() computes
 * it.  For kernel addresses use kernel.h instead.
 */
#ifndef RT_SYMBOLS_OBJECT_H
#define RT_SYMBOLS_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/symbols.h"

enum rt_object_kind {
	RT_OBJECT_USER,	  /* an ELF file by path */
	RT_OBJECT_VDSO,	  /* [vdso], [vdso32], [vdsox32] */
	RT_OBJECT_JIT,	  /* anonymous code of a process, listed in /tmp/perf-PID.map */
	RT_OBJECT_NONE,	  /* [heap], [stack], [uprobes]...: has a name, never symbols */
	RT_OBJECT_KERNEL, /* owned by a struct rt_kernel */
	RT_OBJECT_MODULE, /* the same */
};

struct rt_object;

/* A symbol with the name that perf would print; lives as long as the context. */
struct rt_symbol {
	uint64_t start, end;
	const char *name;
	uint8_t binding; /* STB_* */
	uint8_t type;	 /* STT_* */
};

/* What an MMAP/MMAP2 record says about the mapped file. */
struct rt_object_key {
	const char *filename;
	int pid;      /* for /tmp/perf-PID.map, in which a JIT lists its functions */
	bool exec;    /* PROT_EXEC (MMAP records: not PERF_RECORD_MISC_MMAP_DATA) */
	bool hugetlb; /* MAP_HUGETLB: anonymous whatever the name */
	const struct rt_buildid *buildid; /* from the record or the header; may be NULL */
	uint64_t file; /* distinguishes files of one name and build-id, if that is wanted */
};

/*
 * The object of a user mapping, one for each distinct (name, build-id, file), of the kind that perf
 * would choose.  Never fails: without memory it returns the context's nameless object.
 */
struct rt_object *rt_object_get(struct rt_symbols *syms, const struct rt_object_key *key);

/* The same with the kind chosen by the caller (rt_object_get guesses as perf does). */
struct rt_object *rt_object_get_kind(struct rt_symbols *syms, enum rt_object_kind kind,
				     const char *path, const struct rt_buildid *buildid);

/* What perf prints in parentheses after a symbol. */
const char *rt_object_name(const struct rt_object *obj);
enum rt_object_kind rt_object_kind(const struct rt_object *obj);

/* The build-id given, otherwise that of the file; len 0 if neither has one. */
struct rt_buildid rt_object_buildid(struct rt_object *obj);

/*
 * A number from 0 up without gaps in the context: an index for side tables.  rt_object_count() is
 * the total so far.
 */
unsigned int rt_object_index(const struct rt_object *obj);
unsigned int rt_object_count(const struct rt_symbols *syms);

/* Convert the ip of a mapping to an address in the object, like perf's map_ip; and back. */
uint64_t rt_object_address(const struct rt_object *obj, uint64_t ip, uint64_t start,
			   uint64_t pgoff);

/* The symbol that contains `address`, or NULL.  The first call loads the object. */
const struct rt_symbol *rt_object_symbol(struct rt_object *obj, uint64_t address);

/* The symbol of that name, or NULL (probes, --symbol filters). */
const struct rt_symbol *rt_object_symbol_by_name(struct rt_object *obj, const char *name);

/* Call fn for all symbols in address order; stop when it returns non-zero and return that. */
int rt_object_each_symbol(struct rt_object *obj, int (*fn)(void *arg, const struct rt_symbol *sym),
			  void *arg);

/* The file from which the symbols came, or NULL: for -v and annotate. */
const char *rt_object_symbol_file(struct rt_object *obj);

/*
 * Convert an address in the object (a file offset) to a virtual address in its ELF file, or back.
 */
int rt_object_to_vaddr(struct rt_object *obj, uint64_t address, uint64_t *vaddr);

/* ---- per-thread cache ---------------------------------------------------- */

/*
 * Caches the result for each address, so that the second lookup of an address costs one probe of a
 * small table.  Each cache belongs to one thread.
 */
struct rt_symcache;

struct rt_symcache *rt_symcache_new(void);
void rt_symcache_free(struct rt_symcache *cache);
const struct rt_symbol *rt_symcache_symbol(struct rt_symcache *cache, struct rt_object *obj,
					   uint64_t address);

#endif
