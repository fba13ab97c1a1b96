// SPDX-License-Identifier: GPL-2.0
#include "record/expand.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/write/synth.h"
#include "arch/pt_regs.h"
#include "record/later.h"

/* --- events ---------------------------------------------------------------------- */

/* Flags in the common fields, numbered like the kernel's trace_flag_type. */
enum { COMMON_IRQS_OFF = 0x01, COMMON_HARDIRQ = 0x08, COMMON_SOFTIRQ = 0x10, COMMON_NMI = 0x40 };

static uint8_t common_flags(uint32_t head)
{
	static const uint8_t levels[] = {
		[RT_LEVEL_TASK] = 0,
		[RT_LEVEL_SOFTIRQ] = COMMON_SOFTIRQ,
		[RT_LEVEL_HARDIRQ] = COMMON_HARDIRQ,
		[RT_LEVEL_NMI] = COMMON_NMI,
	};

	return levels[RT_HEAD_LEVEL(head)] | (head & RT_HEAD_IRQS_OFF ? COMMON_IRQS_OFF : 0);
}

static uint8_t common_preempt(uint32_t preempt)
{
	return preempt > UINT8_MAX ? UINT8_MAX : preempt;
}

unsigned int rt_expand_address(const struct rt_event_spec *spec)
{
	if (rt_event_returns(spec))
		return 2;
	return spec->kind == RT_SPEC_KPROBE || spec->kind == RT_SPEC_UPROBE ||
	       spec->kind == RT_SPEC_WATCH;
}

static uint64_t address_of(const struct rt_recorded *event, const void *fields, size_t bytes)
{
	const rt_payload_u64 *words = fields;

	return event->address && bytes >= event->address * sizeof(*words) ?
		       words[event->address - 1] :
		       0;
}

/* The part of a record that is still to be parsed. */
struct payload {
	const char *at;
	size_t left;
};

static const void *step(struct payload *payload, size_t bytes)
{
	const void *at = payload->at;

	if (bytes > payload->left)
		return NULL;
	payload->at += bytes;
	payload->left -= bytes;
	return at;
}

/* Read a count word and that many words; -1 if the record is too short. */
static int take_frames(struct payload *payload, const void **frames, size_t *count)
{
	const rt_payload_u64 *number = step(payload, sizeof(*number));

	if (!number || *number > RT_STACK_MAX)
		return -1;
	*count = *number;
	*frames = step(payload, *count * sizeof(*number));
	return *frames ? 0 : -1;
}

static int take_registers(struct payload *payload, const struct rt_recording *r,
			  const struct rt_sampling *s, uint64_t *room,
			  struct rt_writer_regs *registers)
{
	const rt_payload_u64 *word = step(payload, sizeof(*word));

	if (!word)
		return -1;
	if (*word == RT_USER_NONE)
		return 0;
	registers->abi = *word;
	word = step(payload, __builtin_popcountll(s->registers) * sizeof(*word));
	if (!word)
		return -1;
	/* A 32-bit task on arm64 uses other registers than the file describes; drop them. */
	if (registers->abi == RT_USER_32 && r->arch == RT_ARCH_ARM64)
		return 0;
	rt_sampling_registers(s, r->arch, word, room);
	registers->regs = room;
	return 0;
}

static int take_bytes(struct payload *payload, struct rt_writer_sample *sample)
{
	const struct rt_user_bytes *bytes = step(payload, sizeof(*bytes));

	if (!bytes || !step(payload, bytes->room) || bytes->valid > bytes->room)
		return -1;
	sample->stack = bytes->bytes;
	sample->stack_size = bytes->valid;
	return 0;
}

/* Read the optional parts of the record, in the order of the carry bits. */
static int take_carried(struct payload *payload, const struct rt_recording *r,
			const struct rt_recorded *event, uint64_t *registers, uint64_t *intr_regs,
			struct rt_writer_sample *sample)
{
	uint32_t carry = event->carry;
	const rt_payload_u64 *slots;

	if (carry & RT_CARRY_STACK &&
	    take_frames(payload, &sample->kernel_ips, &sample->kernel_count))
		return -1;
	if (carry & RT_CARRY_REGISTERS) {
		slots = step(payload, rt_register_count(r->arch) * sizeof(*slots));
		if (!slots)
			return -1;
		rt_pt_regs_take(r->arch, slots, intr_regs);
		sample->intr_regs.regs = intr_regs;
		sample->intr_regs.abi = RT_REGS_ABI_64;
	}
	if (carry & RT_CARRY_USER_STACK &&
	    take_frames(payload, &sample->user_ips, &sample->user_count))
		return -1;
	if (carry & RT_CARRY_USER_REGISTERS &&
	    take_registers(payload, r, &event->sampling, registers, &sample->user_regs))
		return -1;
	if (carry & RT_CARRY_USER_BYTES && take_bytes(payload, sample))
		return -1;
	if (carry & RT_CARRY_ADDRESS) {
		slots = step(payload, sizeof(*slots));
		if (!slots)
			return -1;
		sample->addr = *slots;
	}
	return 0;
}

static int fill_counter(struct rt_writer_sample *sample, const struct payload *payload)
{
	const struct rt_counter_fields *fields = (const void *)payload->at;

	if (payload->left < sizeof(*fields))
		return -1;
	sample->ip = fields->ip;
	sample->period = fields->period;
	return 0;
}

static void fill_fields(struct rt_writer_sample *sample, const struct rt_recorded *event,
			uint32_t head, uint32_t preempt, const struct payload *payload)
{
	sample->raw = payload->at;
	sample->raw_size = payload->left;
	sample->common = true;
	sample->common_flags = common_flags(head);
	sample->common_preempt_count = common_preempt(preempt);
	sample->ip = address_of(event, payload->at, payload->left);
	if (!sample->ip && sample->kernel_count)
		sample->ip = *(const rt_payload_u64 *)sample->kernel_ips;
}

/* Read the head and the preemption depth; inlined, because a call would be a sixteenth of all work. */
static inline int take_head(struct payload *payload, uint32_t *head, uint32_t *preempt)
{
	const uint32_t *word = step(payload, sizeof(*word));

	if (!word)
		return -1;
	*head = *word;
	*preempt = RT_HEAD_PREEMPT(*word);
	if (*preempt != RT_HEAD_DEEPER)
		return 0;
	word = step(payload, sizeof(*word));
	if (!word)
		return -1;
	*preempt = *word;
	return 0;
}

/* Which tracepoint of a module it is. */
static int take_tracepoint(struct rt_recording *r, const struct rt_record *rec,
			   struct payload *payload, struct rt_writer_sample *sample)
{
	const uint32_t *number = step(payload, sizeof(*number));
	const struct rt_later *later;
	struct rt_err ignored;

	if (!number)
		return -1;
	later = rt_later_find(r, rec->id, *number, rec->time);
	/* The record about its module may have been lost. */
	if (!later && !rt_later_take(r, &ignored))
		later = rt_later_find(r, rec->id, *number, rec->time);
	if (!later)
		return -1;
	sample->event = later->file;
	return 0;
}

/* Count records that cannot be parsed; never drop them silently. */
static int skip(uint64_t *count)
{
	++*count;
	return 0;
}

static uint16_t misc_of(uint32_t head)
{
	return head & RT_HEAD_USER ? RT_MISC_USER : RT_MISC_KERNEL;
}

/* An event that records nothing but its fields. */
static int expand_plain(struct rt_recording *r, const struct rt_recorded *event,
			const struct rt_record *rec, uint32_t cpu)
{
	struct payload payload = { rec->payload, rec->bytes };
	struct rt_writer_context context;
	uint32_t head, preempt;

	if (take_head(&payload, &head, &preempt))
		return skip(&r->skipped);
	context.event = event->file;
	context.misc = misc_of(head);
	context.common_flags = common_flags(head);
	context.common_preempt_count = common_preempt(preempt);
	context.task.tid = RT_HEAD_TID(head);
	context.task.pid = rt_tasks_pid(&r->tasks, context.task.tid, rec->time);
	return rt_writer_fields(r->writer, context, cpu, rec->time,
				address_of(event, payload.at, payload.left), payload.at,
				payload.left);
}

/* Any event. */
static int expand_whole(struct rt_recording *r, const struct rt_recorded *event,
			const struct rt_record *rec, uint32_t cpu)
{
	struct payload payload = { rec->payload, rec->bytes };
	struct rt_writer_sample sample = { .period = 1 };
	uint64_t registers[64], intr_regs[RT_PT_REGS_MAX];
	uint32_t head, preempt;

	/* A raw recording that is damaged may lack what it says of the event. */
	if (!event->spec || take_head(&payload, &head, &preempt) ||
	    take_carried(&payload, r, event, registers, intr_regs, &sample))
		return skip(&r->skipped);
	sample.event = event->file;
	if (event->spec->later && take_tracepoint(r, rec, &payload, &sample))
		return skip(&r->skipped);
	if (event->spec->kind != RT_SPEC_COUNTER)
		fill_fields(&sample, event, head, preempt, &payload);
	else if (fill_counter(&sample, &payload))
		return skip(&r->skipped);
	sample.misc = misc_of(head);
	sample.cpu = cpu;
	sample.time = rec->time;
	sample.tid = RT_HEAD_TID(head);
	sample.pid = rt_tasks_pid(&r->tasks, sample.tid, rec->time);
	return rt_writer_sample(r->writer, &sample);
}

int rt_expand_event(struct rt_recording *r, const struct rt_record *rec, uint32_t cpu)
{
	const struct rt_recorded *event;
	int ret;

	if (!rec->id || rec->id > r->count)
		return skip(&r->skipped);
	event = &r->events[rec->id - 1];
	ret = event->plain ? expand_plain(r, event, rec, cpu) : expand_whole(r, event, rec, cpu);
	/* The writer has counted this record and written the loss to the file. */
	return ret == -EMSGSIZE ? 0 : ret;
}

/* --- side-band ------------------------------------------------------------------- */

static int expand_fork(struct rt_recording *r, const struct rt_writer_stamp *at,
		       const void *payload, size_t bytes)
{
	const struct rt_side_task *t = payload;

	if (bytes < sizeof(*t))
		return skip(&r->side_skipped);
	if (rt_tasks_set(&r->tasks, t->tid, t->pid, at->time))
		return -ENOMEM;
	return rt_writer_fork(r->writer, at, t->pid, t->ppid, t->tid, t->ptid);
}

static int expand_exit(struct rt_recording *r, const struct rt_writer_stamp *at,
		       const void *payload, size_t bytes)
{
	const struct rt_side_task *t = payload;

	if (bytes < sizeof(*t))
		return skip(&r->side_skipped);
	return rt_writer_exit(r->writer, at, t->pid, t->ppid, t->tid, t->ptid);
}

static int expand_comm(struct rt_recording *r, const struct rt_writer_stamp *at,
		       const void *payload, size_t bytes)
{
	const struct rt_side_comm *c = payload;
	char comm[RT_COMM_LEN + 1] = "";

	if (bytes < sizeof(*c))
		return skip(&r->side_skipped);
	memcpy(comm, c->comm, RT_COMM_LEN);
	/* A thread that calls exec takes over the process id. */
	if (rt_tasks_set(&r->tasks, c->tid, c->pid, at->time))
		return -ENOMEM;
	return rt_writer_comm(r->writer, at, c->pid, c->tid, comm, c->exec);
}

static int expand_mmap(struct rt_recording *r, const struct rt_writer_stamp *at,
		       const void *payload, size_t bytes)
{
	const struct rt_side_mmap *m = payload;
	struct rt_writer_map map;

	if (bytes <= sizeof(*m) || !memchr(m->path, 0, bytes - sizeof(*m)))
		return skip(&r->side_skipped);
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
	struct rt_err ignored;

	if (bytes < sizeof(*m))
		return skip(&r->side_skipped);
	/* At the end, rt_recording_stop() reports an error of this. */
	rt_later_take(r, &ignored);
	if (m->gone || r->foreign)
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
		return skip(&r->side_skipped);
	at.time = rec->time;
	at.cpu = cpu;
	at.pid = by->pid;
	at.tid = by->tid;
	return expanders[rec->id](r, &at, rec->payload, rec->bytes);
}
