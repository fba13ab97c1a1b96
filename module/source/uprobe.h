/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_SOURCE_UPROBE_H
#define RT_SOURCE_UPROBE_H

extern const struct rt_source rt_uprobe_source;
extern const struct rt_source rt_uretprobe_source;

#endif
