/* SPDX-License-Identifier: GPL-2.0 */
/* kallsyms.h - parse /proc/kallsyms and copies of it. */
#ifndef RT_HOST_KALLSYMS_H
#define RT_HOST_KALLSYMS_H

#include <stdbool.h>
#include <stdint.h>

#define RT_HOST_KALLSYMS "/proc/kallsyms"

struct rt_kallsym {
	uint64_t address;
	char type;	    /* as nm prints it */
	char *name;	    /* writable; valid during the call */
	const char *module; /* "[ext4]", or NULL */
};

/*
 * Call fn for each line; stop when it returns non-zero and return that.  Lines that are not symbols
 * are skipped. -errno if the file cannot be read.
 */
int rt_kallsyms_read(const char *path, int (*fn)(void *arg, struct rt_kallsym *sym), void *arg);

/* The same for the symbols of a vmlinux, by libelf; -ENOENT if it has none. */
int rt_kallsyms_read_elf(const char *path, int (*fn)(void *arg, struct rt_kallsym *sym), void *arg);

/* Both are such a function. */
typedef int rt_kallsyms_reader(const char *path, int (*fn)(void *arg, struct rt_kallsym *sym),
			       void *arg);

/* Find the address of a function (type T or W) by its exact name; -ENOENT. */
int rt_kallsyms_address(const char *path, const char *name, uint64_t *address);

/* The STB_ value of a type letter; and whether perf uses such symbols at all. */
uint8_t rt_kallsyms_binding(char type);
uint8_t rt_kallsyms_elf_type(char type);
bool rt_kallsyms_wanted(char type);

/*
 * The same for a per-CPU variable of a kernel that links them at 0 (x86 before 6.15) and lists them as
 * absolute numbers.
 */
int rt_kallsyms_per_cpu(const char *path, const char *name, uint64_t *address);

#endif
