/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_RECORD_SUMMARY_H
#define RT_RECORD_SUMMARY_H

#include "record/recording.h"

/* The closing lines on stderr: exact numbers, and every loss by its cause. */
void rt_summary_print(const struct rt_recording *r, const char *path);

#endif
