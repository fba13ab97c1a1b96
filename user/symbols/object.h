/* SPDX-License-Identifier: GPL-2.0 */
/*
 * object.h - one file or pseudo-file that holds user code, and its symbols.
 *
 * Addresses here are what perf calls map addresses: for a mapping that starts
 * at `start` from file offset `pgoff`, address = ip - start + pgoff, that is the
 * offset in the file; for a JIT map (/tmp/perf-PID.map) and for anonymous
 * memory it is the ip itself.  rt_object_address() does the sum.  Kernel
 * addresses go through kernel.h instead.
 */
#ifndef RT_SYMBOLS_OBJECT_H
#define RT_SYMBOLS_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/symbols.h"

enum rt_object_kind {
	RT_OBJECT_USER,	  /* an ELF file by path */
	RT_OBJECT_VDSO,	  /* [vdso], [vdso32], [vdsox32] */
	RT_OBJECT_JIT,	  /* anonymous code of a process, named by /tmp/perf-PID.map */
	RT_OBJECT_NONE,	  /* [heap], [stack], [uprobes]...: has a name, never symbols */
	RT_OBJECT_KERNEL, /* owned by a struct rt_kernel */
	RT_OBJECT_MODULE, /* likewise */
};

struct rt_object;

/* A symbol as perf would name it; lives as long as the context. */
struct rt_symbol {
	uint64_t start, end;
	const char *name;
	uint8_t binding; /* STB_* */
	uint8_t type;	 /* STT_* */
};

/* What an MMAP/MMAP2 record says of what is mapped. */
struct rt_object_key {
	const char *filename;
	int pid;      /* names /tmp/perf-PID.map, where a JIT lists its functions */
	bool exec;    /* PROT_EXEC (MMAP records: not PERF_RECORD_MISC_MMAP_DATA) */
	bool hugetlb; /* MAP_HUGETLB: anonymous whatever the name */
	const struct rt_buildid *buildid; /* of the record or the header; may be NULL */
	uint64_t file; /* tells files of one name and build-id apart, where that is wanted */
};

/*
 * The object of a user mapping, one for each distinct (name, build-id, file), of the
 * kind perf would take it for.  Never fails: without memory it returns the
 * context's nameless object.
 */
struct rt_object *rt_object_get(struct rt_symbols *syms, const struct rt_object_key *key);

/* The same with the kind settled by the caller (rt_object_get guesses as perf does). */
struct rt_object *rt_object_get_kind(struct rt_symbols *syms, enum rt_object_kind kind,
				     const char *path, const struct rt_buildid *buildid);

/* What perf prints in parentheses after a symbol. */
const char *rt_object_name(const struct rt_object *obj);
enum rt_object_kind rt_object_kind(const struct rt_object *obj);

/* The build-id given, else that of the file; len 0 when neither has one. */
struct rt_buildid rt_object_buildid(struct rt_object *obj);

/*
 * A number from 0 up, dense over the context: index for side tables.  The
 * total so far: rt_object_count().
 */
unsigned int rt_object_index(const struct rt_object *obj);
unsigned int rt_object_count(const struct rt_symbols *syms);

/* ip of a mapping -> address in the object, as perf's map_ip; and back. */
uint64_t rt_object_address(const struct rt_object *obj, uint64_t ip, uint64_t start,
			   uint64_t pgoff);
uint64_t rt_object_ip(const struct rt_object *obj, uint64_t address, uint64_t start,
		      uint64_t pgoff);

/* The symbol that holds `address`, or NULL.  The first call loads the object. */
const struct rt_symbol *rt_object_symbol(struct rt_object *obj, uint64_t address);

/* The symbol of that name, or NULL (probes, --symbol filters). */
const struct rt_symbol *rt_object_symbol_by_name(struct rt_object *obj, const char *name);

/* All symbols in address order; stops when fn returns non-zero and returns it. */
int rt_object_each_symbol(struct rt_object *obj, int (*fn)(void *arg, const struct rt_symbol *sym),
			  void *arg);

/* The file the symbols came from, or NULL: for -v and annotate. */
const char *rt_object_symbol_file(struct rt_object *obj);

/*
 * The file with the code itself (bytes at file offsets), found through symfs,
 * the path, or the build-id cache; NULL when there is none.
 */
const char *rt_object_code_file(struct rt_object *obj);

/* Address in the object (a file offset) <-> virtual address in its ELF file. */
int rt_object_to_vaddr(struct rt_object *obj, uint64_t address, uint64_t *vaddr);
int rt_object_from_vaddr(struct rt_object *obj, uint64_t vaddr, uint64_t *address);

/* ---- per-thread cache ---------------------------------------------------- */

/*
 * Remembers what an address resolved to, so that the second look-up of an
 * address costs one probe of a small table.  One thread each.
 */
struct rt_symcache;

struct rt_symcache *rt_symcache_new(void);
void rt_symcache_free(struct rt_symcache *cache);
const struct rt_symbol *rt_symcache_symbol(struct rt_symcache *cache, struct rt_object *obj,
					   uint64_t address);

#endif
