/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ksyms.h - translates names of a kernel and its modules to addresses.
 *
 * A name has no, one or many addresses: static functions of different files share names, modules
 * reuse names of the kernel, and the compiler makes clones (f.isra.0, f.part.0, f.cold).  If there
 * are many, these functions return all of them and the caller chooses.
 */
#ifndef RT_HOST_KSYMS_H
#define RT_HOST_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nearest.h"
#include "host/host.h"
#include "host/kallsyms.h"

struct rt_ksym {
	uint64_t start, end;
	const char *name;
	const char *module; /* NULL: the kernel itself */
	char type;	    /* as nm prints it */
};

struct rt_ksym_list {
	const struct rt_ksym **list;
	size_t count;
};

struct rt_ksyms;

/* What a name can stand for: bits for rt_ksyms_find(). */
#define RT_KSYMS_TEXT (1U << 0)
#define RT_KSYMS_DATA (1U << 1)
#define RT_KSYMS_CLONES \
	(1U << 2) /* clones that callers enter like the function: .isra .constprop .llvm */
#define RT_KSYMS_PARTS (1U << 3) /* parts of it at other addresses: .part .cold */

/* The module name that stands for the kernel itself. */
#define RT_KSYMS_KERNEL "vmlinux"

/* Read /proc/kallsyms and /proc/modules; 0 or -errno. */
int rt_ksyms_open(struct rt_ksyms **out, const struct rt_host *host);
/* The symbols that READ finds in the file PATH: rt_kallsyms_read_elf() for another kernel's vmlinux. */
int rt_ksyms_open_from(struct rt_ksyms **out, const char *path, rt_kallsyms_reader *read);
void rt_ksyms_close(struct rt_ksyms *k);

/* Whether the kernel hides addresses: every address is 0. */
bool rt_ksyms_hidden(const struct rt_ksyms *k);
bool rt_ksyms_has_module(const struct rt_ksyms *k, const char *module);

/*
 * Find everything called NAME, sorted by address, each address once; MODULE NULL: search
 * everywhere.  Free the list with rt_ksym_list_free().  Returns 0 also if nothing was found;
 * -ENOMEM.
 */
int rt_ksyms_find(struct rt_ksyms *k, const char *module, const char *name, unsigned int what,
		  struct rt_ksym_list *out);
void rt_ksym_list_free(struct rt_ksym_list *list);

/* The symbol that contains this address, or NULL. */
const struct rt_ksym *rt_ksyms_at(struct rt_ksyms *k, uint64_t address);

/* The address range of a module's text; -ENOENT, or -EACCES if addresses are hidden. */
int rt_ksyms_module(struct rt_ksyms *k, const char *module, uint64_t *start, uint64_t *end);

/* Offer names of kind WHAT that are near NAME; the second function offers modules. */
void rt_ksyms_nearest(struct rt_ksyms *k, const char *module, const char *name, unsigned int what,
		      struct rt_nearest *out);
void rt_ksyms_nearest_module(const struct rt_ksyms *k, const char *module, struct rt_nearest *out);

/* What NAME is to the function OF: RT_KSYMS_CLONES, RT_KSYMS_PARTS, or 0. */
unsigned int rt_ksyms_clone(const char *name, const char *of);

#endif
