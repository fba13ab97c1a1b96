/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kallsyms.h - the text of /proc/kallsyms and of copies of it.
 */
#ifndef RT_BASE_KALLSYMS_H
#define RT_BASE_KALLSYMS_H

#include <stdbool.h>
#include <stdint.h>

struct rt_kallsym {
	uint64_t address;
	char type;	    /* as nm prints it */
	char *name;	    /* may be written to; valid during the call */
	const char *module; /* "[ext4]", or NULL */
};

/*
 * Call fn for each line; stops when it returns non-zero and returns that.  Lines
 * that are no symbols are passed over.  -errno when the file cannot be read.
 */
int rt_kallsyms_read(const char *path, int (*fn)(void *arg, struct rt_kallsym *sym), void *arg);

/* Address of a function (type T or W) by its exact name; -ENOENT. */
int rt_kallsyms_address(const char *path, const char *name, uint64_t *address);

/* STB_ of a type letter; and whether perf takes such symbols at all. */
uint8_t rt_kallsyms_binding(char type);
uint8_t rt_kallsyms_elf_type(char type);
bool rt_kallsyms_wanted(char type);

#endif
