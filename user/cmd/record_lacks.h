/* SPDX-License-Identifier: GPL-2.0 */
/* record_lacks.h - options of "perf record" that "ringtail record" does not have. */
#ifndef RT_CMD_RECORD_LACKS_H
#define RT_CMD_RECORD_LACKS_H

#include "cli/options.h"
#include "events/spec.h"

/* All of them, and why ringtail lacks each. */
const struct rt_perf_lacks *rt_record_lacks(struct rt_event_env *env);

#endif
