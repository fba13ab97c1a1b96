// SPDX-License-Identifier: GPL-2.0
#include "record/expand.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "perfdata/synth.h"

enum { FORMAT_LIMIT = 1 << 20 };

char *rt_expand_format(const char *system, const char *name, struct rt_err *err)
{
	static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[512], *text;
	size_t i;

	for (i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		snprintf(path, sizeof(path), "%s/events/%s/%s/format", roots[i], system, name);
		if (!rt_file_read(path, FORMAT_LIMIT, &text, NULL))
			return text;
	}
	rt_err_set(err, ENOENT,
		   "cannot read the format of %s:%s: mount -t tracefs tracefs /sys/kernel/tracing",
		   system, name);
	return NULL;
}

/* --- events ---------------------------------------------------------------------- */

/* Flags of the common fields, as the kernel's trace_flag_type numbers them. */
enum { COMMON_IRQS_OFF = 0x01, COMMON_HARDIRQ = 0x08, COMMON_SOFTIRQ = 0x10, COMMON_NMI = 0x40 };

static uint8_t common_flags(const struct rt_record_head *head)
{
	uint8_t flags = head->flags & RT_HEAD_IRQS_OFF ? COMMON_IRQS_OFF : 0;

	switch (head->level) {
	case RT_LEVEL_NMI:
		return flags | COMMON_NMI;
	case RT_LEVEL_HARDIRQ:
		return flags | COMMON_HARDIRQ;
	case RT_LEVEL_SOFTIRQ:
		return flags | COMMON_SOFTIRQ;
	default:
		return flags;
	}
}

/* The address of a probe is its first field; that of a return, its second: the caller. */
static uint64_t address_of(const struct rt_event_spec *spec, const void *fields, size_t bytes)
{
	const uint64_t *word = fields;

	if (spec->kind == RT_EVENT_KPROBE && bytes >= 8)
		return word[0];
	if (spec->kind == RT_EVENT_KRETPROBE && bytes >= 16)
		return word[1];
	return 0;
}

int rt_expand_event(struct rt_recording *r, const struct rt_record *rec, uint32_t cpu)
{
	const struct rt_record_head *head = rec->payload;
	const char *at = (const char *)(head + 1);
	size_t left = rec->bytes - sizeof(*head), frames;
	struct rt_writer_sample sample = { .misc = RT_MISC_KERNEL, .period = 1, .common = true };
	const struct rt_recorded *event;

	if (rec->bytes < sizeof(*head) || !rec->id || rec->id > r->count)
		return 0;
	event = &r->events[rec->id - 1];
	if (event->carry & RT_CARRY_STACK) {
		if (left < 8)
			return 0;
		frames = *(const uint64_t *)at;
		if (frames > left / 8 - 1)
			return 0;
		sample.kernel_ips = (const uint64_t *)at + 1;
		sample.kernel_count = frames;
		at += 8 + 8 * frames;
		left -= 8 + 8 * frames;
	}
	sample.event = event->file;
	sample.cpu = cpu;
	sample.time = rec->time;
	sample.tid = head->tid;
	sample.pid = rt_tasks_pid(&r->tasks, head->tid);
	sample.raw = at;
	sample.raw_size = left;
	sample.common_flags = common_flags(head);
	sample.common_preempt_count = head->preempt > UINT8_MAX ? UINT8_MAX : head->preempt;
	sample.ip = address_of(event->spec, at, left);
	if (!sample.ip && sample.kernel_count)
		sample.ip = sample.kernel_ips[0];
	return rt_writer_sample(r->writer, &sample);
}

/* --- side-band ------------------------------------------------------------------- */

static int expand_fork(struct rt_recording *r, const struct rt_writer_stamp *at,
		       const void *payload, size_t bytes)
{
	const struct rt_side_task *t = payload;

	if (bytes < sizeof(*t))
		return 0;
	if (rt_tasks_set(&r->tasks, t->tid, t->pid))
		return -ENOMEM;
	return rt_writer_fork(r->writer, at, t->pid, t->ppid, t->tid, t->ptid);
}

static int expand_exit(struct rt_recording *r, const struct rt_writer_stamp *at,
		       const void *payload, size_t bytes)
{
	const struct rt_side_task *t = payload;

	if (bytes < sizeof(*t))
		return 0;
	return rt_writer_exit(r->writer, at, t->pid, t->ppid, t->tid, t->ptid);
}

static int expand_comm(struct rt_recording *r, const struct rt_writer_stamp *at,
		       const void *payload, size_t bytes)
{
	const struct rt_side_comm *c = payload;
	char comm[RT_COMM_LEN + 1] = "";

	if (bytes < sizeof(*c))
		return 0;
	memcpy(comm, c->comm, RT_COMM_LEN);
	/* A thread that executes a program becomes its process. */
	if (rt_tasks_set(&r->tasks, c->tid, c->pid))
		return -ENOMEM;
	return rt_writer_comm(r->writer, at, c->pid, c->tid, comm, c->exec);
}

static int expand_mmap(struct rt_recording *r, const struct rt_writer_stamp *at,
		       const void *payload, size_t bytes)
{
	const struct rt_side_mmap *m = payload;
	struct rt_writer_map map;

	if (bytes <= sizeof(*m) || !memchr(m->path, 0, bytes - sizeof(*m)))
		return 0;
	map = (struct rt_writer_map){
		.pid = m->by.pid,
		.tid = m->by.tid,
		.start = m->start,
		.len = m->length,
		.pgoff = m->offset,
		.maj = m->major,
		.min = m->minor,
		.ino = m->inode,
		.ino_generation = m->generation,
		.prot = m->protection,
		.flags = m->flags,
		.filename = m->path,
	};
	return rt_writer_map(r->writer, at, &map);
}

static int expand_module(struct rt_recording *r, const struct rt_writer_stamp *at,
			 const void *payload, size_t bytes)
{
	const struct rt_side_module *m = payload;
	char name[RT_MODULE_NAME_LEN + 1] = "";

	if (bytes < sizeof(*m) || m->gone)
		return 0;
	memcpy(name, m->name, RT_MODULE_NAME_LEN);
	return rt_synth_module(r->writer, at, name, m->base, m->bytes);
}

static int (*const expanders[])(struct rt_recording *r, const struct rt_writer_stamp *at,
				const void *payload, size_t bytes) = {
	[RT_SIDE_FORK] = expand_fork,	  [RT_SIDE_EXIT] = expand_exit,
	[RT_SIDE_COMM] = expand_comm,	  [RT_SIDE_MMAP] = expand_mmap,
	[RT_SIDE_MODULE] = expand_module,
};

int rt_expand_side(struct rt_recording *r, const struct rt_record *rec, uint32_t cpu)
{
	const struct rt_side *by = rec->payload;
	struct rt_writer_stamp at;

	if (rec->bytes < sizeof(*by) || rec->id >= sizeof(expanders) / sizeof(expanders[0]) ||
	    !expanders[rec->id])
		return 0;
	at.time = rec->time;
	at.cpu = cpu;
	at.pid = by->pid;
	at.tid = by->tid;
	return expanders[rec->id](r, &at, rec->payload, rec->bytes);
}
