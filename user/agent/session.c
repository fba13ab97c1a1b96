// SPDX-License-Identifier: GPL-2.0
#include "agent/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "agent/device.h"
#include "agent/refusal.h"

/* One call; its refusal, if there is one, becomes the sentence. */
static int call(struct rt_session *s, unsigned long number, void *argument,
		const struct rt_refusal *refusal, const char *what, struct rt_err *err)
{
	int saved;

	if (ioctl(s->fd, number, argument) >= 0)
		return 0;
	saved = errno;
	return rt_err_set(err, saved, "%s: %s", what, rt_refusal_text(refusal, saved));
}

int rt_session_open(struct rt_session *s, const struct rt_rings *shape, struct rt_err *err)
{
	int ret;

	memset(s, 0, sizeof(*s));
	s->fd = rt_device_open(err);
	if (s->fd < 0)
		return s->fd;
	ret = rt_device_info(s->fd, &s->info, err);
	if (ret)
		goto err_close;
	s->rings = *shape;
	s->rings.size = sizeof(s->rings);
	ret = call(s, RT_IOC_RINGS, &s->rings, &s->rings.refusal, "cannot set up the rings", err);
	if (ret)
		goto err_close;
	s->cpus = s->info.cpus_possible;
	s->events = calloc(s->cpus, sizeof(*s->events));
	s->side = calloc(s->cpus, sizeof(*s->side));
	if (!s->events || !s->side) {
		ret = rt_err_set(err, ENOMEM, "out of memory");
		goto err_close;
	}
	ret = rt_session_map_new(s, err);
	if (ret < 0)
		goto err_close;
	return 0;

err_close:
	rt_session_close(s);
	return ret;
}

void rt_session_close(struct rt_session *s)
{
	uint32_t i;

	for (i = 0; i < s->cpus; i++) {
		if (s->events)
			rt_cpuring_unmap(&s->events[i]);
		if (s->side)
			rt_cpuring_unmap(&s->side[i]);
	}
	free(s->events);
	free(s->side);
	if (s->fd >= 0)
		close(s->fd);
	memset(s, 0, sizeof(*s));
	s->fd = -1;
}

static int map_one(struct rt_session *s, struct rt_cpuring *r, uint32_t cpu, uint32_t parts,
		   struct rt_err *err)
{
	int ret;

	if (r->status)
		return 1;
	ret = rt_cpuring_map(r, s->fd, cpu, parts, err);
	if (ret == -ENXIO)
		return 0;
	return ret ? ret : 1;
}

int rt_session_map_new(struct rt_session *s, struct rt_err *err)
{
	int mapped = 0, ret;
	uint32_t cpu;

	for (cpu = 0; cpu < s->cpus; cpu++) {
		ret = map_one(s, &s->side[cpu], cpu, RT_MMAP_SIDE, err);
		if (ret >= 0)
			ret = map_one(s, &s->events[cpu], cpu, 0, err);
		if (ret < 0)
			return ret;
		mapped += ret;
	}
	return mapped;
}

int rt_session_drain(struct rt_session *s, struct rt_err *err)
{
	uint32_t cpu;

	if (ioctl(s->fd, RT_IOC_FLUSH, NULL))
		return rt_err_set(err, errno, "cannot close the sub-buffers: %s", strerror(errno));
	for (cpu = 0; cpu < s->cpus; cpu++)
		rt_cpuring_drain(&s->events[cpu]);
	return 0;
}

int rt_session_add(struct rt_session *s, struct rt_event_add *add, struct rt_err *err)
{
	add->size = sizeof(*add);
	return call(s, RT_IOC_ADD, add, &add->refusal, "refused", err);
}

int rt_session_target(struct rt_session *s, uint32_t what, uint64_t value, struct rt_err *err)
{
	struct rt_target target = { .size = sizeof(target), .what = what, .value = value };

	return call(s, RT_IOC_TARGET, &target, &target.refusal, "cannot restrict the session", err);
}

int rt_session_enable(struct rt_session *s, struct rt_err *err)
{
	struct rt_switch sw = { .size = sizeof(sw) };

	return call(s, RT_IOC_ENABLE, &sw, &sw.refusal, "cannot begin to record", err);
}

int rt_session_disable(struct rt_session *s, struct rt_err *err)
{
	struct rt_switch sw = { .size = sizeof(sw) };

	return call(s, RT_IOC_DISABLE, &sw, &sw.refusal, "cannot stop recording", err);
}

int rt_session_counts(struct rt_session *s, uint32_t id, uint32_t cpu, struct rt_counts *counts,
		      struct rt_err *err)
{
	memset(counts, 0, sizeof(*counts));
	counts->size = sizeof(*counts);
	counts->id = id;
	counts->cpu = cpu;
	return call(s, RT_IOC_COUNTS, counts, &counts->refusal, "cannot read the counts", err);
}
