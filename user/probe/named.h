/* SPDX-License-Identifier: GPL-2.0 */
/* named.h - what GROUP:NAME and probe:DEFINITION after -e stand for. */
#ifndef RT_PROBE_NAMED_H
#define RT_PROBE_NAMED_H

#include "probe/sources.h"

/*
 * Translate a probe that `probe --add` keeps below HOST, or a definition after "probe:".  0; -ENOENT
 * if TEXT is neither, so that others may look at it; another negative errno with a sentence in ERR.
 */
int rt_probe_named(struct rt_probe_sources *s, const struct rt_host *host, const char *text,
		   struct rt_translation *out, struct rt_err *err);

#endif
