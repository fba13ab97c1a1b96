// SPDX-License-Identifier: GPL-2.0
/*
 * 5.11: d741bf41d7c7 "kprobes: Remove kretprobe hash": an instance no longer points to its probe.
 * The replacement needs the older layout of struct kretprobe_instance.
 */
#include <linux/kprobes.h>

struct kretprobe *rt_probe(struct kretprobe_instance *instance);
struct kretprobe *rt_probe(struct kretprobe_instance *instance)
{
	return get_kretprobe(instance);
}
