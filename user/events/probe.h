/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe.h - kprobe:, kretprobe:, uprobe:, uretprobe: and mem: as typed.
 */
#ifndef RT_EVENTS_PROBE_H
#define RT_EVENTS_PROBE_H

#include "events/scan.h"
#include "events/spec.h"

/* Arguments a probe may have. */
#define RT_PROBE_ARGS_MAX 128

/* Whether the word before the first ':' of TEXT names a kind of probe; its length, and the kind. */
size_t rt_probe_prefix(const char *text, enum rt_event_kind *kind);

/* The cursor is behind the prefix, spec->kind is set. */
int rt_probe_parse(struct rt_scan *scan, const struct rt_event_env *env,
		   struct rt_event_spec *spec);
/* mem:ADDR|SYMBOL[+off][/LEN][:rwx], cursor behind mem: */
int rt_watch_parse(struct rt_scan *scan, const struct rt_event_env *env,
		   struct rt_event_spec *spec);

#endif
