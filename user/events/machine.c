// SPDX-License-Identifier: GPL-2.0
#include "events/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/counter.h"
#include "events/pmu.h"
#include "host/counters.h"
#include "host/tracefs.h"

static const struct {
	const char *name;
	const char *perf; /* the word of perf list, if it differs */
} words[RT_MACHINE_KINDS] = {
	[RT_MACHINE_HW] = { "hw", "hardware" },		  [RT_MACHINE_SW] = { "sw", "software" },
	[RT_MACHINE_CACHE] = { "cache", "hwcache" },	  [RT_MACHINE_PMU] = { "pmu", NULL },
	[RT_MACHINE_TRACEPOINT] = { "tracepoint", NULL }, [RT_MACHINE_PROBE] = { "probe", NULL },
	[RT_MACHINE_MEM] = { "mem", "breakpoint" },
};

const char *rt_machine_kind_name(enum rt_machine_kind kind)
{
	return words[kind].name;
}

int rt_machine_kind_find(const char *word, enum rt_machine_kind *kind)
{
	int i;

	for (i = 0; i < RT_MACHINE_KINDS; i++) {
		if (!strcmp(word, words[i].name) ||
		    (words[i].perf && !strcmp(word, words[i].perf))) {
			*kind = i;
			return 0;
		}
	}
	return -ENOENT;
}

struct machine {
	const struct rt_event_env *env;
	unsigned int kinds;
	int (*each)(void *arg, const struct rt_machine_event *event);
	void *arg;
	const char *pmu;
	struct rt_text_set seen; /* tracefs may list an event twice */
};

static bool wants(const struct machine *m, enum rt_machine_kind kind)
{
	return m->kinds & 1U << kind;
}

/* --- counters -------------------------------------------------------------------- */

static int each_counter(void *arg, const struct rt_counter_name *counter)
{
	struct machine *m = arg;
	struct rt_machine_event event = {
		.kind = counter->type == PERF_TYPE_HARDWARE ? RT_MACHINE_HW :
			counter->type == PERF_TYPE_SOFTWARE ? RT_MACHINE_SW :
							      RT_MACHINE_CACHE,
		.name = counter->name,
		.alias = counter->alias,
	};

	if (!wants(m, event.kind) || !rt_counter_works(counter->type, counter->config))
		return 0;
	return m->each(m->arg, &event);
}

static int each_pmu_event(void *arg, const char *name)
{
	struct machine *m = arg;
	char *terms = rt_pmu_read(m->env, m->pmu, "events", name), *whole = NULL;
	struct rt_machine_event event = { .kind = RT_MACHINE_PMU, .detail = terms };
	int ret = -ENOMEM;

	if (asprintf(&whole, "%s/%s/", m->pmu, name) >= 0) {
		event.name = whole;
		ret = m->each(m->arg, &event);
		free(whole);
	}
	free(terms);
	return ret;
}

static int print_term(void *arg, const char *name)
{
	fprintf(arg, ",%s=N", name);
	return 0;
}

/* How to write an event of this PMU by its number: PMU/TERM=N,…/ */
static int pmu_form(struct machine *m, const char *pmu)
{
	struct rt_machine_event event = { .kind = RT_MACHINE_PMU, .form = true };
	char *terms = NULL, *whole = NULL;
	size_t size;
	FILE *out = open_memstream(&terms, &size);
	int ret = -ENOMEM;

	if (!out)
		return ret;
	/* The terms of these two are addresses in memory: the event kinds replace them. */
	if (strcmp(pmu, "kprobe") && strcmp(pmu, "uprobe"))
		rt_pmu_each_file(m->env, pmu, "format", print_term, out);
	if (!fclose(out) && size == 0) {
		ret = 0;
	} else if (asprintf(&whole, "%s/%s/", pmu, terms + 1) >= 0) {
		event.name = whole;
		ret = m->each(m->arg, &event);
		free(whole);
	}
	free(terms);
	return ret;
}

static int each_pmu(void *arg, const char *pmu)
{
	struct machine *m = arg;
	int ret;

	m->pmu = pmu;
	ret = rt_pmu_each_file(m->env, pmu, "events", each_pmu_event, m);
	return ret ? ret : pmu_form(m, pmu);
}

/* --- tracepoints and probes ------------------------------------------------------ */

static int each_traced(void *arg, const char *system, const char *name)
{
	struct machine *m = arg;
	char *probe = m->env->probe ? m->env->probe(m->env->data, system, name, 0) : NULL;
	struct rt_machine_event event = {
		.kind = probe ? RT_MACHINE_PROBE : RT_MACHINE_TRACEPOINT,
		.system = system,
		.event = name,
		.detail = probe,
	};
	char *both = NULL;
	int ret = 0;

	if (wants(m, event.kind)) {
		ret = asprintf(&both, "%s:%s", system, name) < 0 ? -ENOMEM :
								   rt_text_set_add(&m->seen, both);
		event.name = both;
		ret = ret == 1 ? m->each(m->arg, &event) : ret;
		free(both);
	}
	free(probe);
	return ret;
}

/* Probes that `ringtail probe` keeps: text until a recording begins. */
static int each_kept(void *arg, const char *group, const char *name, const char *definition)
{
	struct machine *m = arg;
	struct rt_machine_event event = {
		.kind = RT_MACHINE_PROBE,
		.detail = definition,
	};
	char *both;
	int ret;

	if (asprintf(&both, "%s:%s", group, name) < 0)
		return -ENOMEM;
	event.name = both;
	ret = rt_text_set_add(&m->seen, both);
	ret = ret == 1 ? m->each(m->arg, &event) : ret;
	free(both);
	return ret;
}

/* Events of tracefs' own tracers. */
static int each_own(void *arg, const char *system, const char *name)
{
	struct machine *m = arg;
	struct rt_machine_event event = {
		.kind = RT_MACHINE_TRACEPOINT,
		.system = system,
		.event = name,
		.never = "the kernel's own tracers write it; use kprobe:FUNCTION or a glob of "
			 "functions",
	};
	char *both;
	int ret;

	if (asprintf(&both, "%s:%s", system, name) < 0)
		return -ENOMEM;
	event.name = both;
	ret = m->each(m->arg, &event);
	free(both);
	return ret;
}

static int each_kind(struct machine *m, struct rt_err *err)
{
	static const struct rt_machine_event watch = {
		.kind = RT_MACHINE_MEM,
		.name = "mem:ADDRESS[/LENGTH][:r|w|rw|x]",
		.form = true,
	};
	int ret = rt_counter_each(each_counter, m);

	if (!ret && wants(m, RT_MACHINE_PMU))
		ret = rt_pmu_each(m->env, each_pmu, m);
	if (!ret && wants(m, RT_MACHINE_PROBE) && m->env->kept)
		ret = m->env->kept(m->env->data, each_kept, m);
	if (!ret && (wants(m, RT_MACHINE_TRACEPOINT) || wants(m, RT_MACHINE_PROBE))) {
		ret = m->env->tracepoints(m->env->data, each_traced, m);
		if (ret < 0 && ret != -ENOMEM)
			return rt_err_set(err, -ret,
					  "the kernel's list of tracepoints cannot be read (%s); "
					  "'ringtail doctor' says why",
					  strerror(-ret));
	}
	if (!ret && wants(m, RT_MACHINE_TRACEPOINT))
		ret = rt_tracefs_own_events(NULL, each_own, m);
	if (!ret && wants(m, RT_MACHINE_MEM))
		ret = m->each(m->arg, &watch);
	return ret == -ENOMEM ? rt_err_set(err, ENOMEM, "out of memory") : ret;
}

int rt_machine_each(const struct rt_event_env *env, unsigned int kinds,
		    int (*each)(void *arg, const struct rt_machine_event *event), void *arg,
		    struct rt_err *err)
{
	struct machine m = { .env = env, .kinds = kinds, .each = each, .arg = arg };
	int ret = each_kind(&m, err);

	rt_text_set_free(&m.seen);
	return ret;
}
