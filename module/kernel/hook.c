// SPDX-License-Identifier: GPL-2.0
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/tracepoint.h>

#include "compat/tracepoint_find.h"
#include "hook.h"

#define RETRY_MS 10

struct tracepoint *rt_tracepoint_find(const char *name)
{
	return rt_compat_tracepoint_find(name);
}

int rt_hooks_register(struct rt_hook *hooks, int count)
{
	int i, err;

	for (i = 0; i < count; i++) {
		hooks[i].tracepoint = rt_tracepoint_find(hooks[i].name);
		err = -ENOENT;
		if (hooks[i].tracepoint)
			err = tracepoint_probe_register(hooks[i].tracepoint, hooks[i].function,
							NULL);
		if (err)
			goto err_unregister;
	}
	return 0;

err_unregister:
	rt_hooks_unregister(hooks, i);
	return err;
}

void rt_hooks_unregister(struct rt_hook *hooks, int count)
{
	int i;

	for (i = 0; i < count; i++)
		tracepoint_probe_unregister(hooks[i].tracepoint, hooks[i].function, NULL);
	tracepoint_synchronize_unregister();
}

int rt_kprobe_hook(struct kprobe *kp)
{
	int err;

	kp->flags |= KPROBE_FLAG_DISABLED;
	err = register_kprobe(kp);
	if (err)
		return err;
	rt_compat_kprobe_keep_copy(kp);
	err = enable_kprobe(kp);
	if (err)
		unregister_kprobe(kp);
	return err;
}

void rt_kprobe_disable(struct kprobe *kp)
{
	/* A probe whose module was unloaded returns -EINVAL: it is disabled already. */
	while (disable_kprobe(kp) == -ENOMEM)
		msleep(RETRY_MS);
}
