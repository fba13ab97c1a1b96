// SPDX-License-Identifier: GPL-2.0
#include "kprobe_register.h"

#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include "entry.h"
#include "event/leaf.h"
#include "kprobe_one.h"
#include "kprobe_check.h"
#include "kprobe_forbidden.h"
#include "kprobe_hit.h"

/* Registration changes the struct: initialise it each time. */
static void kprobe_describe(struct rt_kprobe *probe)
{
	u32 instances = probe->rp.maxactive;

	memset(&probe->rp, 0, sizeof(probe->rp));
	probe->rp.kp.flags = KPROBE_FLAG_DISABLED;
	probe->rp.kp.symbol_name = probe->name.text;
	if (probe->name.text)
		probe->rp.kp.offset = probe->address;
	else
		probe->rp.kp.addr = (void *)(unsigned long)probe->address;
	probe->rp.maxactive = instances;
	if (!rt_kprobe_is_return(probe->event)) {
		probe->rp.kp.pre_handler = rt_kprobe_hit;
		return;
	}
	probe->rp.data_size = rt_kprobe_saved(probe->event);
	probe->rp.entry_handler = rt_kretprobe_enters;
	probe->rp.handler = rt_kretprobe_hit;
}

int rt_kprobe_register(struct rt_kprobe *probe)
{
	bool returns = rt_kprobe_is_return(probe->event);
	int err;

	if (!rt_kprobe_is_safe(probe->name.text, probe->address))
		return -EINVAL;
	kprobe_describe(probe);
	err = returns ? register_kretprobe(&probe->rp) : register_kprobe(&probe->rp.kp);
	if (err)
		return err;
	/* It is still disabled. */
	rt_compat_kprobe_keep_copy(&probe->rp.kp);
	if (rt_compat_kprobe_hits_us((unsigned long)probe->rp.kp.addr)) {
		if (returns)
			unregister_kretprobe(&probe->rp);
		else
			unregister_kprobe(&probe->rp.kp);
		return -EINVAL;
	}
	probe->ip = (unsigned long)probe->rp.kp.addr;
	probe->entry = probe->name.text ? !probe->address : rt_kprobe_begins(probe->address);
	probe->linked = probe->entry || rt_leaf_at(probe->ip);
	probe->place = returns ? rt_entry_place_of_return(&probe->rp.kp) :
				 rt_entry_place(&probe->rp.kp, probe->entry);
	probe->registered = true;
	return 0;
}

bool rt_kprobe_defer(struct rt_kprobe *probe)
{
	unsigned long ip, place;

	/* The last one takes longest, so only function entries pay for it. */
	if (rt_kprobe_is_return(probe->event) || probe->name.text || !rt_entry_wanted() ||
	    !rt_kprobe_begins(probe->address) || !rt_kprobe_is_allowed(probe->address))
		return false;
	place = rt_entry_find(probe->address, &ip);
	if (!place)
		return false;
	probe->ip = ip;
	probe->entry = true;
	probe->linked = true;
	probe->place = place;
	probe->deferred = true;
	return true;
}
