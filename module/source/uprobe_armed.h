/* SPDX-License-Identifier: GPL-2.0 */
/* uprobe_armed.h - the places where any session has a user probe. */
#ifndef RT_UPROBE_ARMED_H
#define RT_UPROBE_ARMED_H

#include <linux/types.h>

struct inode;
struct rt_user_probe;

/* Before it is registered, and when it is unregistered. */
void rt_uprobe_armed_add(struct rt_user_probe *probe);
void rt_uprobe_armed_del(struct rt_user_probe *probe);

bool rt_uprobe_armed_at(const struct inode *inode, loff_t offset);

#endif
