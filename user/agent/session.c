// SPDX-License-Identifier: GPL-2.0
#include "agent/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "agent/device.h"
#include "agent/kept.h"
#include "agent/pins.h"
#include "abi/refusal.h"
#include "host/cpus.h"

enum { RT_ABI_MINOR_LENIENT = 3 };

/* Make one ioctl; turn a refusal into a sentence. */
static int call(struct rt_agent_session *s, unsigned long number, void *argument,
		const struct rt_refusal *refusal, const char *what, struct rt_err *err)
{
	int saved;

	if (ioctl(s->fd, number, argument) >= 0)
		return 0;
	saved = errno;
	return rt_err_set(err, saved, "%s: %s", what, rt_refusal_text(refusal, saved));
}

int rt_agent_session_open(struct rt_agent_session *s, const struct rt_rings *rings,
			  struct rt_err *err)
{
	int ret;

	memset(s, 0, sizeof(*s));
	s->fd = rt_device_open(err);
	if (s->fd < 0)
		return s->fd;
	ret = rt_device_info(s->fd, &s->info, err);
	if (ret)
		goto err_close;
	if (rings->flags)
		ret = rt_agent_pins_check(&s->info, err);
	if (!ret && rings->flags & RT_RINGS_KEPT)
		ret = rt_agent_kept_check(&s->info, err);
	if (ret)
		goto err_close;
	s->rings = *rings;
	s->rings.size = sizeof(s->rings);
	ret = call(s, RT_IOC_RINGS, &s->rings, &s->rings.refusal, "cannot set up the rings", err);
	if (ret)
		goto err_close;
	/* CPU numbers may have gaps. */
	s->cpus = s->info.cpu_ids ? s->info.cpu_ids : s->info.cpus_possible;
	s->events = calloc(s->cpus, sizeof(*s->events));
	s->side = calloc(s->cpus, sizeof(*s->side));
	if (!s->events || !s->side) {
		ret = rt_err_set(err, ENOMEM, "out of memory");
		goto err_close;
	}
	ret = rt_agent_session_map_new(s, err);
	if (ret)
		goto err_close;
	return 0;

err_close:
	rt_agent_session_close(s);
	return ret;
}

void rt_agent_session_close(struct rt_agent_session *s)
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

static int map_one(struct rt_agent_session *s, struct rt_cpuring *r, uint32_t cpu, uint32_t parts,
		   struct rt_err *err)
{
	int ret;

	if (r->status)
		return 0;
	ret = rt_cpuring_map(r, s->fd, cpu, parts, err);
	return ret == -ENXIO ? 0 : ret;
}

static int map_range(struct rt_agent_session *s, const struct rt_number_range *range,
		     struct rt_err *err)
{
	uint64_t cpu;
	int ret = 0;

	for (cpu = range->first; !ret && cpu <= range->last && cpu < s->cpus; cpu++) {
		ret = map_one(s, &s->side[cpu], cpu, RT_MMAP_SIDE, err);
		if (!ret)
			ret = map_one(s, &s->events[cpu], cpu, 0, err);
	}
	return ret;
}

int rt_agent_session_map_new(struct rt_agent_session *s, struct rt_err *err)
{
	const struct rt_number_range all = { 0, UINT64_MAX };
	struct rt_numbers present;
	size_t i;
	int ret = 0;

	/*
	 * Look only at present CPUs: a large machine may have thousands of possible ones.  Online
	 * CPUs are not enough: a CPU may have come and gone since the last call and left a ring.
	 */
	if (rt_host_present_cpus(NULL, &present))
		return map_range(s, &all, err);
	for (i = 0; !ret && i < present.count; i++)
		ret = map_range(s, &present.list[i], err);
	rt_numbers_free(&present);
	return ret;
}

int rt_agent_session_drain(struct rt_agent_session *s, struct rt_err *err)
{
	uint32_t cpu;

	if (ioctl(s->fd, RT_IOC_FLUSH, NULL))
		return rt_err_set(err, errno, "cannot close the sub-buffers: %s", strerror(errno));
	for (cpu = 0; cpu < s->cpus; cpu++)
		rt_cpuring_drain(&s->events[cpu]);
	return 0;
}

bool rt_agent_session_draining(const struct rt_agent_session *s)
{
	uint32_t cpu;

	for (cpu = 0; cpu < s->cpus; cpu++)
		if (s->events[cpu].drain)
			return true;
	return false;
}

void rt_agent_session_drain_end(struct rt_agent_session *s)
{
	uint32_t cpu;

	for (cpu = 0; cpu < s->cpus; cpu++)
		s->events[cpu].drain = 0;
}

uint64_t rt_agent_session_pending(const struct rt_agent_session *s)
{
	uint64_t pending = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < s->cpus; cpu++)
		pending += rt_cpuring_pending(&s->events[cpu]);
	return pending;
}

int rt_agent_session_add(struct rt_agent_session *s, struct rt_event_add *add, struct rt_err *err)
{
	add->size = sizeof(*add);
	return call(s, RT_IOC_ADD, add, &add->refusal, "refused", err);
}

int rt_agent_session_target(struct rt_agent_session *s, uint32_t what, uint64_t value,
			    struct rt_err *err)
{
	struct rt_target target = { .size = sizeof(target), .what = what, .value = value };

	return call(s, RT_IOC_TARGET, &target, &target.refusal, "cannot restrict the session", err);
}

/* Whether a refusal of ENABLE names the event that could not be armed. */
static bool names_event(uint32_t reason)
{
	return reason == RT_REFUSED_ARMING || reason == RT_REFUSED_FILE ||
	       reason == RT_REFUSED_INSTRUCTION || reason == RT_REFUSED_SEMAPHORE;
}

static int enable(struct rt_agent_session *s, uint32_t value, struct rt_err *err)
{
	struct rt_switch sw = { .size = sizeof(sw), .value = value };

	int ret = call(s, RT_IOC_ENABLE, &sw, &sw.refusal, "cannot begin to record", err);

	s->left_out = ret ? 0 : sw.left_out;
	s->refused = ret && names_event(sw.refusal.reason) ? sw.refusal.detail : 0;
	return ret;
}

int rt_agent_session_arm(struct rt_agent_session *s, bool lenient, struct rt_err *err)
{
	/* Older modules arm all events or none. */
	if (s->info.abi_minor < RT_ABI_MINOR_LENIENT)
		lenient = false;
	return enable(s, RT_ENABLE_HELD | (lenient ? RT_ENABLE_LENIENT : 0), err);
}

int rt_agent_session_enable(struct rt_agent_session *s, struct rt_err *err)
{
	return enable(s, 0, err);
}

int rt_agent_session_start(struct rt_agent_session *s, pid_t pid, struct rt_err *err)
{
	struct rt_switch sw = { .size = sizeof(sw), .value = pid };

	return call(s, RT_IOC_START, &sw, &sw.refusal, "cannot begin to record", err);
}

void rt_agent_session_stop(const struct rt_agent_session *s)
{
	int saved = errno;

	ioctl(s->fd, RT_IOC_STOP, NULL);
	errno = saved;
}

/* Ask for what the module knows by now: what the side-band lacks, how much memory is used. */
static int ask_again(struct rt_agent_session *s, struct rt_err *err)
{
	return rt_device_info(s->fd, &s->info, err);
}

int rt_agent_session_disable(struct rt_agent_session *s, struct rt_err *err)
{
	struct rt_switch sw = { .size = sizeof(sw) };
	int ret;

	ret = call(s, RT_IOC_DISABLE, &sw, &sw.refusal, "cannot stop recording", err);
	return ret ? ret : ask_again(s, err);
}

int rt_agent_session_counts(struct rt_agent_session *s, uint32_t id, uint32_t cpu,
			    struct rt_counts *counts, struct rt_err *err)
{
	memset(counts, 0, sizeof(*counts));
	counts->size = sizeof(*counts);
	counts->id = id;
	counts->cpu = cpu;
	return call(s, RT_IOC_COUNTS, counts, &counts->refusal, "cannot read the counts", err);
}

int rt_agent_session_found(struct rt_agent_session *s, struct rt_found *found, struct rt_err *err)
{
	int ret;

	memset(found, 0, sizeof(*found));
	found->size = sizeof(*found);
	ret = call(s, RT_IOC_FOUND, found, &found->refusal,
		   "cannot read the tracepoints of modules", err);
	return ret == -ENOENT ? 0 : ret ? ret : 1;
}
