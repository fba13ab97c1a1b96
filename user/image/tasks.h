/* SPDX-License-Identifier: GPL-2.0 */
/* tasks.h - the tasks of the machine at the moment of the dump, from the kernel's own lists. */
#ifndef RT_IMAGE_TASKS_H
#define RT_IMAGE_TASKS_H

#include "image/find.h"

struct rt_image_task {
	__u32 pid, tid;
	char comm[20];
};

/*
 * Call FN for every task but the idle ones; a value other than 0 ends the walk and is returned.
 * *COMPLETE: the lists could be read to their ends.
 */
int rt_image_tasks(const struct rt_image *image, const struct rt_anchor_machine *machine,
		   int (*fn)(void *arg, const struct rt_image_task *task), void *arg,
		   bool *complete);

#endif
