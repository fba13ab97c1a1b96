/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kprobe_batch.h - unregister many probes at once: the kernel then waits for one grace period instead
 * of one for each.
 */
#ifndef RT_KPROBE_BATCH_H
#define RT_KPROBE_BATCH_H

struct kprobe;
struct kretprobe;
struct rt_kprobe_batch;

/* Without memory it returns NULL, and the functions below accept that: closing must not fail. */
struct rt_kprobe_batch *rt_kprobe_batch_new(void);
/* Unregister now or later; rt_kprobe_batch_end() unregisters the rest. */
void rt_kprobe_batch_put(struct rt_kprobe_batch *batch, struct kprobe *kp);
void rt_kretprobe_batch_put(struct rt_kprobe_batch *batch, struct kretprobe *rp);
void rt_kprobe_batch_end(struct rt_kprobe_batch *batch);

#endif
