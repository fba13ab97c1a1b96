/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_KPROBE_H
#define RT_KPROBE_H

extern const struct rt_source rt_kprobe_source;
extern const struct rt_source rt_kretprobe_source;

/* Start and stop listening to modules that are loaded and unloaded. */
int rt_kprobe_init(void);
void rt_kprobe_exit(void);

#endif
