// SPDX-License-Identifier: GPL-2.0
/*
 * 5.8: "mmap locking API: initial implementation as rwsem wrappers".  The replacement needs the older layout of
 * struct mm_struct.
 */
#include <linux/mm.h>

int rt_probe(struct mm_struct *mm);
int rt_probe(struct mm_struct *mm)
{
	int locked = mmap_read_trylock(mm);

	mmap_read_lock(mm);
	mmap_read_unlock(mm);
	return locked;
}
