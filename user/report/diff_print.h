/* SPDX-License-Identifier: GPL-2.0 */
/* diff_print.h - the comparison of recordings as text. */
#ifndef RT_REPORT_DIFF_PRINT_H
#define RT_REPORT_DIFF_PRINT_H

#include "report/diff.h"

/* Print a table for each event of the first recording; 0 or -errno. */
int rt_diff_print(const struct rt_diff_options *opt, struct rt_diff_file *files, size_t count,
		  FILE *out, struct rt_err *err);

#endif
