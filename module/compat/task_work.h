/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Before its ways to notify had names, task_work_add() took a bool: whether to.
 *
 * Included by its one user, not by compat.h.
 */
#ifndef RT_COMPAT_TASK_WORK_H
#define RT_COMPAT_TASK_WORK_H

#include <linux/task_work.h>

#ifndef RT_HAVE_TASK_WORK_MODES
#define TWA_RESUME 1
#endif

#endif
