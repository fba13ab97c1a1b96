/* SPDX-License-Identifier: GPL-2.0 */
/* translate.h - turn a definition with names into events in the syntax of -e. */
#ifndef RT_PROBE_TRANSLATE_H
#define RT_PROBE_TRANSLATE_H

#include "probe/definition.h"
#include "probe/sources.h"

/*
 * Append to OUT what TEXT, a definition without "probe:", stands for; free with
 * rt_translation_free().  0 or a negative errno with a sentence in ERR.
 */
int rt_probe_translate(struct rt_probe_sources *s, const char *text, struct rt_translation *out,
		       struct rt_err *err);

/*
 * The same for another kernel than the running one: also refuse a function that it does not describe.
 */
int rt_probe_check(struct rt_probe_sources *s, const char *text, struct rt_translation *out,
		   struct rt_err *err);

#endif
