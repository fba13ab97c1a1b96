/* SPDX-License-Identifier: GPL-2.0 */
/* record_raw.h - which options of record do not go with --raw. */
#ifndef RT_CMD_RECORD_RAW_H
#define RT_CMD_RECORD_RAW_H

#include "base/error.h"
#include "record/recording.h"

int rt_record_raw_check(const struct rt_recording_options *opt, const struct rt_event_list *list,
			struct rt_err *err);

#endif
