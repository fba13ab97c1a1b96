/* SPDX-License-Identifier: GPL-2.0 */
/* summary.h - the first section of the page: the machine, the command, the amounts, the losses. */
#ifndef RT_DRAW_SUMMARY_H
#define RT_DRAW_SUMMARY_H

#include "base/text.h"
#include "draw/collect.h"

void rt_page_summary(struct rt_text *out, const struct rt_reader *reader,
		     const struct rt_collect_stats *stats);

#endif
