/* SPDX-License-Identifier: GPL-2.0 */
/* losses.h - lost events and counts of records. */
#ifndef RT_REPORT_LOSSES_H
#define RT_REPORT_LOSSES_H

#include "report/report.h"

/* The head of a report. */
void rt_losses_put(const struct rt_report *r, struct rt_text *out);

/* --stats: how many records of each type, and samples of each event; 0 or negative. */
int rt_report_stats(struct rt_report *r, FILE *out);

#endif
