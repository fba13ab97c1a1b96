/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel.h - the address space of one kernel: its text, its modules.
 *
 * perf's maps of the kernel change while symbols are loaded (vmlinux sections,
 * kallsyms split by module, relocation by KASLR).  All of that is inside; the
 * caller tells what the recording says and asks for addresses.
 *
 * Fill it first (text, reference symbol, modules, build-id), then look up: the
 * first look-up freezes the description and loads.  A module that comes later
 * (MMAP in the middle of a file) may still be added at any time; it hides what
 * was mapped there before from then on.
 */
#ifndef RT_SYMBOLS_KERNEL_H
#define RT_SYMBOLS_KERNEL_H

#include "symbols/object.h"

struct rt_kernel;

/*
 * A kernel to be described.  `name` is that of the MMAP record without the
 * reference symbol: "[kernel.kallsyms]" or "[guest.kernel.kallsyms]"; `machine`
 * is the EM_ of the recording (0: this machine's); `osrelease` that of the
 * header (NULL: this machine's), for the vmlinux search path.
 */
struct rt_kernel *rt_kernel_new(struct rt_symbols *syms, const char *name, uint16_t machine,
				const char *osrelease);

void rt_kernel_set_buildid(struct rt_kernel *k, const struct rt_buildid *id);

/*
 * The MMAP record of the kernel itself: filename "[kernel.kallsyms]_text" or
 * "..._stext", its start and length, and pgoff, which is the run-time address of
 * that reference symbol.  `end` 0: up to the first module.
 */
void rt_kernel_set_text(struct rt_kernel *k, const char *ref_symbol, uint64_t ref_address,
			uint64_t start, uint64_t end);

/*
 * The MMAP record of a module: filename is "[ext4]" or the path of its .ko.
 * BPF programs and out-of-line kernel symbols (PERF_RECORD_KSYMBOL) come by
 * rt_kernel_add_symbol().
 */
int rt_kernel_add_module(struct rt_kernel *k, const char *filename, uint64_t start, uint64_t end,
			 const struct rt_buildid *id);

/*
 * PERF_RECORD_KSYMBOL: an object of its own with one symbol.  `bpf`: of type BPF, not
 * out-of-line code; only these keep their map beside kcore's.
 */
int rt_kernel_add_symbol(struct rt_kernel *k, const char *name, uint64_t start, uint64_t len,
			 bool bpf);
void rt_kernel_del_symbol(struct rt_kernel *k, uint64_t start);

/* Describe the running kernel: /sys/kernel/notes, /proc/kallsyms, /proc/modules. */
int rt_kernel_describe_live(struct rt_kernel *k, struct rt_err *err);

struct rt_kernel_hit {
	struct rt_object *object;	/* NULL: no mapping holds the address */
	const struct rt_symbol *symbol; /* NULL: unknown; start/end in object addresses */
	uint64_t address;		/* ip as an object address: address - symbol->start is
					 * the offset perf prints */
};

/* What is at a kernel address. */
void rt_kernel_find(struct rt_kernel *k, uint64_t ip, struct rt_kernel_hit *hit);

/* Whether somebody is loading the symbols just now; whoever asks for one waits for that. */
bool rt_kernel_is_loading(const struct rt_kernel *k);

/* Changes whenever the mappings change: a key for caches of rt_kernel_find()'s answers. */
const void *rt_kernel_maps_key(const struct rt_kernel *k);

/* The same through a thread's cache. */
void rt_symcache_kernel(struct rt_symcache *cache, struct rt_kernel *k, uint64_t ip,
			struct rt_kernel_hit *hit);

/* Run-time address of a symbol ("do_sys_open", "ext4:ext4_map_blocks"); -ENOENT. */
int rt_kernel_symbol_address(struct rt_kernel *k, const char *name, uint64_t *address,
			     struct rt_err *err);

/* "/proc/kallsyms", the vmlinux... the file whose symbols are in use, or NULL. */
const char *rt_kernel_symbol_file(struct rt_kernel *k);

#endif
