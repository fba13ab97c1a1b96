// SPDX-License-Identifier: GPL-2.0
#include "analysis/latency.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/field.h"
#include "analysis/starts.h"

/* What an end has in common with its start. */
enum key { KEY_TASK, KEY_CPU, KEY_FIELDS };

static const struct rule {
	const char *start, *end; /* a * stands for the same text in both */
	enum key key;
	const char *start_fields[2], *end_fields[2];
} rules[] = {
	{ "raw_syscalls:sys_enter", "raw_syscalls:sys_exit", KEY_TASK, { NULL }, { NULL } },
	{ "syscalls:sys_enter_*", "syscalls:sys_exit_*", KEY_TASK, { NULL }, { NULL } },
	{ "irq:irq_handler_entry", "irq:irq_handler_exit", KEY_CPU, { "irq" }, { "irq" } },
	{ "irq:softirq_entry", "irq:softirq_exit", KEY_CPU, { "vec" }, { "vec" } },
	{ "timer:hrtimer_expire_entry", "timer:hrtimer_expire_exit", KEY_CPU, { NULL }, { NULL } },
	{ "workqueue:workqueue_execute_start",
	  "workqueue:workqueue_execute_end",
	  KEY_TASK,
	  { "work" },
	  { "work" } },
	{ "block:block_rq_issue",
	  "block:block_rq_complete",
	  KEY_FIELDS,
	  { "dev", "sector" },
	  { "dev", "sector" } },
	{ "sched:sched_wakeup", "sched:sched_switch", KEY_FIELDS, { "pid" }, { "next_pid" } },
	{ "*", "*__return", KEY_TASK, { NULL }, { NULL } },
};

/* What an event is in one pair. */
struct role {
	struct pair *pair;	     /* NULL: none */
	bool task_alone;	     /* the id of the task is the whole key */
	struct rt_field_plain alone; /* this number is the whole key, if it is one */
	const struct tep_format_field *fields[2];
};

/* The states in which a task waits for something else than a CPU, as sched_switch has them. */
#define STATES_SLEEPING 0xff

struct pair {
	struct rt_latency_pair is;
	const struct rule *rule;
	struct rt_starts open;
	bool resumes; /* a start while one is open is no start: the task waits already */
	struct pair *next;
};

/* An event may end one pair and start another. */
struct rt_latency_event {
	struct role starts, ends;
	/* A task that loses its CPU while it can run waits again, as after a wakeup. */
	const struct tep_format_field *prev_pid, *prev_state;
	struct rt_latency_event *next;
};

struct rt_latency {
	bool swapped;
	struct rt_latency_event *list;
	struct pair *pairs, **last;
};

struct rt_latency *rt_latency_new(bool swapped)
{
	struct rt_latency *l = calloc(1, sizeof(*l));

	if (l) {
		l->swapped = swapped;
		l->last = &l->pairs;
	}
	return l;
}

void rt_latency_free(struct rt_latency *l)
{
	struct rt_latency_event *e, *next_event;
	struct pair *p, *next;

	for (e = l ? l->list : NULL; e; e = next_event) {
		next_event = e->next;
		free(e);
	}
	for (p = l ? l->pairs : NULL; p; p = next) {
		next = p->next;
		rt_starts_free(&p->open);
		free(p->is.start);
		free(p->is.end);
		free(p);
	}
	free(l);
}

/* Match a name with a pattern that has at most one *; the text that it stands for in *part. */
static bool matches(const char *pattern, const char *name, const char **part, size_t *len)
{
	const char *star = strchr(pattern, '*');
	size_t before = star ? (size_t)(star - pattern) : 0, n = strlen(name);
	size_t after = star ? strlen(star + 1) : 0;

	*part = "";
	*len = 0;
	if (!star)
		return !strcmp(pattern, name);
	if (n <= before + after || memcmp(pattern, name, before) ||
	    strcmp(star + 1, name + n - after))
		return false;
	*part = name + before;
	*len = n - before - after;
	return true;
}

/* The other event of a pair: PATTERN with PART in place of its star. */
static const struct rt_perf_event *other(const struct rt_perf_events *events, const char *pattern,
					 const char *part, size_t len)
{
	const char *star = strchr(pattern, '*');
	char name[256];

	if (!star)
		return rt_perf_events_find(events, pattern);
	snprintf(name, sizeof(name), "%.*s%.*s%s", (int)(star - pattern), pattern, (int)len, part,
		 star + 1);
	return rt_perf_events_find(events, name);
}

static struct pair *pair_of(struct rt_latency *l, const struct rule *rule, const char *start,
			    const char *end)
{
	struct pair *p;

	for (p = l->pairs; p; p = p->next)
		if (!strcmp(p->is.start, start) && !strcmp(p->is.end, end))
			return p;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->rule = rule;
	p->is.start = strdup(start);
	p->is.end = strdup(end);
	if (!p->is.start || !p->is.end) {
		free(p->is.start);
		free(p->is.end);
		free(p);
		return NULL;
	}
	*l->last = p;
	l->last = &p->next;
	return p;
}

static bool set_role(struct rt_latency *l, struct role *role, const struct rule *rule,
		     const struct rt_perf_event *event, const char *start, const char *end,
		     const char *const *fields)
{
	int i;

	if (role->pair)
		return true; /* an earlier rule has it */
	role->pair = pair_of(l, rule, start, end);
	for (i = 0; i < 2; i++)
		role->fields[i] = fields[i] ? rt_field_find(event, fields[i]) : NULL;
	role->task_alone = rule->key == KEY_TASK && !role->fields[0];
	if (rule->key == KEY_FIELDS && role->fields[0] && !fields[1])
		role->alone = rt_field_plain(role->fields[0], l->swapped);
	return role->pair;
}

static bool find_partners(struct rt_latency *l, const struct rt_perf_events *events,
			  const struct rt_perf_event *event, struct rt_latency_event *me)
{
	const char *name = rt_perf_event_name(event), *part;
	const struct rt_perf_event *with;
	bool done = true;
	size_t i, len;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct rule *r = &rules[i];

		if (matches(r->start, name, &part, &len)) {
			with = other(events, r->end, part, len);
			if (with && with != event)
				done &= set_role(l, &me->starts, r, event, name,
						 rt_perf_event_name(with), r->start_fields);
		}
		if (matches(r->end, name, &part, &len)) {
			with = other(events, r->start, part, len);
			if (with && with != event)
				done &= set_role(l, &me->ends, r, event, rt_perf_event_name(with),
						 name, r->end_fields);
			if (with && done && me->ends.pair->rule == &rules[i] &&
			    !strcmp(r->end, "sched:sched_switch")) {
				me->prev_pid = rt_field_find(event, "prev_pid");
				me->prev_state = rt_field_find(event, "prev_state");
				me->ends.pair->resumes = me->prev_pid && me->prev_state;
			}
		}
	}
	return done;
}

static bool make_key(const struct rt_latency *l, const struct role *role, const struct rt_sample *s,
		     uint64_t *key)
{
	uint64_t field;
	int i;

	*key = role->pair->rule->key == KEY_TASK ? (uint32_t)s->tid :
	       role->pair->rule->key == KEY_CPU	 ? s->cpu :
						   0;
	for (i = 0; role->fields[0] && i < 2; i++) {
		if (!role->fields[i])
			continue;
		if (!rt_field_number(role->fields[i], s, l->swapped, &field))
			return false;
		*key = *key * 0x100000001b3ULL + field;
	}
	return true;
}

static inline bool key_of(const struct rt_latency *l, const struct role *role,
			  const struct rt_sample *s, uint64_t *key)
{
	if (role->task_alone)
		*key = (uint32_t)s->tid;
	else if (role->alone.size && s->raw.size >= rt_field_plain_end(&role->alone))
		*key = rt_field_plain_read(&role->alone, s->raw.data);
	else
		return make_key(l, role, s, key);
	return true;
}

int rt_latency_of(struct rt_latency *l, const struct rt_perf_events *events,
		  const struct rt_perf_event *event, struct rt_latency_event **found)
{
	struct rt_latency_event *e = calloc(1, sizeof(*e));

	*found = NULL;
	if (!e || !find_partners(l, events, event, e)) {
		free(e);
		return -ENOMEM;
	}
	if (!e->starts.pair && !e->ends.pair) {
		free(e);
		return 0;
	}
	e->next = l->list;
	*found = l->list = e;
	return 0;
}

/*
 * A switch takes the CPU from a task: it waits again if it can run.  What woke it up before found it
 * running, so that was no wait.
 */
static int add_preempted(const struct rt_latency *l, struct rt_latency_event *e,
			 const struct rt_sample *s)
{
	uint64_t pid, state;

	if (!rt_field_number(e->prev_pid, s, l->swapped, &pid) ||
	    !rt_field_number(e->prev_state, s, l->swapped, &state) || !pid)
		return 0;
	rt_starts_forget(&e->ends.pair->open, pid);
	if (state & STATES_SLEEPING)
		return 0;
	return rt_starts_add(&e->ends.pair->open, pid, s->time, 0) ? 0 : -ENOMEM;
}

int rt_latency_add(const struct rt_latency *l, struct rt_latency_event *e,
		   const struct rt_sample *s)
{
	uint32_t charge;
	uint64_t key, ns;

	if (s->time == UINT64_MAX)
		return 0;
	if (e->ends.pair && key_of(l, &e->ends, s, &key) &&
	    rt_starts_end(&e->ends.pair->open, key, s->time, &charge, &ns))
		rt_spread_add(&e->ends.pair->is.spread, ns);
	if (e->ends.pair && e->ends.pair->resumes && add_preempted(l, e, s))
		return -ENOMEM;
	if (e->starts.pair && key_of(l, &e->starts, s, &key) &&
	    !(e->starts.pair->resumes && rt_starts_is_open(&e->starts.pair->open, key)) &&
	    !rt_starts_add(&e->starts.pair->open, key, s->time, 0))
		return -ENOMEM;
	return 0;
}

void rt_latency_lost(struct rt_latency *l)
{
	struct pair *p;

	for (p = l->pairs; p; p = p->next)
		rt_starts_lost(&p->open);
}

const struct rt_latency_pair *rt_latency_get(struct rt_latency *l, size_t i)
{
	struct pair *p = l->pairs;

	while (p && i--)
		p = p->next;
	if (!p)
		return NULL;
	p->is.unfinished = rt_starts_unknown(&p->open);
	return &p->is;
}
