/* SPDX-License-Identifier: GPL-2.0 */
/* tasks.h - `report --tasks`: the tasks of a recording as a tree. */
#ifndef RT_REPORT_TASKS_H
#define RT_REPORT_TASKS_H

#include "profile/profile.h"
#include "report/report.h"

/* Read the recording and print its tasks; 0 or a negative errno. */
int rt_tasks_print(struct rt_report *r, FILE *out, struct rt_err *err);

#endif
