/* SPDX-License-Identifier: GPL-2.0 */
/* machine.h - every event of this machine, as `-e` takes it. */
#ifndef RT_EVENTS_MACHINE_H
#define RT_EVENTS_MACHINE_H

#include "events/spec.h"

enum rt_machine_kind {
	RT_MACHINE_HW,
	RT_MACHINE_SW,
	RT_MACHINE_CACHE,
	RT_MACHINE_PMU,
	RT_MACHINE_TRACEPOINT,
	RT_MACHINE_PROBE, /* defined by the user in tracefs */
	RT_MACHINE_MEM,
	RT_MACHINE_KINDS,
};

struct rt_machine_event {
	enum rt_machine_kind kind;
	const char *name;
	const char *alias;	    /* NULL: none */
	const char *system, *event; /* of a tracepoint or probe */
	const char *detail;	    /* what the kernel says about it: terms, definition; or NULL */
	const char *never;	    /* why record does not take it; NULL: it does */
	bool form;		    /* no event, but how events of this kind are written */
};

/* "hw", "tracepoint"… */
const char *rt_machine_kind_name(enum rt_machine_kind kind);
/* Also understands the words of perf list; -ENOENT if it is none. */
int rt_machine_kind_find(const char *word, enum rt_machine_kind *kind);

/*
 * Call each() for every event, kind by kind, until it returns non-zero; KINDS are bits 1 << kind.
 * That value, or a negative errno if tracefs cannot be read.
 */
int rt_machine_each(const struct rt_event_env *env, unsigned int kinds,
		    int (*each)(void *arg, const struct rt_machine_event *event), void *arg,
		    struct rt_err *err);

#endif
