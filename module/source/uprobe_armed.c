// SPDX-License-Identifier: GPL-2.0
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/spinlock.h>

#include "uprobe_armed.h"
#include "uprobe_hit.h"

#define BUCKET_BITS 10

static DEFINE_SPINLOCK(lock);
static struct hlist_head buckets[1 << BUCKET_BITS];

static struct hlist_head *bucket_of(const struct inode *inode, loff_t offset)
{
	return &buckets[hash_64((unsigned long)inode + offset, BUCKET_BITS)];
}

void rt_uprobe_armed_add(struct rt_user_probe *probe)
{
	spin_lock(&lock);
	hlist_add_head(&probe->armed_link, bucket_of(probe->inode, probe->offset));
	spin_unlock(&lock);
}

void rt_uprobe_armed_del(struct rt_user_probe *probe)
{
	spin_lock(&lock);
	hlist_del(&probe->armed_link);
	spin_unlock(&lock);
}

bool rt_uprobe_armed_at(const struct inode *inode, loff_t offset)
{
	const struct rt_user_probe *probe;
	bool found = false;

	spin_lock(&lock);
	hlist_for_each_entry(probe, bucket_of(inode, offset), armed_link)
		if (probe->inode == inode && probe->offset == offset) {
			found = true;
			break;
		}
	spin_unlock(&lock);
	return found;
}
