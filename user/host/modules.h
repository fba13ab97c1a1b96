/* SPDX-License-Identifier: GPL-2.0 */
/* modules.h - the loaded modules: where each is in memory, and its file. */
#ifndef RT_HOST_MODULES_H
#define RT_HOST_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/host.h"

struct rt_host_module {
	char name[64];
	uint64_t start, size; /* start is 0 if the kernel hides addresses */
	bool live;	      /* neither being loaded nor unloaded */
};

struct rt_host_modules {
	struct rt_host_module *list; /* in the order of /proc/modules: newest first */
	size_t count;
};

/* Read /proc/modules; a kernel without modules has none.  0 or -ENOMEM. */
int rt_host_modules_read(const struct rt_host *host, struct rt_host_modules *out);
void rt_host_modules_free(struct rt_host_modules *modules);

/* Whether the file PATH (its first LEN bytes) holds MODULE: x-y.ko.xz holds x_y. */
bool rt_host_module_is_file(const char *path, size_t len, const char *module);

/* Read modules.dep; the caller frees the text.  NULL if there is none. */
char *rt_host_modules_dep(const struct rt_host *host);
/* Find the file of MODULE in modules.dep, its length in LEN; NULL if it is not listed. */
const char *rt_host_modules_dep_find(const char *dep, const char *module, size_t *len);

/* Find the address of a section of a loaded module; 0 or a negative errno. */
int rt_host_module_section(const struct rt_host *host, const char *module, const char *section,
			   uint64_t *address);

#endif
