/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kept.h - memory that the next boot leaves alone: the range of the module parameter "recover".
 *
 * The range has two halves, which the boots use in turn.  So what the boot before left stays where it is until a flight of the
 * next one begins, loading copies nothing, and nothing is lost if the machine fails while the module loads.
 * docs/flight.md describes it for users, struct rt_kept_head the beginning of a half.
 */
#ifndef RT_KEPT_H
#define RT_KEPT_H

#include <linux/types.h>

#include <uapi/ringtail.h>

/* Find and map the range, if there is one.  -EINVAL: the parameter cannot be read. */
int rt_kept_init(void);
void rt_kept_exit(void);

/* Before the first rt_kept_alloc(): make this boot's half a new one.  -ENODEV: there is no range. */
int rt_kept_begin(void);
/* Bytes of this boot's half that are free. */
u64 rt_kept_room(void);

/* Zeroed memory, aligned to its size, which is rounded up to a power of two; or NULL.  May sleep. */
void *rt_kept_alloc(u32 bytes);

/* The same for memory of the range and for pages of the kernel. */
void rt_block_free(void *block, u32 bytes);
u64 rt_block_phys(const void *block);
void *rt_block_virt(u64 phys);

/* Describe a half, and copy from it if it is an earlier boot's; RT_IOC_KEPT. */
int rt_kept_tell(struct rt_kept *kept, struct rt_refusal *refusal);

#endif
