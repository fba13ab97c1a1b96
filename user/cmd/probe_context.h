/* SPDX-License-Identifier: GPL-2.0 */
/* probe_context.h - what the actions of `ringtail probe` look definitions up in. */
#ifndef RT_CMD_PROBE_CONTEXT_H
#define RT_CMD_PROBE_CONTEXT_H

#include "events/spec.h"
#include "probe/sources.h"
#include "symbols/elffile.h"

struct rt_probe_context {
	struct rt_event_env env;
	struct rt_probe_sources *sources;
	const char *module; /* of definitions that name none, or NULL */
	const char *kernel; /* the file of another kernel than the running one, or NULL */
	struct rt_elf elf;  /* that file */
	bool elf_open;
};

/* Look for source files below DIR alone, in what begins from now on; NULL: where they usually are. */
void rt_probe_context_source(const char *dir);

/* KERNEL: the file of another kernel than the running one, or NULL. */
int rt_probe_context_begin(struct rt_probe_context *c, const char *module, const char *kernel,
			   struct rt_err *err);
void rt_probe_context_end(struct rt_probe_context *c);

/* Translate a definition and parse the events that it stands for. */
int rt_probe_compile(struct rt_probe_context *c, const char *text,
		     struct rt_translation *translation, struct rt_event_list *events,
		     struct rt_err *err);

#endif
