/* SPDX-License-Identifier: GPL-2.0 */
/* anchor_keeper.h - what the module keeps about an anchor, for the files that fill it. */
#ifndef RT_ANCHOR_KEEPER_H
#define RT_ANCHOR_KEEPER_H

#include <linux/list.h>
#include <linux/notifier.h>

#include "anchor_table.h"

struct rt_anchor_keeper {
	struct rt_anchor *anchor;
	struct rt_table events;
	struct rt_table modules;	   /* under rt_anchor_modules_lock */
	struct list_head link;		   /* among all keepers, under the same lock */
	struct rt_anchor_machine *machine; /* in the anchor's pages */
	struct rt_anchor_pin *pin;	   /* the same */
	struct notifier_block on_oops, on_panic;
};

/* Fill in everything but the marks. */
void rt_anchor_describe_machine(struct rt_anchor_machine *machine);
/* Note when the kernel oopses or panics, until rt_anchor_forget_failures(). */
void rt_anchor_watch_failures(struct rt_anchor_keeper *keeper);
void rt_anchor_forget_failures(struct rt_anchor_keeper *keeper);

/* Fill the module table and keep it up to date until rt_anchor_forget_modules(). */
int rt_anchor_watch_modules(struct rt_anchor_keeper *keeper);
void rt_anchor_forget_modules(struct rt_anchor_keeper *keeper);

int rt_anchor_modules_init(void);
void rt_anchor_modules_exit(void);

#endif
