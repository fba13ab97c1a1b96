// SPDX-License-Identifier: GPL-2.0
/*
 * context.c - the context in which a tracepoint fired: every record begins with its type, the
 * context flags, and the preemption depth.
 */
#include <string.h>

#include "script/print/script.h"

#define FLAGS_AT   2
#define PREEMPT_AT 3
#define IN_HARDIRQ 0x08
#define IN_SOFTIRQ 0x10
#define IN_NMI	   0x40

/* From 5.14 on, the kernel stores the migration-disable depth in the upper half. */
#define KERNELS_DEPTH 0x0f

static unsigned int byte_at(const struct rt_sample *s, unsigned int at)
{
	return s->raw.data && s->raw.size > at ? ((const uint8_t *)s->raw.data)[at] : 0;
}

const char *rt_context_name(const struct rt_sample *s)
{
	unsigned int flags = byte_at(s, FLAGS_AT);

	if (flags & IN_NMI)
		return "nmi";
	if (flags & IN_HARDIRQ)
		return "hardirq";
	return flags & IN_SOFTIRQ ? "softirq" : "task";
}

unsigned int rt_context_preempt(const struct rt_script *script, const struct rt_sample *s)
{
	static const char ours[] = "ringtail ";
	const char *version = rt_reader_env(script->reader)->version;
	unsigned int depth = byte_at(s, PREEMPT_AT);

	if (version && !strncmp(version, ours, sizeof(ours) - 1))
		return depth;
	return depth & KERNELS_DEPTH;
}
