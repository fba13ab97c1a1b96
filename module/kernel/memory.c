// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/spinlock.h>

#include "memory.h"

static unsigned int memory_percent = 25;
module_param(memory_percent, uint, 0644);
MODULE_PARM_DESC(memory_percent, "of all memory that all sessions may take (default: 25)");

/* Of what is available, one part in so many stays for others: they need memory, too, meanwhile. */
#define SPARE_SHARE 4

static DEFINE_SPINLOCK(lock);
static u64 used;

u64 rt_memory_limit(void)
{
	u64 all = (u64)totalram_pages() << PAGE_SHIFT;

	return div_u64(all, 100) * min(READ_ONCE(memory_percent), 100U);
}

u64 rt_memory_used(void)
{
	u64 bytes;

	spin_lock(&lock);
	bytes = used;
	spin_unlock(&lock);
	return bytes;
}

int rt_memory_charge(u64 bytes, u64 *left)
{
	u64 limit = rt_memory_limit(), room;
	int err = 0;

	spin_lock(&lock);
	room = limit > used ? limit - used : 0;
	if (bytes > room)
		err = -ENOSPC;
	else
		used += bytes;
	spin_unlock(&lock);
	if (left)
		*left = room;
	return err;
}

void rt_memory_uncharge(u64 bytes)
{
	spin_lock(&lock);
	used -= bytes;
	spin_unlock(&lock);
}

bool rt_memory_has(u64 bytes, u64 *available)
{
	long pages = rt_compat_mem_available();
	u64 room;

	if (pages == RT_COMPAT_MEM_UNKNOWN) {
		if (available)
			*available = 0;
		return true;
	}
	room = (u64)max(pages, 0L) << PAGE_SHIFT;
	if (available)
		*available = room;
	return bytes <= room - div_u64(room, SPARE_SHARE);
}
