// SPDX-License-Identifier: GPL-2.0
#include "record/later.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tracefs.h"

#define ROOM (4U << 20) /* bytes */

uint32_t rt_recording_room(const struct rt_event_list *list)
{
	size_t i;

	for (i = 0; list && i < list->count; i++)
		if (list->specs[i].later)
			return ROOM;
	return 0;
}

static int add_to_file(struct rt_recording *r, struct rt_later *later, struct rt_err *err)
{
	struct rt_writer_event desc = { .name = later->name, .format = later->format };

	rt_recorded_attr(&r->events[later->id - 1], r->arch, &desc.attr);
	later->file = rt_writer_add(r->writer, &desc, err);
	return later->file < 0 ? later->file : 0;
}

/* The event of the same tracepoint, if its module was loaded before. */
static const struct rt_later *same(const struct rt_recording *r, const struct rt_later *one)
{
	size_t i;

	for (i = 0; i < r->later_count; i++)
		if (r->later[i].id == one->id && r->later[i].format &&
		    !strcmp(r->later[i].name, one->name) &&
		    !strcmp(r->later[i].format, one->format))
			return &r->later[i];
	return NULL;
}

/* The format without the number, which may be another one each time; NULL if there is none. */
static char *read_format(const char *name)
{
	char *system = strdup(name), *colon = system ? strchr(system, ':') : NULL;
	char *text = NULL, *plain = NULL;
	struct rt_err ignored;

	if (colon) {
		*colon = 0;
		if (!rt_tracefs_format(NULL, system, colon + 1, &text, &ignored))
			plain = rt_format_with_id(text, 0);
	}
	free(text);
	free(system);
	return plain;
}

static int take_one(struct rt_recording *r, const struct rt_found *found, struct rt_err *err)
{
	struct rt_later *bigger, one = {
		.id = found->id,
		.number = found->number,
		.since = found->since,
	};
	const struct rt_later *before;
	int ret = 0;
	size_t i;

	if (!found->id || found->id > r->count)
		return 0;
	bigger = realloc(r->later, (r->later_count + 1) * sizeof(*bigger));
	if (!bigger)
		return rt_err_set(err, ENOMEM, "out of memory");
	r->later = bigger;
	one.name = strndup(found->name, sizeof(found->name));
	if (!one.name)
		return rt_err_set(err, ENOMEM, "out of memory");
	one.format = read_format(one.name);
	r->events[found->id - 1].waits = false;
	before = one.format ? same(r, &one) : NULL;
	if (before)
		one.file = before->file;
	else if (one.format)
		ret = add_to_file(r, &one, err);
	/* The file has no room for it: its records count as not understood. */
	if (ret == -E2BIG) {
		free(one.format);
		one.format = NULL;
		ret = 0;
	}
	if (ret) {
		free(one.name);
		free(one.format);
		return ret;
	}
	for (i = 0; i < r->later_count; i++)
		r->later[i].replaced |=
			r->later[i].id == one.id && r->later[i].number == one.number;
	r->later[r->later_count++] = one;
	return 0;
}

int rt_later_take(struct rt_recording *r, struct rt_err *err)
{
	struct rt_found found;
	int ret, failed;

	if (r->foreign || !rt_recording_room(r->list))
		return 0;
	do {
		ret = rt_agent_session_found(&r->session, &found, err);
		failed = ret > 0 ? take_one(r, &found, err) : 0;
	} while (ret > 0 && !failed);
	return failed ? failed : ret;
}

static bool is_of(const struct rt_later *later, uint32_t id, uint32_t number, uint64_t time)
{
	return later->id == id && later->number == number && later->since <= time;
}

const struct rt_later *rt_later_find(struct rt_recording *r, uint32_t id, uint32_t number,
				     uint64_t time)
{
	size_t i = r->later_hint;

	if (i < r->later_count && is_of(&r->later[i], id, number, time) && !r->later[i].replaced)
		return &r->later[i];
	for (i = r->later_count; i-- > 0;)
		if (is_of(&r->later[i], id, number, time))
			break;
	if (i >= r->later_count || !r->later[i].format)
		return NULL;
	r->later_hint = i;
	return &r->later[i];
}

int rt_later_refile(struct rt_recording *r, const struct rt_recorded *pattern, struct rt_err *err)
{
	uint32_t id = pattern - r->events + 1;
	const struct rt_later *before;
	size_t i, known = r->later_count;
	int ret = 0;

	for (i = 0; !ret && i < known; i++) {
		if (r->later[i].id != id || !r->later[i].format)
			continue;
		before = same(r, &r->later[i]);
		if (before == &r->later[i])
			ret = add_to_file(r, &r->later[i], err);
		else
			r->later[i].file = before->file;
	}
	return ret;
}

char *rt_later_line(const struct rt_recording *r)
{
	char *line = NULL;
	FILE *out;
	size_t i, size;

	if (!rt_recording_room(r->list))
		return NULL;
	out = open_memstream(&line, &size);
	if (!out)
		return NULL;
	fprintf(out, "through perf_events, when their modules are loaded:");
	for (i = 0; i < r->list->count; i++)
		if (r->list->specs[i].later)
			fprintf(out, " %s:%s", r->list->specs[i].system, r->list->specs[i].name);
	fprintf(out,
		"; a module that has just been loaded cannot be unloaded for up to a second, and "
		"hits inside a handler of perf are missing and not counted");
	fclose(out);
	return line;
}

void rt_recording_free_later(struct rt_recording *r)
{
	size_t i;

	for (i = 0; i < r->later_count; i++) {
		free(r->later[i].name);
		free(r->later[i].format);
	}
	free(r->later);
	r->later = NULL;
	r->later_count = 0;
}
