// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>

#include "events/layout.h"
#include "events/probe.h"

#define FORM "mem:ADDRESS|SYMBOL[+off][/LENGTH][:rwx]"

static int parse_address(struct rt_scan *scan, const struct rt_event_env *env,
			 struct rt_event_spec *spec)
{
	const char *begin = scan->at;
	size_t size = rt_scan_symbol(scan);
	uint64_t end;

	if (!size) {
		if (!isdigit((unsigned char)rt_scan_peek(scan)))
			return rt_scan_fail(scan, begin,
					    "an address or a symbol is expected: " FORM);
		if (rt_scan_number(scan, &spec->address))
			return -EINVAL;
	} else {
		spec->symbol = rt_scan_string(scan, size);
		if (!spec->symbol)
			return rt_scan_no_memory(scan);
		if (!env->symbol ||
		    env->symbol(env->data, NULL, spec->symbol, &spec->address, &end))
			return rt_scan_fail(scan, begin, "there is no symbol '%s' here",
					    spec->symbol);
	}
	if (rt_scan_take(scan, '+')) {
		if (rt_scan_number(scan, &spec->offset))
			return -EINVAL;
		spec->address += spec->offset;
	}
	return 0;
}

static int parse_access(struct rt_scan *scan, struct rt_event_spec *spec)
{
	const char *begin = scan->at;

	for (;; scan->at++) {
		switch (rt_scan_peek(scan)) {
		case 'r':
			spec->access |= RT_WATCH_READ;
			continue;
		case 'w':
			spec->access |= RT_WATCH_WRITE;
			continue;
		case 'x':
			spec->access |= RT_WATCH_EXECUTE;
			continue;
		}
		break;
	}
	if (scan->at == begin || rt_scan_until(scan, ""))
		return rt_scan_fail(scan, begin, "the access is r, w, rw or x");
	if ((spec->access & RT_WATCH_EXECUTE) && spec->access != RT_WATCH_EXECUTE)
		return rt_scan_fail(scan, begin, "x cannot be watched together with r or w");
	return 0;
}

static int parse_length(struct rt_scan *scan, struct rt_event_spec *spec)
{
	const char *begin = scan->at;
	uint64_t length;

	if (rt_scan_number(scan, &length))
		return -EINVAL;
	if (length != 1 && length != 2 && length != 4 && length != 8)
		return rt_scan_fail(scan, begin, "1, 2, 4 or 8 bytes can be watched");
	if (spec->address % length)
		return rt_scan_fail(scan, begin, "%u bytes can be watched only at a multiple of %u",
				    (unsigned int)length, (unsigned int)length);
	spec->length = length;
	return 0;
}

static void fill_attr(struct rt_event_spec *spec)
{
	struct perf_event_attr *attr = &spec->attr;

	attr->type = PERF_TYPE_BREAKPOINT;
	attr->bp_addr = spec->address;
	attr->bp_len = spec->length;
	attr->bp_type = (spec->access & RT_WATCH_READ ? HW_BREAKPOINT_R : 0) |
			(spec->access & RT_WATCH_WRITE ? HW_BREAKPOINT_W : 0) |
			(spec->access & RT_WATCH_EXECUTE ? HW_BREAKPOINT_X : 0);
}

/* The largest length the address is aligned to, at most 4, which perf takes as well. */
static uint32_t default_length(const struct rt_event_spec *spec)
{
	uint32_t length = spec->access & RT_WATCH_EXECUTE ? 8 : 4;

	while (!(spec->access & RT_WATCH_EXECUTE) && spec->address % length)
		length /= 2;
	return length;
}

static int make_name(struct rt_event_spec *spec)
{
	int ret;
	char *c;

	if (spec->symbol)
		ret = asprintf(&spec->name, "%s", spec->symbol);
	else
		ret = asprintf(&spec->name, "mem_%llx", (unsigned long long)spec->address);
	if (ret < 0) {
		spec->name = NULL;
		return -ENOMEM;
	}
	for (c = spec->name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			*c = '_';
	spec->system = strdup("watch");
	return spec->system ? 0 : -ENOMEM;
}

int rt_watch_parse(struct rt_scan *scan, const struct rt_event_env *env, struct rt_event_spec *spec)
{
	struct rt_layout_given given[] = {
		{ "__probe_ip", RT_CONTEXT_IP, 8, true },
		{ "old", RT_CONTEXT_OLD, 8, false },
		{ "new", RT_CONTEXT_NEW, 8, false },
	};
	size_t count;

	if (parse_address(scan, env, spec))
		return -EINVAL;
	if (rt_scan_take(scan, '/') && parse_length(scan, spec))
		return -EINVAL;
	if (rt_scan_take(scan, ':') && parse_access(scan, spec))
		return -EINVAL;
	if (scan->at != scan->end)
		return rt_scan_fail(scan, scan->at, "'%s' is not understood; a watch is " FORM,
				    scan->at);
	if (!spec->access)
		spec->access = RT_WATCH_READ | RT_WATCH_WRITE;
	if (!spec->length)
		spec->length = default_length(spec);
	fill_attr(spec);
	if (make_name(spec))
		return rt_scan_no_memory(scan);
	given[1].size = given[2].size = spec->length;
	/* An instruction that is executed has no old and new value. */
	count = spec->access & RT_WATCH_EXECUTE ? 1 : 3;
	return rt_layout_make(spec, given, count, NULL, 0, scan->err);
}
