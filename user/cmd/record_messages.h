/* SPDX-License-Identifier: GPL-2.0 */
/* record_messages.h - what "ringtail record", and in part "ringtail flight start", tell their user. */
#ifndef RT_CMD_RECORD_MESSAGES_H
#define RT_CMD_RECORD_MESSAGES_H

#include "cmd/record_options.h"
#include "record/summary.h"

/* COMMAND begins each line.  Every event of a glob that is not recorded. */
void rt_tell_left_out(const char *command, const struct rt_event_list *list);
/* What is different about tracepoints that the kernel's perf_events deliver. */
void rt_tell_perf(const char *command, const struct rt_recording *r);
/* Every event that is replaced by another. */
void rt_tell_instead(const char *command, const struct rt_recording *r,
		     const struct rt_event_list *list);
/* That the recording runs, and how to end it. */
void rt_tell_begun(const struct rt_record_options *opt, bool command);
/* -v: what was set up. */
void rt_tell_setup(const struct rt_record_options *opt, const struct rt_recording *r);
/* -v: how it was done, when the recording has ended. */
void rt_tell_done(const struct rt_summary *s);

#endif
