// SPDX-License-Identifier: GPL-2.0
/* d741bf41d7c7 "kprobes: Remove kretprobe hash", 5.11: the instance no longer names its probe; the replacement needs the older layout. */
#include <linux/kprobes.h>

struct kretprobe *rt_probe(struct kretprobe_instance *instance);
struct kretprobe *rt_probe(struct kretprobe_instance *instance)
{
	return get_kretprobe(instance);
}
