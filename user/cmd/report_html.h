/* SPDX-License-Identifier: GPL-2.0 */
/* report_html.h - `ringtail report --html`: the tables and more as one HTML page. */
#ifndef RT_CMD_REPORT_HTML_H
#define RT_CMD_REPORT_HTML_H

#include "cmd/report_options.h"

/* Read the recording and write the page; the exit status.  Messages are printed. */
int rt_report_html(struct rt_report_asked *a, struct rt_profile *profile);

#endif
