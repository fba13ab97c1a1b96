// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>

#include <uapi/ringtail.h>

#include "rings.h"

/* Rings of the default size take at most 1 / DEFAULT_SHARE of memory, all together. */
#define DEFAULT_SHARE 64

#define blame(refusal, why, member, what)                             \
	do {                                                          \
		(refusal)->reason = (why);                            \
		(refusal)->field = offsetof(struct rt_rings, member); \
		(refusal)->detail = (what);                           \
	} while (0)

static u64 memory_bytes(void)
{
	return (u64)totalram_pages() << PAGE_SHIFT;
}

static u32 default_subbufs(u32 subbuf_bytes)
{
	u64 sum = min_t(u64, RT_RINGS_DEFAULT_SUM, memory_bytes() / DEFAULT_SHARE);
	u64 bytes = min_t(u64, RT_RING_DEFAULT, div_u64(sum, num_online_cpus()));

	return max_t(u32, RT_SUBBUFS_MIN,
		     rounddown_pow_of_two(max_t(u32, 1, div_u64(bytes, subbuf_bytes))));
}

static bool out_of(u32 value, u32 least, u32 most)
{
	return value < least || value > most || !is_power_of_2(value);
}

int rt_rings_choose(struct rt_rings *rings)
{
	u32 least = max_t(u32, RT_SUBBUF_BYTES_MIN, PAGE_SIZE);

	if (!rings->subbuf_bytes)
		rings->subbuf_bytes = max(least, RT_SUBBUF_DEFAULT);
	if (out_of(rings->subbuf_bytes, least, RT_SUBBUF_BYTES_MAX)) {
		blame(&rings->refusal, RT_REFUSED_RING_SIZE, subbuf_bytes,
		      clamp(rings->subbuf_bytes, least, RT_SUBBUF_BYTES_MAX));
		return -EINVAL;
	}
	if (!rings->subbufs)
		rings->subbufs = default_subbufs(rings->subbuf_bytes);
	if (out_of(rings->subbufs, RT_SUBBUFS_MIN, RT_SUBBUFS_MAX)) {
		blame(&rings->refusal, RT_REFUSED_RING_SIZE, subbufs,
		      clamp(rings->subbufs, RT_SUBBUFS_MIN, RT_SUBBUFS_MAX));
		return -EINVAL;
	}
	/* In overwrite mode the reader reads when it wants to, not when the ring is full. */
	if (!rings->watermark && rings->mode == RT_MODE_DISCARD)
		rings->watermark = min(RT_WATERMARK_DEFAULT, rings->subbufs / 2);
	if (rings->watermark > rings->subbufs) {
		blame(&rings->refusal, RT_REFUSED_RING_SIZE, watermark, rings->subbufs);
		return -EINVAL;
	}
	/* The sub-buffer being written is never ready, so at most subbufs - 1 are. */
	rings->watermark = min(rings->watermark, rings->subbufs - 1);
	if (rings->mode > RT_MODE_OVERWRITE) {
		blame(&rings->refusal, RT_REFUSED_FLAGS, mode, RT_MODE_OVERWRITE);
		return -EINVAL;
	}
	if (rings->flags & ~RT_RINGS_FLAGS) {
		blame(&rings->refusal, RT_REFUSED_FLAGS, flags, RT_RINGS_FLAGS);
		return -EINVAL;
	}
	return 0;
}
