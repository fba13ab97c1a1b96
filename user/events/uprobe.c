// SPDX-License-Identifier: GPL-2.0
/* Parse user probes: PATH:FUNCTION[+off], PATH:0xOFFSET, and find their places in the file. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/probe.h"

#define FORM "a user probe is PATH:FUNCTION[+off] or PATH:0xOFFSET, the offset in the file"

/* Parse (0xOFFSET), as tracefs' uprobe_events writes the semaphore of a marker. */
static int parse_semaphore(struct rt_scan *scan, struct rt_event_spec *spec)
{
	if (!rt_scan_take(scan, '('))
		return 0;
	if (rt_scan_number(scan, &spec->semaphore))
		return -EINVAL;
	if (!rt_scan_take(scan, ')'))
		return rt_scan_fail(scan, scan->at, "')' is missing after the semaphore's offset");
	return 0;
}

int rt_uprobe_parse(struct rt_scan *scan, struct rt_event_spec *spec)
{
	size_t size = rt_scan_until(scan, ":"), next;

	if (!size || scan->at + size == scan->end || scan->at[size] != ':')
		return rt_scan_fail(scan, scan->at, FORM);
	spec->path = rt_scan_string(scan, size);
	if (!spec->path)
		return rt_scan_no_memory(scan);
	scan->at++;
	if (isdigit((unsigned char)rt_scan_peek(scan))) {
		if (rt_scan_number(scan, &spec->address))
			return -EINVAL;
		return parse_semaphore(scan, spec);
	}
	/* Names of C++ and Rust have colons, those of Go parentheses: main.(*T).f. */
	size = rt_scan_until(scan, "+%(");
	while (scan->at + size < scan->end && scan->at[size] == '(' &&
	       !isdigit((unsigned char)scan->at[size + 1])) {
		scan->at += size + 1;
		next = rt_scan_until(scan, "+%(");
		scan->at -= size + 1;
		size += 1 + next;
	}
	if (!size)
		return rt_scan_fail(scan, scan->at, FORM);
	spec->symbol = rt_scan_string(scan, size);
	if (!spec->symbol)
		return rt_scan_no_memory(scan);
	if (rt_scan_take(scan, '+') && rt_scan_number(scan, &spec->offset))
		return -EINVAL;
	return parse_semaphore(scan, spec);
}

int rt_uprobe_find(const struct rt_scan *scan, const struct rt_event_env *env,
		   const struct rt_event_spec *spec, struct rt_user_places *out)
{
	struct rt_user_query query = {
		.path = spec->path,
		.symbol = spec->symbol,
		.offset = spec->symbol ? spec->offset : spec->address,
		.returns = rt_event_returns(spec),
	};
	struct rt_err err;
	int ret;

	if (!env->user)
		return rt_scan_fail(scan, scan->text, "files are not looked into here");
	ret = env->user(env->data, &query, out, &err);
	if (ret == -ENOMEM)
		return rt_scan_no_memory(scan);
	return ret ? rt_scan_fail(scan, scan->text, "%s", err.text) : 0;
}

int rt_uprobe_place(struct rt_event_spec *spec, const struct rt_user_places *places, size_t which)
{
	char *group = strdup(places->group);

	if (!group)
		return -ENOMEM;
	free(spec->system);
	spec->system = group;
	spec->fd = places->fd;
	spec->go = places->go;
	spec->address = places->offsets[which];
	return 0;
}

void rt_user_places_free(struct rt_user_places *places)
{
	free(places->group);
	free(places->offsets);
	memset(places, 0, sizeof(*places));
}
