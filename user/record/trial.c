// SPDX-License-Identifier: GPL-2.0
#include "record/trial.h"

#include <string.h>

void rt_trial_begin(struct rt_trial *trial, const struct rt_event_env *env)
{
	/* The smallest rings: they stay empty. */
	struct rt_rings rings = { .subbufs = RT_SUBBUFS_MIN };

	memset(trial, 0, sizeof(*trial));
	trial->env = *env;
	/* The names come from tracefs' list: do not look for each of them there again. */
	trial->env.tracepoints = NULL;
	trial->r.arch = env->arch;
	trial->r.events = &trial->event;
	trial->open = !rt_agent_session_open(&trial->r.session, &rings, &trial->why);
}

static enum rt_trial_answer answer_of(const struct rt_trial *trial,
				      const struct rt_event_spec *spec)
{
	if (spec->kind == RT_SPEC_COUNTER)
		return trial->event.sampling.no_cycles ? RT_TRIAL_INSTEAD : RT_TRIAL_SAMPLED;
	return trial->event.perf ? RT_TRIAL_GENERIC : RT_TRIAL_NATIVE;
}

enum rt_trial_answer rt_trial_ask(struct rt_trial *trial, const char *text, struct rt_err *err)
{
	static const struct rt_recording_options options = { .strict = true };
	enum rt_trial_answer answer = RT_TRIAL_REFUSED;
	struct rt_event_list list = { 0 };

	if (!trial->open) {
		*err = trial->why;
		return RT_TRIAL_UNKNOWN;
	}
	memset(&trial->event, 0, sizeof(trial->event));
	trial->r.count = 0;
	if (!rt_event_parse(&list, text, &trial->env, err) && list.count &&
	    !rt_recording_add_to_session(&trial->r, &list.specs[0], NULL, &trial->env, &options,
					 err))
		answer = answer_of(trial, &list.specs[0]);
	/* A first attempt may have left its reason. */
	if (answer != RT_TRIAL_REFUSED)
		rt_err_set(err, 0, "%s", "");
	rt_event_list_free(&list);
	return answer;
}

bool rt_trial_forbids(struct rt_trial *trial, const char *text, struct rt_err *err)
{
	static const struct rt_recording_options lenient = { 0 };
	struct rt_event_list list = { 0 };
	bool forbids = false;

	memset(&trial->event, 0, sizeof(trial->event));
	trial->r.count = 0;
	if (trial->open && !rt_event_parse(&list, text, &trial->env, err) && list.count == 1) {
		/* As an event of a glob, whose refusal has a reason. */
		list.specs[0].globbed = true;
		forbids = rt_recording_add_to_session(&trial->r, &list.specs[0], NULL, &trial->env,
						      &lenient, err) == 1 &&
			  list.specs[0].left_out == RT_REFUSED_NOT_PROBEABLE;
	}
	rt_event_list_free(&list);
	return forbids;
}

void rt_trial_end(struct rt_trial *trial)
{
	if (trial->open)
		rt_agent_session_close(&trial->r.session);
}
