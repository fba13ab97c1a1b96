/* SPDX-License-Identifier: GPL-2.0 */
/* anchor_keeper.h - what the module keeps about an anchor, for the files that fill it. */
#ifndef RT_ANCHOR_KEEPER_H
#define RT_ANCHOR_KEEPER_H

#include <linux/list.h>

#include "anchor_table.h"

struct rt_anchor_keeper {
	struct rt_anchor *anchor;
	struct rt_table events;
	struct rt_table modules; /* under the lock of anchor_modules.c */
	struct list_head link;	 /* among all, under the same */
};

/* Fill the module table and keep it true until it is told to forget. */
int rt_anchor_watch_modules(struct rt_anchor_keeper *keeper);
void rt_anchor_forget_modules(struct rt_anchor_keeper *keeper);

int rt_anchor_modules_init(void);
void rt_anchor_modules_exit(void);

#endif
