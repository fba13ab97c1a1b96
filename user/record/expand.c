// SPDX-License-Identifier: GPL-2.0
#include "record/expand.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "perfdata/synth.h"
#include "record/intr_regs.h"

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

static uint8_t common_flags(uint32_t head)
{
	uint8_t flags = head & RT_HEAD_IRQS_OFF ? COMMON_IRQS_OFF : 0;

	switch (RT_HEAD_LEVEL(head)) {
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
	const rt_payload_u64 *word = fields;

	if ((spec->kind == RT_EVENT_KPROBE || spec->kind == RT_EVENT_WATCH) && bytes >= 8)
		return word[0];
	if (spec->kind == RT_EVENT_KRETPROBE && bytes >= 16)
		return word[1];
	return 0;
}

/* The part of a record that has not been looked at yet. */
struct rest {
	const char *at;
	size_t left;
};

static const void *step(struct rest *rest, size_t bytes)
{
	const void *at = rest->at;

	if (bytes > rest->left)
		return NULL;
	rest->at += bytes;
	rest->left -= bytes;
	return at;
}

/* A word with a number, then so many words; -1: the record ends before. */
static int take_frames(struct rest *rest, const void **frames, size_t *count)
{
	const rt_payload_u64 *number = step(rest, sizeof(*number));

	if (!number || *number > RT_STACK_MAX)
		return -1;
	*count = *number;
	*frames = step(rest, *count * sizeof(*number));
	return *frames ? 0 : -1;
}

static int take_registers(struct rest *rest, const struct rt_recording *r,
			  const struct rt_sampling *s, uint64_t *room,
			  struct rt_writer_regs *registers)
{
	const rt_payload_u64 *word = step(rest, sizeof(*word));

	if (!word)
		return -1;
	if (*word == RT_USER_NONE)
		return 0;
	registers->abi = *word;
	word = step(rest, __builtin_popcountll(s->registers) * sizeof(*word));
	if (!word)
		return -1;
	/* The words of a 32-bit task of arm64 mean other registers than those of its file. */
	if (registers->abi == RT_USER_32 && r->arch == RT_ARCH_ARM64)
		return 0;
	rt_sampling_registers(s, r->arch, word, room);
	registers->regs = room;
	return 0;
}

static int take_bytes(struct rest *rest, struct rt_writer_sample *sample)
{
	const struct rt_user_bytes *bytes = step(rest, sizeof(*bytes));

	if (!bytes || !step(rest, bytes->room) || bytes->valid > bytes->room)
		return -1;
	sample->stack = bytes->bytes;
	sample->stack_size = bytes->valid;
	return 0;
}

/* What the record carries, in the order of the bits. */
static int take_carried(struct rest *rest, const struct rt_recording *r,
			const struct rt_recorded *event, uint64_t *registers, uint64_t *intr_regs,
			struct rt_writer_sample *sample)
{
	uint32_t carry = event->carry;
	const rt_payload_u64 *slots;

	if (carry & RT_CARRY_STACK && take_frames(rest, &sample->kernel_ips, &sample->kernel_count))
		return -1;
	if (carry & RT_CARRY_REGISTERS) {
		slots = step(rest, rt_register_count(r->arch) * sizeof(*slots));
		if (!slots)
			return -1;
		rt_intr_regs_take(r->arch, slots, intr_regs);
		sample->intr_regs.regs = intr_regs;
		sample->intr_regs.abi = RT_REGS_ABI_64;
	}
	if (carry & RT_CARRY_USER_STACK &&
	    take_frames(rest, &sample->user_ips, &sample->user_count))
		return -1;
	if (carry & RT_CARRY_USER_REGISTERS &&
	    take_registers(rest, r, &event->sampling, registers, &sample->user_regs))
		return -1;
	if (carry & RT_CARRY_USER_BYTES && take_bytes(rest, sample))
		return -1;
	return 0;
}

static int fill_counter(struct rt_writer_sample *sample, const struct rest *rest)
{
	const struct rt_counter_fields *fields = (const void *)rest->at;

	if (rest->left < sizeof(*fields))
		return -1;
	sample->ip = fields->ip;
	sample->period = fields->period;
	return 0;
}

static void fill_fields(struct rt_writer_sample *sample, const struct rt_event_spec *spec,
			uint32_t head, uint32_t preempt, const struct rest *rest)
{
	sample->raw = rest->at;
	sample->raw_size = rest->left;
	sample->common = true;
	sample->common_flags = common_flags(head);
	sample->common_preempt_count = preempt > UINT8_MAX ? UINT8_MAX : preempt;
	sample->ip = address_of(spec, rest->at, rest->left);
	if (!sample->ip && sample->kernel_count)
		sample->ip = *(const rt_payload_u64 *)sample->kernel_ips;
}

/* The head, and how deep preemption was disabled. */
static int take_head(struct rest *rest, uint32_t *head, uint32_t *preempt)
{
	const uint32_t *word = step(rest, sizeof(*word));

	if (!word)
		return -1;
	*head = *word;
	*preempt = RT_HEAD_PREEMPT(*word);
	if (*preempt != RT_HEAD_DEEPER)
		return 0;
	word = step(rest, sizeof(*word));
	if (!word)
		return -1;
	*preempt = *word;
	return 0;
}

int rt_expand_event(struct rt_recording *r, const struct rt_record *rec, uint32_t cpu)
{
	struct rest rest = { rec->payload, rec->bytes };
	struct rt_writer_sample sample = { .misc = RT_MISC_KERNEL, .period = 1 };
	uint64_t registers[64], intr_regs[RT_INTR_REGS_MAX];
	const struct rt_recorded *event;
	uint32_t head, preempt;

	if (!rec->id || rec->id > r->count || take_head(&rest, &head, &preempt))
		return 0;
	event = &r->events[rec->id - 1];
	if (take_carried(&rest, r, event, registers, intr_regs, &sample))
		return 0;
	if (event->spec->kind != RT_EVENT_COUNTER)
		fill_fields(&sample, event->spec, head, preempt, &rest);
	else if (fill_counter(&sample, &rest))
		return 0;
	if (head & RT_HEAD_USER)
		sample.misc = RT_MISC_USER;
	sample.event = event->file;
	sample.cpu = cpu;
	sample.time = rec->time;
	sample.tid = RT_HEAD_TID(head);
	sample.pid = rt_tasks_pid(&r->tasks, sample.tid);
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
