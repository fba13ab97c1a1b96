/* SPDX-License-Identifier: GPL-2.0 */
/*
 * uprobe.h - user probes in the three forms that kernels have: known by inode and offset; the same
 * with a semaphore; and a struct uprobe whose unregistering does not wait.
 */
#ifndef RT_COMPAT_UPROBE_H
#define RT_COMPAT_UPROBE_H

#include <linux/err.h>
#include <linux/uprobes.h>

/* More arguments of handlers, and of filters before the last one. */
#ifdef RT_HAVE_UPROBE_HANDLER_DATA
#define RT_COMPAT_UPROBE_DATA , __u64 *data
#else
#define RT_COMPAT_UPROBE_DATA
#endif

#ifdef RT_HAVE_UPROBE_FILTER_MM
#define RT_COMPAT_UPROBE_CONTEXT
#else
#define RT_COMPAT_UPROBE_CONTEXT enum uprobe_filter_ctx context,
#endif

#if defined(RT_HAVE_UPROBE_POINTER) || defined(RT_HAVE_UPROBE_REGISTER_REFCTR)
#define RT_COMPAT_UPROBE_SEMAPHORES true
#else
#define RT_COMPAT_UPROBE_SEMAPHORES false
#endif

/*
 * Whether the kernel can read the instruction of a probe in this file.  Before 3.17 it cannot in files on
 * tmpfs: it accepts the probe, and no program that is started later hits it.
 */
#ifdef RT_HAVE_UPROBE_IXOL
#define RT_COMPAT_UPROBE_SHMEM	      true
#define rt_compat_uprobe_reads(inode) true
#else
#define RT_COMPAT_UPROBE_SHMEM	      false
#define rt_compat_uprobe_reads(inode) ((inode)->i_mapping->a_ops->readpage != NULL)
#endif

/* Whether the current task is in as many calls as the kernel follows. */
static inline bool rt_compat_uretprobes_full(void)
{
#ifdef CONFIG_UPROBES
	const struct uprobe_task *task = current->utask;

	return task && task->depth >= MAX_URETPROBE_DEPTH;
#else
	return false;
#endif
}

/* A registered probe; register returns it or an ERR_PTR(). */
struct rt_compat_uprobe;

#ifdef RT_HAVE_UPROBE_POINTER

static inline struct rt_compat_uprobe *rt_compat_uprobe_register(struct inode *inode, loff_t offset,
								 loff_t semaphore,
								 struct uprobe_consumer *consumer)
{
	return (void *)uprobe_register(inode, offset, semaphore, consumer);
}

static inline void rt_compat_uprobe_unregister(struct rt_compat_uprobe *uprobe, struct inode *inode,
					       loff_t offset, struct uprobe_consumer *consumer)
{
	uprobe_unregister_nosync((void *)uprobe, consumer);
}

/* Wait until no handler of an unregistered probe runs. */
static inline void rt_compat_uprobe_sync(void)
{
	uprobe_unregister_sync();
}

#else

static inline struct rt_compat_uprobe *rt_compat_uprobe_register(struct inode *inode, loff_t offset,
								 loff_t semaphore,
								 struct uprobe_consumer *consumer)
{
	int err;

#ifdef RT_HAVE_UPROBE_REGISTER_REFCTR
	err = uprobe_register_refctr(inode, offset, semaphore, consumer);
#else
	err = uprobe_register(inode, offset, consumer);
#endif
	return err ? ERR_PTR(err) : (void *)consumer;
}

/* These kernels let no handler run any more when this returns. */
static inline void rt_compat_uprobe_unregister(struct rt_compat_uprobe *uprobe, struct inode *inode,
					       loff_t offset, struct uprobe_consumer *consumer)
{
	uprobe_unregister(inode, offset, consumer);
}

static inline void rt_compat_uprobe_sync(void)
{
}

#endif

#endif
