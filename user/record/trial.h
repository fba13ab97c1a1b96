/* SPDX-License-Identifier: GPL-2.0 */
/* trial.h - ask the module how it would record an event, without arming it. */
#ifndef RT_RECORD_TRIAL_H
#define RT_RECORD_TRIAL_H

#include "record/recording.h"

enum rt_trial_answer {
	RT_TRIAL_NATIVE,  /* by the module's own probe */
	RT_TRIAL_GENERIC, /* a tracepoint, through perf_events */
	RT_TRIAL_SAMPLED, /* a counter */
	RT_TRIAL_INSTEAD, /* a counter that another one replaces */
	RT_TRIAL_REFUSED, /* ERR says why */
	RT_TRIAL_UNKNOWN, /* the module cannot be asked; ERR says why */
};

struct rt_trial {
	struct rt_recording r;
	struct rt_recorded event;
	struct rt_event_env env;
	bool open;
	struct rt_err why; /* unless it is open */
};

/* ENV must stay valid until the end.  If the module cannot be asked, every answer is unknown. */
void rt_trial_begin(struct rt_trial *trial, const struct rt_event_env *env);
/* TEXT is one event as `-e` takes it. */
enum rt_trial_answer rt_trial_ask(struct rt_trial *trial, const char *text, struct rt_err *err);
/* Whether the module puts no probe there, because the kernel forbids it; ERR says so. */
bool rt_trial_forbids(struct rt_trial *trial, const char *text, struct rt_err *err);
void rt_trial_end(struct rt_trial *trial);

#endif
