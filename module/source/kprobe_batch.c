// SPDX-License-Identifier: GPL-2.0
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "kprobe_batch.h"

/* The kernel unregisters this many per grace period, and holds its lock that long. */
#define BATCH 1024

struct rt_kprobe_batch {
	struct kretprobe *rp[BATCH];
	struct kprobe *kp[BATCH];
	int rps, kps;
};

struct rt_kprobe_batch *rt_kprobe_batch_new(void)
{
	return kvzalloc(sizeof(struct rt_kprobe_batch), GFP_KERNEL);
}

static void batch_flush(struct rt_kprobe_batch *batch)
{
	if (batch->kps)
		unregister_kprobes(batch->kp, batch->kps);
	if (batch->rps)
		unregister_kretprobes(batch->rp, batch->rps);
	batch->kps = 0;
	batch->rps = 0;
	cond_resched();
}

void rt_kprobe_batch_put(struct rt_kprobe_batch *batch, struct kprobe *kp)
{
	if (!batch) {
		unregister_kprobe(kp);
		return;
	}
	batch->kp[batch->kps++] = kp;
	if (batch->kps == BATCH)
		batch_flush(batch);
}

void rt_kretprobe_batch_put(struct rt_kprobe_batch *batch, struct kretprobe *rp)
{
	if (!batch) {
		unregister_kretprobe(rp);
		return;
	}
	batch->rp[batch->rps++] = rp;
	if (batch->rps == BATCH)
		batch_flush(batch);
}

void rt_kprobe_batch_end(struct rt_kprobe_batch *batch)
{
	if (batch)
		batch_flush(batch);
	kvfree(batch);
}
