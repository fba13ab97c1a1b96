/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kprobe_batch.h - probes unregistered many at once: the kernel then waits for one grace
 * period instead of one for each.
 */
#ifndef RT_KPROBE_BATCH_H
#define RT_KPROBE_BATCH_H

struct kprobe;
struct kretprobe;
struct rt_kprobe_batch;

/* NULL, without memory, serves as well: closing must not fail. */
struct rt_kprobe_batch *rt_kprobe_batch_new(void);
/* Unregistered now or later; all of them at the end. */
void rt_kprobe_batch_put(struct rt_kprobe_batch *batch, struct kprobe *kp);
void rt_kretprobe_batch_put(struct rt_kprobe_batch *batch, struct kretprobe *rp);
void rt_kprobe_batch_end(struct rt_kprobe_batch *batch);

#endif
