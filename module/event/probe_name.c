// SPDX-License-Identifier: GPL-2.0
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "probe_name.h"

static int name_refuse(struct rt_probe_name *name, int err, struct rt_refusal *refusal)
{
	rt_probe_name_free(name);
	if (err == -EINVAL) {
		refusal->reason = RT_REFUSED_NAME;
		refusal->field = offsetof(struct rt_event_add, name);
	}
	return err;
}

int rt_probe_name_take(struct rt_probe_name *name, const struct rt_event_add *add,
		       struct rt_refusal *refusal)
{
	const char *colon;
	char *text;

	memset(name, 0, sizeof(*name));
	if (!add->name)
		return 0;
	text = strndup_user(u64_to_user_ptr(add->name), RT_EVENT_NAME_MAX);
	if (IS_ERR(text))
		return name_refuse(name, PTR_ERR(text), refusal);
	name->text = text;
	colon = strchr(text, ':');
	name->base = colon ? colon + 1 : text;
	if (!*name->base || colon == text)
		return name_refuse(name, -EINVAL, refusal);
	if (!colon)
		return 0;
	name->prefix = kstrndup(text, colon - text, GFP_KERNEL_ACCOUNT);
	return name->prefix ? 0 : name_refuse(name, -ENOMEM, refusal);
}

void rt_probe_name_free(struct rt_probe_name *name)
{
	kfree(name->prefix);
	kfree(name->text);
	memset(name, 0, sizeof(*name));
}
