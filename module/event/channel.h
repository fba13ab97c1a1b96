/* SPDX-License-Identifier: GPL-2.0 */
/*
 * channel.h - what a hit needs of its session: the gate, the targets, and for each CPU the rings and
 * the scratch memory.  Handlers see this and nothing else of a session.
 */
#ifndef RT_CHANNEL_H
#define RT_CHANNEL_H

#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "target.h"

struct pid_namespace;
struct rt_ring;

/* Set once, before the CPU's first hit; NULL: the CPU has none. */
struct rt_channel_cpu {
	struct rt_ring *ring;
	struct rt_ring *side_ring;
	unsigned long *scratch; /* room for one stack for each level */
};

struct rt_channel {
	u32 gate;		    /* not 0: hits become records */
	struct pid_namespace *pids; /* records have task ids of this one; NULL: the initial one */
	struct rt_channel_cpu __percpu *cpu;
	struct rt_targets targets; /* kilobytes where a kernel is built for many CPUs */
	struct list_head link;	   /* among all channels, see rt_channels_own() */
};

/* A channel without rings; 0 or -ENOMEM. */
int rt_channel_init(struct rt_channel *channel);
void rt_channel_free(struct rt_channel *channel);

/* The channel has rings from now on, or has none any more.  May sleep. */
void rt_channel_list(struct rt_channel *channel);
void rt_channel_delist(struct rt_channel *channel);

/* Whether handlers of any listed channel write to [FROM, TO): rings and scratch.  May sleep. */
bool rt_channels_own(u64 from, u64 to);

#endif
