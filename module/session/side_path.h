/* SPDX-License-Identifier: GPL-2.0 */
/*
 * side_path.h - the paths of mapped files.
 *
 * d_path() takes spinlocks.  If these do not sleep, the probe's handler may call it.  On PREEMPT_RT
 * they sleep: there the task itself calls it on its way back to user space, before it can run any of
 * the code that it mapped.
 */
#ifndef RT_SIDE_PATH_H
#define RT_SIDE_PATH_H

#include <linux/types.h>

#include <uapi/ringtail.h>

struct file;

/* MAPS: enum rt_maps, passed on. */
typedef void (*rt_side_told)(u8 maps, const struct rt_side_mmap *record, const char *name);

/* Write RECORD with the path of FILE, now or soon.  Call in task context with preemption off. */
void rt_side_path(u8 maps, const struct rt_side_mmap *record, struct file *file, rt_side_told tell);

int rt_side_path_init(void);
/* Call when nobody calls rt_side_path() any more. */
void rt_side_path_exit(void);

#endif
