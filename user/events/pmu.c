// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "events/pmu.h"

#define FILE_MAX 4096

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

char *rt_pmu_read(const struct rt_event_env *env, const char *pmu, const char *dir,
		  const char *name)
{
	char *path = pmu_path(env, pmu, dir, name), *data = NULL;
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

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Files beside an event that say how to read its count: EVENT.unit, EVENT.scale… */
static int is_event(const struct dirent *entry)
{
	return is_visible(entry) && !strchr(entry->d_name, '.');
}

/* The names in a directory that FILTER accepts, until each() returns non-zero. */
static int each_entry(char *path, int (*filter)(const struct dirent *),
		      int (*each)(void *arg, const char *name), void *arg)
{
	struct dirent **entries = NULL;
	int i, ret = 0, count = path ? scandir(path, &entries, filter, alphasort) : 0;

	for (i = 0; i < count; i++) {
		if (!ret)
			ret = each(arg, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	free(path);
	return ret;
}

struct pmus {
	const struct rt_event_env *env;
	int (*each)(void *arg, const char *pmu);
	void *arg;
};

static int each_pmu(void *arg, const char *name)
{
	const struct pmus *p = arg;

	return rt_pmu_exists(p->env, name) ? p->each(p->arg, name) : 0;
}

int rt_pmu_each(const struct rt_event_env *env, int (*each)(void *arg, const char *pmu), void *arg)
{
	struct pmus p = { env, each, arg };

	return each_entry(pmu_path(env, "", NULL, NULL), is_visible, each_pmu, &p);
}

int rt_pmu_each_file(const struct rt_event_env *env, const char *pmu, const char *dir,
		     int (*each)(void *arg, const char *name), void *arg)
{
	return each_entry(pmu_path(env, pmu, dir, NULL), is_event, each, arg);
}

/* --- suggestions ----------------------------------------------------------------- */

struct offers {
	const struct rt_event_env *env;
	const char *pmu;
	struct rt_nearest *near;
};

static int offer_event(void *arg, const char *name)
{
	const struct offers *o = arg;
	char both[2 * RT_NEAREST_LEN];

	if (snprintf(both, sizeof(both), "%s/%s/", o->pmu, name) < (int)sizeof(both))
		rt_nearest_offer(o->near, both);
	return 0;
}

static int offer_events(void *arg, const char *pmu)
{
	struct offers *o = arg;

	o->pmu = pmu;
	return rt_pmu_each_file(o->env, pmu, "events", offer_event, o);
}

void rt_pmu_offer(const struct rt_event_env *env, struct rt_nearest *near)
{
	struct offers o = { env, NULL, near };

	rt_pmu_each(env, offer_events, &o);
}
