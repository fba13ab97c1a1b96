/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel.h - the address space of one kernel: its text, its modules.
 *
 * perf's maps of the kernel change while symbols are loaded (vmlinux sections, kallsyms split by
 * module, relocation by KASLR).  This code hides all of that; the caller passes what the recording
 * says and looks up addresses.
 *
 * First fill it (text, reference symbol, modules, build-id), then look up: the first lookup freezes
 * the description and loads the symbols.  A module that comes later (MMAP in the middle of a file)
 * may still be added at any time; from then on it hides what was mapped there before.
 *
 * This folder: the symbols of a kernel and its modules from kallsyms, kcore or vmlinux, and
 * look-ups across kernel and user code.  May use: base, host, symbols.
 */
#ifndef RT_SYMBOLS_KERNEL_KERNEL_H
#define RT_SYMBOLS_KERNEL_KERNEL_H

#include "symbols/object.h"

struct rt_kernel;

/*
 * Create a kernel to be described.  `name` is that of the MMAP record without the reference symbol:
 * "[kernel.kallsyms]" or "[guest.kernel.kallsyms]"; `machine` is the EM_ of the recording (0: this
 * machine's); `osrelease` is that of the header (NULL: this machine's), for the vmlinux search
 * path.
 */
struct rt_kernel *rt_kernel_new(struct rt_symbols *syms, const char *name, uint16_t machine,
				const char *osrelease);

void rt_kernel_set_buildid(struct rt_kernel *k, const struct rt_buildid *id);

/*
 * Apply the MMAP record of the kernel itself: filename "[kernel.kallsyms]_text" or "..._stext", its
 * start and length, and pgoff, which is the run-time address of that reference symbol.  `end` 0: up
 * to the first module.
 */
void rt_kernel_set_text(struct rt_kernel *k, const char *ref_symbol, uint64_t ref_address,
			uint64_t start, uint64_t end);

/*
 * Apply the MMAP record of a module: filename is "[ext4]" or the path of its .ko.  For BPF programs
 * and out-of-line kernel symbols (PERF_RECORD_KSYMBOL) use rt_kernel_add_symbol().
 */
int rt_kernel_add_module(struct rt_kernel *k, const char *filename, uint64_t start, uint64_t end,
			 const struct rt_buildid *id);

/*
 * PERF_RECORD_KSYMBOL: add an object with one symbol.  `bpf`: of type BPF, not out-of-line code;
 * only these keep their map beside kcore's.
 */
int rt_kernel_add_symbol(struct rt_kernel *k, const char *name, uint64_t start, uint64_t len,
			 bool bpf);
void rt_kernel_del_symbol(struct rt_kernel *k, uint64_t start);

struct rt_kernel_hit {
	struct rt_object *object;	/* NULL: no mapping contains the address */
	const struct rt_symbol *symbol; /* NULL: unknown; start/end in object addresses */
	uint64_t address;		/* ip as an object address: address - symbol->start is
					 * the offset perf prints */
};

/* Look up a kernel address. */
void rt_kernel_find(struct rt_kernel *k, uint64_t ip, struct rt_kernel_hit *hit);

/* Whether a thread is loading the symbols now; every lookup waits for that. */
bool rt_kernel_is_loading(const struct rt_kernel *k);

/* Changes whenever the mappings change: a key for caches of rt_kernel_find()'s results. */
const void *rt_kernel_maps_key(const struct rt_kernel *k);

/* The same through a thread's cache. */
void rt_symcache_kernel(struct rt_symcache *cache, struct rt_kernel *k, uint64_t ip,
			struct rt_kernel_hit *hit);

/* The run-time address of a symbol ("do_sys_open", "ext4:ext4_map_blocks"); -ENOENT. */
int rt_kernel_symbol_address(struct rt_kernel *k, const char *name, uint64_t *address,
			     struct rt_err *err);

#endif
