/* SPDX-License-Identifier: GPL-2.0 */
/*
 * store.h - the definitions that `probe --add` keeps, in /run/ringtail/probes.
 *
 * Only root reads and writes them.  One writer at a time holds a lock; a reader sees the file as it was
 * before or after a change.  Nothing here touches the kernel: a definition is text until a recording
 * begins.
 */
#ifndef RT_PROBE_STORE_H
#define RT_PROBE_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "host/host.h"

struct rt_stored {
	char *group, *name;
	char *boot;	/* the boot id when it was added */
	char *module;	/* "vmlinux": the kernel itself */
	char *build_id; /* of that module; "-": unknown */
	char *definition;
};

struct rt_store {
	const struct rt_host *host;
	int lock; /* -1: opened for reading */
	struct rt_stored *list;
	size_t count;
};

/* A store that does not exist is empty. */
int rt_store_open(struct rt_store *store, const struct rt_host *host, bool write,
		  struct rt_err *err);
/* Forget changes that were not saved. */
void rt_store_close(struct rt_store *store);
int rt_store_save(const struct rt_store *store, struct rt_err *err);

/* The definition called GROUP:NAME, or NULL. */
const struct rt_stored *rt_store_find(const struct rt_store *store, const char *name);

/*
 * NAME, or NAME_1, NAME_2 … if another definition of GROUP has it, as a list of events names its probes;
 * the caller frees it.  NULL: no memory.
 */
char *rt_store_free_name(const struct rt_store *store, const char *group, const char *name,
			 const char *definition);

/* Add a definition of a function of MODULE (NULL: the kernel); -EEXIST if the name is taken. */
int rt_store_add(struct rt_store *store, const char *group, const char *name, const char *module,
		 const char *definition, struct rt_err *err);
void rt_store_remove(struct rt_store *store, size_t index);

/* Whether the definition was made for another boot or another build of its module; WHY says it. */
bool rt_stored_stale(const struct rt_stored *stored, const struct rt_host *host,
		     struct rt_err *why);

#endif
