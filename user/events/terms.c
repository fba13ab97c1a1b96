// SPDX-License-Identifier: GPL-2.0
/*
 * The terms between slashes: `cycles/period=1000,name=x/`, `cpu/event=0x3c/`.
 * What a PMU's own terms mean is described by the kernel in sysfs.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "events/counter.h"

#define FILE_MAX     4096
#define GENERAL	     "period=N, freq=N, name=TEXT, max-stack=N, config=N, config1=N, config2=N"
#define MAX_STACK    127
#define EXPAND_DEPTH 1 /* an event of a PMU stands for terms, those for nothing else */

struct terms {
	struct rt_scan *scan;
	const struct rt_event_env *env;
	const char *pmu;
	struct rt_event_spec *spec;
	int depth;
};

static char *pmu_path(const struct rt_event_env *env, const char *pmu, const char *dir,
		      const char *name)
{
	char *path;

	if (asprintf(&path, "%s/bus/event_source/devices/%s%s%s%s%s",
		     env->sysfs ? env->sysfs : "/sys", pmu, dir ? "/" : "", dir ? dir : "",
		     name ? "/" : "", name ? name : "") < 0)
		return NULL;
	return path;
}

/* The contents of a PMU's file without the newline, to be freed; NULL if there is none. */
static char *pmu_read(const struct terms *t, const char *dir, const char *name)
{
	char *path = pmu_path(t->env, t->pmu, dir, name), *data = NULL;
	size_t size;

	if (path && rt_file_read(path, FILE_MAX, &data, &size))
		data = NULL;
	free(path);
	if (data)
		data[strcspn(data, "\n")] = 0;
	return data;
}

bool rt_pmu_exists(const struct rt_event_env *env, const char *pmu)
{
	char *path;
	bool exists;

	if (!*pmu || strchr(pmu, '/') || !strcmp(pmu, ".") || !strcmp(pmu, ".."))
		return false;
	path = pmu_path(env, pmu, "type", NULL);
	exists = path && rt_file_exists(path);
	free(path);
	return exists;
}

/* Put VALUE into the bits that FORMAT ("config:0-7,32") names, lowest first; -E2BIG if too large. */
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

/* An event of the PMU by name: its file holds terms. */
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

static int pmu_term(struct terms *t, const char *key, const char *at, bool has_value,
		    uint64_t value)
{
	char *format = pmu_read(t, "format", key), *event;
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
	event = has_value || t->depth == EXPAND_DEPTH ? NULL : pmu_read(t, "events", key);
	if (!event)
		return rt_scan_fail(
			t->scan, at,
			"'%s' is neither a term nor an event of PMU '%s' (see "
			"bus/event_source/devices/%s in sysfs); every event takes " GENERAL,
			key, t->pmu, t->pmu);
	ret = expand(t, event, at);
	free(event);
	return ret;
}

/* The terms that every event takes; 1 if KEY is none of them. */
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

static bool is_general(const char *key)
{
	return !strcmp(key, "period") || !strcmp(key, "freq") || !strcmp(key, "max-stack") ||
	       !strcmp(key, "config") || !strcmp(key, "config1") || !strcmp(key, "config2");
}

static int parse_term(struct terms *t)
{
	const char *at = t->scan->at;
	bool has_value;
	uint64_t value = 0;
	char *key = rt_scan_string(t->scan, rt_scan_until(t->scan, "=,/"));
	int ret;

	if (!key)
		return rt_scan_no_memory(t->scan);
	has_value = rt_scan_take(t->scan, '=');
	if (!*key) {
		ret = rt_scan_fail(t->scan, at,
				   "a term is expected here; every event takes " GENERAL);
	} else if (has_value && !strcmp(key, "name")) {
		ret = parse_name(t, at);
	} else if (is_general(key) && !has_value) {
		ret = rt_scan_fail(t->scan, at, "'%s' needs a value: %s=N", key, key);
	} else {
		ret = has_value ? rt_scan_number(t->scan, &value) : 0;
		if (!ret)
			ret = has_value ? general_term(t, key, at, value) : 1;
		if (ret == 1 && t->pmu)
			ret = pmu_term(t, key, at, has_value, value);
		else if (ret == 1)
			ret = rt_scan_fail(t->scan, at,
					   "'%s' is no term; this event takes " GENERAL, key);
	}
	free(key);
	return ret;
}

/* Terms up to STOP, or the end of the text. */
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
		type = pmu_read(&t, "type", NULL);
		if (!type)
			return rt_scan_fail(scan, scan->text, "there is no PMU '%s' here", pmu);
		spec->attr.type = strtoul(type, NULL, 10);
		free(type);
	}
	return parse_terms(&t, '/');
}
