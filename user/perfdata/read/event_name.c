// SPDX-License-Identifier: GPL-2.0
/* event_name.c - perf's names for events that have no name in the file. */
#include "perfdata/read/internal.h"

#include <inttypes.h>
#include <stdio.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const hardware[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const software[] = {
	"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",	    "bpf-output",
};

static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
				      "iTLB",	   "branch",	"node" };
static const char *const cache_ops[][2] = {
	{ "load", "loads" },
	{ "store", "stores" },
	{ "prefetch", "prefetches" },
};
/* The operations of each cache: bit 0 load, 1 store, 2 prefetch. */
static const unsigned char cache_valid[] = { 7, 5, 7, 7, 1, 1, 7 };

static void cache_name(uint64_t config, char *buf, size_t size)
{
	unsigned cache = config & 0xff, op = config >> 8 & 0xff, miss = config >> 16 & 0xff;

	if (cache >= COUNT(caches))
		snprintf(buf, size, "unknown-ext-hardware-cache-type");
	else if (op >= COUNT(cache_ops))
		snprintf(buf, size, "unknown-ext-hardware-cache-op");
	else if (miss > 1)
		snprintf(buf, size, "unknown-ext-hardware-cache-result");
	else if (!(cache_valid[cache] >> op & 1))
		snprintf(buf, size, "invalid-cache");
	else if (miss)
		snprintf(buf, size, "%s-%s-misses", caches[cache], cache_ops[op][0]);
	else
		snprintf(buf, size, "%s-%s", caches[cache], cache_ops[op][1]);
}

/* Append ":u", ":k", ":ppp", ":H" …: where the event counts, if not everywhere. */
static void add_modifiers(const struct rt_attr *attr, char *buf, size_t size)
{
	const uint64_t domains = RT_ATTR_EXCLUDE_KERNEL | RT_ATTR_EXCLUDE_USER | RT_ATTR_EXCLUDE_HV;
	bool guest_excluded = attr->flags & RT_ATTR_EXCLUDE_GUEST;
	unsigned precise = RT_ATTR_PRECISE_IP(attr->flags);
	bool guest_default = attr->flags & domains || precise;
	char mods[16];
	size_t n = 0;

	if (attr->flags & domains) {
		if (!(attr->flags & RT_ATTR_EXCLUDE_KERNEL))
			mods[n++] = 'k';
		if (!(attr->flags & RT_ATTR_EXCLUDE_USER))
			mods[n++] = 'u';
		if (!(attr->flags & RT_ATTR_EXCLUDE_HV))
			mods[n++] = 'h';
	}
	while (precise--)
		mods[n++] = 'p';
	if (attr->flags & RT_ATTR_EXCLUDE_HOST || guest_excluded == guest_default) {
		if (!(attr->flags & RT_ATTR_EXCLUDE_HOST))
			mods[n++] = 'H';
		if (!guest_excluded)
			mods[n++] = 'G';
	}
	mods[n] = 0;
	if (n)
		snprintf(buf + strlen(buf), size - strlen(buf), ":%s", mods);
}

void rt_attr_name(const struct rt_attr *attr, char *buf, size_t size)
{
	uint64_t config = attr->config;

	switch (attr->type) {
	case RT_TYPE_HARDWARE:
		snprintf(buf, size, "%s",
			 config < COUNT(hardware) ? hardware[config] : "unknown-hardware");
		break;
	case RT_TYPE_SOFTWARE:
		snprintf(buf, size, "%s",
			 config < COUNT(software) ? software[config] : "unknown-software");
		break;
	case RT_TYPE_HW_CACHE:
		cache_name(config, buf, size);
		break;
	case RT_TYPE_RAW:
		snprintf(buf, size, "raw 0x%" PRIx64, config);
		break;
	case RT_TYPE_BREAKPOINT:
		snprintf(buf, size, "mem:0x%" PRIx64 ":%s%s%s", attr->config1,
			 attr->bp_type & 1 ? "r" : "", attr->bp_type & 2 ? "w" : "",
			 attr->bp_type & 4 ? "x" : "");
		break;
	case RT_TYPE_TRACEPOINT:
		snprintf(buf, size, "unknown tracepoint");
		return;
	default:
		snprintf(buf, size, "unknown attr type: %d", (int)attr->type);
		return;
	}
	add_modifiers(attr, buf, size);
}

bool rt_perf_event_is_watch(const struct rt_perf_event *event)
{
	static const char system[] = "watch:";
	const char *name = rt_perf_event_name(event);

	return event->attr.type == RT_TYPE_TRACEPOINT && name &&
	       !strncmp(name, system, sizeof(system) - 1);
}
