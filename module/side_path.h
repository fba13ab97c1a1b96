/* SPDX-License-Identifier: GPL-2.0 */
/*
 * side_path.h - the paths of mapped files.
 *
 * Whoever asks d_path() waits for locks.  Where spinlocks do not sleep that may be done where the
 * probe is; where they do (PREEMPT_RT), the task does it itself, on its way back to user space,
 * before it can run anything of what it mapped.
 */
#ifndef RT_SIDE_PATH_H
#define RT_SIDE_PATH_H

#include <linux/types.h>

#include <uapi/ringtail.h>

struct file;

typedef void (*rt_side_told)(bool data, const struct rt_side_mmap *record, const char *name);

/* Tell RECORD with the path of FILE, now or soon.  In task context, preemption off. */
void rt_side_path(bool data, const struct rt_side_mmap *record, struct file *file,
		  rt_side_told tell);

int rt_side_path_init(void);
/* Nobody calls rt_side_path() any more. */
void rt_side_path_exit(void);

#endif
