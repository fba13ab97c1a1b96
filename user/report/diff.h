/* SPDX-License-Identifier: GPL-2.0 */
/*
 * diff.h - compare recordings: one line for each object and function, with its share in the first
 * recording and what changed in the others.
 *
 * The programs may have been built again, so functions are matched by name, not by address.
 */
#ifndef RT_REPORT_DIFF_H
#define RT_REPORT_DIFF_H

#include "report/report.h"

enum rt_diff_compute {
	RT_DIFF_DELTA_ABS, /* sorted by the size of the change */
	RT_DIFF_DELTA,
	RT_DIFF_RATIO,
	RT_DIFF_WEIGHTED,
};

struct rt_diff_options {
	enum rt_diff_compute compute;
	int64_t weight_old, weight_new; /* of RT_DIFF_WEIGHTED */
	unsigned int order;		/* sort by this recording's value; 0: by the baseline */
	bool baseline_only;
	bool show_period, show_formula;
	bool quiet;
};

struct rt_diff_file {
	const char *name;
	struct rt_report report; /* opened and read */
	bool matched; /* set by rt_diff_print(): it has an event of the first recording */
	bool shown;   /* the same, of the first one: lines were printed */
};

#endif
