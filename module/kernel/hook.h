/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hook.h - tracepoints and kprobes that ringtail itself listens to, and finding tracepoints by name.
 */
#ifndef RT_KERNEL_HOOK_H
#define RT_KERNEL_HOOK_H

#include <linux/build_bug.h>

struct kprobe;
struct tracepoint;

/* A tracepoint of the kernel itself, or NULL. */
struct tracepoint *rt_tracepoint_find(const char *name);

/* A tracepoint that one of our own functions listens to. */
struct rt_hook {
	const char *name;
	void *function; /* takes NULL, then what the tracepoint passes */
	struct tracepoint *tracepoint;
};

/*
 * For a tracepoint whose header is included.  FUNCTION must take exactly what the tracepoint
 * passes: a kernel that checks indirect calls (CFI) requires it.
 */
#define RT_HOOK(tracepoint_name, hook)                                                    \
	{                                                                                 \
		.name = #tracepoint_name,                                                 \
		.function = (void *)(hook) +                                              \
			    BUILD_BUG_ON_ZERO(!__builtin_types_compatible_p(              \
				    typeof(&check_trace_callback_type_##tracepoint_name), \
				    void (*)(typeof(&hook)))),                            \
	}

/* All or none. */
int rt_hooks_register(struct rt_hook *hooks, int count);
void rt_hooks_unregister(struct rt_hook *hooks, int count);

/*
 * Register a kprobe disabled, then enable it.  3.10 and 3.18 disarm a probe that is not marked as
 * disabled even if kprobes are switched off and it was never armed; then they miscount their probes through
 * ftrace, and those of everybody remain silent.  May sleep.
 */
int rt_kprobe_hook(struct kprobe *kp);

/*
 * Disable a kprobe and retry until it succeeds.  If the probe uses ftrace, the
 * kernel needs memory to remove it; a probe that stays armed would be called after it is freed.
 * May sleep.
 */
void rt_kprobe_disable(struct kprobe *kp);

#endif
