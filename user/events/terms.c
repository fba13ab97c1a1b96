// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the terms between slashes: `cycles/period=1000,name=x/`, `cpu/event=0x3c/`.  The kernel
 * describes a PMU's own terms in sysfs.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/counter.h"
#include "events/pmu.h"

#define MAX_STACK    127
#define EXPAND_DEPTH 1 /* an event of a PMU expands to terms, which do not expand further */

#define GENERAL                                                                                      \
	"period=N, freq=N, name=TEXT, max-stack=N, call-graph=no|fp|dwarf, stack-size=N, config=N, " \
	"config1=N, config2=N"

/* The terms with a number; name and call-graph take a word. */
static const char *const numeric[] = { "period", "freq",    "max-stack", "stack-size",
				       "config", "config1", "config2" };

#define NUMERIC (sizeof(numeric) / sizeof(numeric[0]))

/* Terms of perf that ringtail does not have. */
static const struct {
	const char *key, *because;
} lacks[] = {
	{ "time", "every record has its time" },
	{ "percore", "it samples counters and does not add them up" },
	{ "inherit", "record's -i says that for all events" },
	{ "no-inherit", "record's -i says that for all events" },
	{ "overwrite", "record's --overwrite says that for all events" },
	{ "no-overwrite", "record's --overwrite says that for all events" },
	{ "branch_type", "the module does not read branch records" },
	{ "aux-output", "it has no AUX area" },
	{ "aux-action", "it has no AUX area" },
	{ "aux-sample-size", "it has no AUX area" },
};

struct terms {
	struct rt_scan *scan;
	const struct rt_event_env *env;
	const char *pmu;
	struct rt_event_spec *spec;
	int depth;
};

/*
 * Put VALUE into the bits that FORMAT ("config:0-7,32") names, lowest first; -E2BIG if too large.
 */
static int scatter(const char *format, uint64_t value, struct perf_event_attr *attr)
{
	static const char *const words[] = { "config:", "config1:", "config2:" };
	uint64_t bits = 0;
	unsigned int first, last, i, word;
	const char *p = NULL;
	int used;

	for (word = 0; word < 3; word++) {
		if (!strncmp(format, words[word], strlen(words[word]))) {
			p = format + strlen(words[word]);
			break;
		}
	}
	if (!p)
		return -EINVAL;
	for (;;) {
		if (sscanf(p, "%u-%u%n", &first, &last, &used) < 2) {
			if (sscanf(p, "%u%n", &first, &used) != 1)
				return -EINVAL;
			last = first;
		}
		if (last > 63 || first > last)
			return -EINVAL;
		for (i = first; i <= last; i++, value >>= 1)
			bits |= (value & 1) << i;
		p += used;
		if (*p != ',')
			break;
		p++;
	}
	if (value)
		return -E2BIG;
	if (word == 0)
		attr->config |= bits;
	else if (word == 1)
		attr->config1 |= bits;
	else
		attr->config2 |= bits;
	return 0;
}

static int parse_terms(struct terms *t, char stop);

/* Expand a PMU event by name: its sysfs file holds terms. */
static int expand(struct terms *t, const char *text, const char *at)
{
	struct rt_scan scan;
	struct terms inner = *t;
	struct rt_err err;

	rt_scan_begin(&scan, text, &err);
	inner.scan = &scan;
	inner.depth = t->depth + 1;
	if (parse_terms(&inner, 0))
		return rt_scan_fail(t->scan, at,
				    "the kernel describes this event as '%s', which is "
				    "not understood",
				    text);
	return 0;
}

static int offer(void *arg, const char *name)
{
	rt_nearest_offer(arg, name);
	return 0;
}

/* Refuse KEY, with the nearest term. */
static int no_term(struct terms *t, const char *key, const char *at)
{
	struct rt_nearest near;
	char text[256];
	size_t i;

	for (i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++)
		if (!strcmp(key, lacks[i].key))
			return rt_scan_fail(t->scan, at,
					    "perf has the term '%s'; ringtail does not, because %s",
					    key, lacks[i].because);
	rt_nearest_begin(&near, key);
	for (i = 0; i < NUMERIC; i++)
		rt_nearest_offer(&near, numeric[i]);
	rt_nearest_offer(&near, "name");
	rt_nearest_offer(&near, "call-graph");
	if (t->pmu) {
		rt_pmu_each_file(t->env, t->pmu, "format", offer, &near);
		rt_pmu_each_file(t->env, t->pmu, "events", offer, &near);
		rt_nearest_text(&near, text, sizeof(text));
		return rt_scan_fail(
			t->scan, at,
			"'%s' is neither a term nor an event of PMU '%s' (see "
			"bus/event_source/devices/%s in sysfs); every event takes " GENERAL "%s",
			key, t->pmu, t->pmu, text);
	}
	return rt_scan_fail(t->scan, at, "'%s' is no term; this event takes " GENERAL "%s", key,
			    rt_nearest_text(&near, text, sizeof(text)));
}

static int pmu_term(struct terms *t, const char *key, const char *at, bool has_value,
		    uint64_t value)
{
	char *format = rt_pmu_read(t->env, t->pmu, "format", key), *event;
	int ret;

	if (format) {
		ret = scatter(format, has_value ? value : 1, &t->spec->attr);
		free(format);
		if (ret == -E2BIG)
			return rt_scan_fail(t->scan, at, "the value of '%s' is too large", key);
		if (ret)
			return rt_scan_fail(t->scan, at,
					    "the kernel's format of '%s' is not understood", key);
		return 0;
	}
	event = has_value || t->depth == EXPAND_DEPTH ? NULL :
							rt_pmu_read(t->env, t->pmu, "events", key);
	if (!event)
		return no_term(t, key, at);
	ret = expand(t, event, at);
	free(event);
	return ret;
}

/* Apply a term that every event accepts; 1 if KEY is not one of them. */
static int general_term(struct terms *t, const char *key, const char *at, uint64_t value)
{
	struct perf_event_attr *attr = &t->spec->attr;

	if (!strcmp(key, "period")) {
		if (!value)
			return rt_scan_fail(t->scan, at, "a period is at least 1");
		attr->sample_period = value;
		attr->freq = 0;
	} else if (!strcmp(key, "freq")) {
		if (!value)
			return rt_scan_fail(t->scan, at, "a frequency is at least 1");
		attr->sample_freq = value;
		attr->freq = 1;
	} else if (!strcmp(key, "max-stack")) {
		if (!value || value > MAX_STACK)
			return rt_scan_fail(t->scan, at, "max-stack is 1 to %d", MAX_STACK);
		attr->sample_max_stack = value;
		if (t->spec->graph == RT_GRAPH_COMMON)
			t->spec->graph = RT_GRAPH_FP;
	} else if (!strcmp(key, "stack-size")) {
		if (!value || value > RT_USER_BYTES_MAX)
			return rt_scan_fail(t->scan, at, "stack-size is 1 to %u bytes",
					    RT_USER_BYTES_MAX);
		t->spec->stack_bytes = (value + 7) & ~7U;
		t->spec->graph = RT_GRAPH_DWARF;
	} else if (!strcmp(key, "config")) {
		attr->config = value;
	} else if (!strcmp(key, "config1")) {
		attr->config1 = value;
	} else if (!strcmp(key, "config2")) {
		attr->config2 = value;
	} else {
		return 1;
	}
	return 0;
}

static int parse_name(struct terms *t, const char *at)
{
	size_t size = rt_scan_until(t->scan, ",/");

	if (!size)
		return rt_scan_fail(t->scan, at, "a name is expected after name=");
	free(t->spec->alias);
	t->spec->alias = rt_scan_string(t->scan, size);
	return t->spec->alias ? 0 : rt_scan_no_memory(t->scan);
}

static int parse_graph(struct terms *t)
{
	static const struct {
		const char *word;
		enum rt_event_graph graph;
	} words[] = {
		{ "no", RT_GRAPH_NONE },
		{ "fp", RT_GRAPH_FP },
		{ "dwarf", RT_GRAPH_DWARF },
	};
	size_t i, size = rt_scan_until(t->scan, ",/");

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].word) != size || strncmp(t->scan->at, words[i].word, size))
			continue;
		t->spec->graph = words[i].graph;
		t->scan->at += size;
		return 0;
	}
	return rt_scan_fail(t->scan, t->scan->at, "call-graph= takes no, fp or dwarf");
}

static bool is_numeric(const char *key)
{
	size_t i;

	for (i = 0; i < NUMERIC; i++)
		if (!strcmp(key, numeric[i]))
			return true;
	return false;
}

static int parse_number(struct terms *t, const char *key, const char *at, bool has_value)
{
	uint64_t value = 0;
	int ret = has_value ? rt_scan_number(t->scan, &value) : 0;

	if (!ret)
		ret = has_value ? general_term(t, key, at, value) : 1;
	if (ret == 1)
		ret = t->pmu ? pmu_term(t, key, at, has_value, value) : no_term(t, key, at);
	return ret;
}

static int parse_term(struct terms *t)
{
	const char *at = t->scan->at;
	bool has_value;
	char *key = rt_scan_string(t->scan, rt_scan_until(t->scan, "=,/"));
	int ret;

	if (!key)
		return rt_scan_no_memory(t->scan);
	has_value = rt_scan_take(t->scan, '=');
	if (!*key)
		ret = rt_scan_fail(t->scan, at,
				   "a term is expected here; every event takes " GENERAL);
	else if (has_value && !strcmp(key, "name"))
		ret = parse_name(t, at);
	else if (has_value && !strcmp(key, "call-graph"))
		ret = parse_graph(t);
	else if (is_numeric(key) && !has_value)
		ret = rt_scan_fail(t->scan, at, "'%s' needs a value: %s=N", key, key);
	else if (!is_numeric(key) && !t->pmu)
		ret = no_term(t, key, at);
	else
		ret = parse_number(t, key, at, has_value);
	free(key);
	return ret;
}

/* Parse terms up to STOP or the end of the text. */
static int parse_terms(struct terms *t, char stop)
{
	int ret;

	if (stop && rt_scan_take(t->scan, stop))
		return 0;
	for (;;) {
		ret = parse_term(t);
		if (ret)
			return ret;
		if (rt_scan_take(t->scan, ','))
			continue;
		if (t->scan->at == t->scan->end ? !stop : rt_scan_take(t->scan, stop))
			return 0;
		return rt_scan_fail(t->scan, t->scan->at,
				    "',' or the closing '/' is expected here");
	}
}

int rt_terms_parse(struct rt_scan *scan, const struct rt_event_env *env, const char *pmu,
		   struct rt_event_spec *spec)
{
	struct terms t = { scan, env, pmu, spec, 0 };
	char *type;

	if (pmu) {
		type = rt_pmu_read(env, pmu, "type", NULL);
		if (!type)
			return rt_scan_fail(scan, scan->text, "there is no PMU '%s' here", pmu);
		spec->attr.type = strtoul(type, NULL, 10);
		free(type);
	}
	return parse_terms(&t, '/');
}
