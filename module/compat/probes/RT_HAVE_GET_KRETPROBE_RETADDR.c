// SPDX-License-Identifier: GPL-2.0
/*
 * 5.18: 73f9b911faa7 "kprobes: Use rethook for kretprobe if possible".
 * The replacement needs the older layout of struct kretprobe_instance.
 */
#include <linux/kprobes.h>

unsigned long rt_probe(struct kretprobe_instance *instance);
unsigned long rt_probe(struct kretprobe_instance *instance)
{
	return get_kretprobe_retaddr(instance);
}
