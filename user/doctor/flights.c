// SPDX-License-Identifier: GPL-2.0
/* flights.c - sessions that the module keeps, and whether they keep an older module loaded. */
#include "doctor/doctor.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/device.h"
#include "agent/pins.h"

static size_t list(int fd, char *text, size_t size, char *first)
{
	struct rt_pinned p;
	size_t count, used = 0;

	for (count = 0; !rt_agent_pinned(fd, count, &p); count++) {
		if (!count)
			memcpy(first, p.name, sizeof(p.name));
		if (used < size)
			used += snprintf(text + used, size - used,
					 "%s%s: %s, %llu KB, started by user %u (%.*s)",
					 count ? "; " : "", p.name,
					 p.state == RT_PINNED_RECORDING ? "recording" : "stopped",
					 (unsigned long long)p.bytes / 1024, p.uid, RT_COMM_LEN,
					 p.comm);
	}
	return count;
}

void rt_check_flights(struct rt_doctor *m, struct rt_finding *f)
{
	char text[sizeof(f->text) / 2], first[RT_PIN_NAME_MAX];
	struct rt_err err;
	int fd;

	if (!m->has_info) {
		rt_finding_set(f, RT_VERDICT_UNCHECKED, "the module tells, once it is loaded");
		return;
	}
	if (rt_agent_pins_check(&m->info, &err)) {
		rt_finding_set(f, RT_VERDICT_NOTE, "%s", err.text);
		rt_finding_fix(f, "rmmod ringtail; modprobe ringtail");
		return;
	}
	fd = rt_device_open(&err);
	if (fd < 0) {
		rt_finding_set(f, RT_VERDICT_NOTE, "%s", err.text);
		return;
	}
	if (!list(fd, text, sizeof(text), first)) {
		rt_finding_set(f, RT_VERDICT_OK, "none is running");
	} else if (strcmp(m->info.version, RT_VERSION)) {
		rt_finding_set(f, RT_VERDICT_NOTE,
			       "%s; this keeps module version %s loaded, the program is %s", text,
			       m->info.version, RT_VERSION);
		rt_finding_fix(f, "ringtail flight stop %s; rmmod ringtail; modprobe ringtail",
			       first);
	} else {
		rt_finding_set(f, RT_VERDICT_OK, "%s", text);
	}
	close(fd);
}
