/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_AGENT_REFUSAL_H
#define RT_AGENT_REFUSAL_H

#include "ringtail.h"

/* Why the module refused and what to do, as a sentence; in a static buffer. */
const char *rt_refusal_text(const struct rt_refusal *refusal, int code);

#endif
