/* SPDX-License-Identifier: GPL-2.0 */
/* probe.h - parse kprobe:, kretprobe:, uprobe:, uretprobe: and mem: as typed. */
#ifndef RT_EVENTS_PROBE_H
#define RT_EVENTS_PROBE_H

#include "events/scan.h"
#include "events/spec.h"

/* The maximum number of arguments of a probe. */
#define RT_PROBE_ARGS_MAX 128

/*
 * If the word before the first ':' of TEXT names a kind of probe, return its length and the kind.
 */
size_t rt_probe_prefix(const char *text, enum rt_event_kind *kind);

/* The cursor is behind the prefix, spec->kind is set. */
int rt_probe_parse(struct rt_scan *scan, const struct rt_event_env *env,
		   struct rt_event_spec *spec);

/*
 * Find the functions that a kernel probe names.  The list is empty if the module is not loaded yet
 * or the symbols are unknown; the kernel then looks the name up. *NOTE is a sentence for the user
 * or NULL; the caller frees it.  SCAN is used only for errors.
 * COPIES: clones and parts of the function have probes of their own, so that no sentence is needed.
 */
int rt_probe_find(const struct rt_scan *scan, const struct rt_event_env *env,
		  const struct rt_event_spec *spec, bool copies, struct rt_ksym_list *out,
		  char **note);
/* Set the address of SPEC to entry WHICH of LIST. */
int rt_probe_place(struct rt_event_spec *spec, const struct rt_ksym_list *list, size_t which);

/* Parse PATH:FUNCTION[+off] or PATH:0xOFFSET of a user probe, up to its values. */
int rt_uprobe_parse(struct rt_scan *scan, struct rt_event_spec *spec);
/* Find the places that a user probe names.  SCAN is used only for errors. */
int rt_uprobe_find(const struct rt_scan *scan, const struct rt_event_env *env,
		   const struct rt_event_spec *spec, struct rt_user_places *out);
/* Set the place of SPEC to entry WHICH. */
int rt_uprobe_place(struct rt_event_spec *spec, const struct rt_user_places *places, size_t which);
void rt_user_places_free(struct rt_user_places *places);

/* Parse mem:ADDR|SYMBOL[+off][@CPU][/LEN][:rwx]; the cursor is behind mem: */
int rt_watch_parse(struct rt_scan *scan, const struct rt_event_env *env,
		   struct rt_event_spec *spec);

#endif
