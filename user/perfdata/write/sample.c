// SPDX-License-Identifier: GPL-2.0
/*
 * The sample, built in place in the buffer: first compute its size, then store every field once, in
 * the order of the bits, like the kernel.
 */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <stddef.h>

enum { RAW_COMMON = 8, RECORD_MAX = 65528 /* the largest multiple of 8 in 16 bits */ };

static size_t regs_words(const struct rt_writer_regs *regs, unsigned count)
{
	return 1 + (regs->regs ? count : 0);
}

static size_t raw_bytes(const struct rt_writer_sample *s)
{
	return (s->common ? RAW_COMMON : 0) + s->raw_size;
}

static size_t sample_size(const struct rt_file_event *ev, const struct rt_writer_sample *s)
{
	uint64_t type = ev->attr.sample_type;
	size_t size = sizeof(struct rt_perf_record_header) +
		      5 * sizeof(uint64_t); /* RT_WRITER_SAMPLE but for the identifier */

	if (type & RT_SAMPLE_IDENTIFIER)
		size += 8;
	if (type & RT_SAMPLE_ADDR)
		size += 8;
	if (type & RT_SAMPLE_CALLCHAIN)
		size += 8 *
			(1 + !!s->kernel_count + s->kernel_count + !!s->user_count + s->user_count);
	if (type & RT_SAMPLE_RAW)
		size += align8(sizeof(uint32_t) + raw_bytes(s));
	if (type & RT_SAMPLE_REGS_USER)
		size += 8 * regs_words(&s->user_regs, ev->user_regs);
	if (type & RT_SAMPLE_STACK_USER)
		size += s->stack_size ? 8 + align8(s->stack_size) + 8 : 8;
	if (type & RT_SAMPLE_REGS_INTR)
		size += 8 * regs_words(&s->intr_regs, ev->intr_regs);
	return size;
}

static uint64_t *put_chain(uint64_t *to, uint64_t context, const void *ips, size_t count)
{
	if (!count)
		return to;
	*to++ = context;
	memcpy(to, ips, count * sizeof(*to));
	return to + count;
}

static uint64_t *put_raw(uint64_t *to, const struct rt_file_event *ev,
			 const struct rt_writer_sample *s)
{
	size_t bytes = raw_bytes(s);
	size_t padded = align8(sizeof(uint32_t) + bytes);
	uint32_t size = padded - sizeof(uint32_t);
	uint16_t tracepoint = ev->attr.config;
	uint8_t *p = (uint8_t *)to;

	to[padded / 8 - 1] = 0; /* the bytes behind the last one */
	memcpy(p, &size, sizeof(size));
	p += sizeof(size);
	if (s->common) {
		memcpy(p, &tracepoint, 2);
		p[2] = s->common_flags;
		p[3] = s->common_preempt_count;
		memcpy(p + 4, &s->tid, 4);
		p += RAW_COMMON;
	}
	if (s->raw_size)
		memcpy(p, s->raw, s->raw_size);
	return to + padded / 8;
}

static uint64_t *put_regs(uint64_t *to, const struct rt_writer_regs *regs, unsigned count)
{
	if (!regs->regs) {
		*to++ = RT_REGS_ABI_NONE;
		return to;
	}
	*to++ = regs->abi;
	memcpy(to, regs->regs, count * sizeof(*to));
	return to + count;
}

static uint64_t *put_stack(uint64_t *to, const void *stack, size_t size)
{
	size_t padded = align8(size);

	*to++ = padded;
	if (!size)
		return to;
	to[padded / 8 - 1] = 0;
	memcpy(to, stack, size);
	to += padded / 8;
	*to++ = size; /* how much of it is valid */
	return to;
}

static void put_sample(uint64_t *to, size_t size, const struct rt_file_event *ev,
		       const struct rt_writer_sample *s)
{
	struct rt_perf_record_header hdr = { .type = RT_PERF_RECORD_SAMPLE,
					     .misc = s->misc,
					     .size = size };
	uint64_t type = ev->attr.sample_type;
	int32_t task[2] = { s->pid, s->tid };
	uint32_t cpu[2] = { s->cpu, 0 };

	memcpy(to++, &hdr, 8);
	if (type & RT_SAMPLE_IDENTIFIER)
		*to++ = s->id ? s->id : ev->ids[0];
	*to++ = s->ip;
	memcpy(to++, task, 8);
	*to++ = s->time;
	if (type & RT_SAMPLE_ADDR)
		*to++ = s->addr;
	memcpy(to++, cpu, 8);
	*to++ = s->period;
	if (type & RT_SAMPLE_CALLCHAIN) {
		*to++ = !!s->kernel_count + s->kernel_count + !!s->user_count + s->user_count;
		to = put_chain(to, RT_PERF_CONTEXT_KERNEL, s->kernel_ips, s->kernel_count);
		to = put_chain(to, RT_PERF_CONTEXT_USER, s->user_ips, s->user_count);
	}
	if (type & RT_SAMPLE_RAW)
		to = put_raw(to, ev, s);
	if (type & RT_SAMPLE_REGS_USER)
		to = put_regs(to, &s->user_regs, ev->user_regs);
	if (type & RT_SAMPLE_STACK_USER)
		to = put_stack(to, s->stack, s->stack_size);
	if (type & RT_SAMPLE_REGS_INTR)
		put_regs(to, &s->intr_regs, ev->intr_regs);
}

static int too_big(struct rt_writer *w, const struct rt_writer_stamp *at, unsigned event)
{
	int ret;

	w->stats.too_big++;
	ret = rt_writer_lost(w, at, event, 1);
	return ret ? ret : -EMSGSIZE;
}

/* The first sample, or one older than those before it. */
static void back_in_time(struct rt_writer *w, uint64_t time)
{
	if (!w->stats.samples || time < w->first_time)
		w->first_time = time;
	if (time > w->last_time)
		w->last_time = time;
	if (time < w->floor)
		w->stats.out_of_order++;
	rt_write_forward(w);
}

/* Count a sample. */
static inline void commit(struct rt_writer *w, struct rt_file_event *ev, size_t size, uint32_t cpu,
			  uint64_t time)
{
	rt_write_cpu(w, cpu);
	if (time >= w->forward)
		w->last_time = w->forward = time;
	else
		back_in_time(w, time);
	w->stats.samples++;
	ev->samples++;
	w->used += size;
	w->stats.bytes += size;
}

int rt_writer_sample(struct rt_writer *w, const struct rt_writer_sample *s)
{
	struct rt_file_event *ev;
	size_t size;
	void *to;

	if (s->event >= w->event_count)
		return -EINVAL;
	ev = &w->events[s->event];
	size = sample_size(ev, s);
	if (size > RECORD_MAX)
		return too_big(w, &(struct rt_writer_stamp){ s->time, s->pid, s->tid, s->cpu },
			       s->event);
	to = rt_write_reserve(w, size);
	if (!to)
		return w->failed;
	put_sample(to, size, ev, s);
	commit(w, ev, size, s->cpu, s->time);
	if (!w->count_threads)
		return 0;
	return rt_write_count(&w->counts,
			      (struct rt_write_count){ s->pid, s->tid, s->event, s->period });
}

/* --- samples that are nothing but fields ------------------------------------------- */

/* Such a sample as it is in the file, behind its header and its identifier, up to its fields. */
struct plain {
	uint64_t ip;
	struct rt_writer_task task;
	uint64_t time, cpu, period;
	uint32_t raw_size;
	uint16_t tracepoint;
	uint8_t flags, preempt_count;
	int32_t common_tid;
} __attribute__((packed, aligned(4)));

/* Not inlined, like fields_again(): then rt_writer_fields() needs no stack. */
static __attribute__((noinline)) int copy_many(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	return 0;
}

/* Copy the first and the last HALF bytes; they may overlap. */
static inline int copy_halves(uint8_t *to, const uint8_t *from, size_t size, size_t half)
{
	memcpy(to, from, half);
	memcpy(to + size - half, from + size - half, half);
	return 0;
}

/* SIZE is a multiple of 4.  Most events have few fields and are copied without a call. */
static inline int copy(void *to, const void *from, size_t size)
{
	if (size > 64)
		return copy_many(to, from, size);
	if (size > 32)
		return copy_halves(to, from, size, 32);
	if (size > 16)
		return copy_halves(to, from, size, 16);
	if (size >= 8)
		return copy_halves(to, from, size, 8);
	return size ? copy_halves(to, from, size, 4) : 0;
}

bool rt_writer_plain(const struct rt_writer *w, unsigned event)
{
	return event < w->event_count && !w->count_threads &&
	       (w->events[event].attr.sample_type | RT_SAMPLE_IDENTIFIER) ==
		       (RT_WRITER_SAMPLE | RT_SAMPLE_RAW);
}

/* The buffer is full, or something is wrong. */
static __attribute__((noinline)) int fields_again(struct rt_writer *w,
						  struct rt_writer_context context, uint32_t cpu,
						  uint64_t time, uint64_t ip, const void *raw,
						  size_t raw_size)
{
	if (context.event >= w->event_count || raw_size % 4)
		return -EINVAL;
	if (raw_size > RECORD_MAX - 2 * sizeof(uint64_t) - sizeof(struct plain))
		return too_big(w,
			       &(struct rt_writer_stamp){ time, context.task.pid, context.task.tid,
							  cpu },
			       context.event);
	if (!rt_write_make_room(w, RECORD_MAX))
		return w->failed;
	return rt_writer_fields(w, context, cpu, time, ip, raw, raw_size);
}

int rt_writer_fields(struct rt_writer *w, struct rt_writer_context context, uint32_t cpu,
		     uint64_t time, uint64_t ip, const void *raw, size_t raw_size)
{
	size_t head = w->anonymous ? sizeof(uint64_t) : 2 * sizeof(uint64_t);
	size_t size = align8(head + sizeof(struct plain) + raw_size);
	struct rt_file_event *ev;
	struct plain *plain;
	uint64_t *to;

	if (context.event >= w->event_count || size > RECORD_MAX || raw_size % 4 ||
	    w->used + size > w->limit)
		return fields_again(w, context, cpu, time, ip, raw, raw_size);
	ev = &w->events[context.event];
	to = (uint64_t *)(w->buf + w->used);
	to[size / sizeof(*to) - 1] = 0; /* the bytes behind the last one */
	*(struct rt_perf_record_header *)to = (struct rt_perf_record_header){
		.type = RT_PERF_RECORD_SAMPLE, .misc = context.misc, .size = size
	};
	to[1] = ev->ids[0]; /* or the address, next */
	plain = (struct plain *)((char *)to + head);
	*plain = (struct plain){
		.ip = ip,
		.task = context.task,
		.time = time,
		.cpu = cpu,
		.period = 1,
		.raw_size = size - head - offsetof(struct plain, tracepoint),
		.tracepoint = ev->attr.config,
		.flags = context.common_flags,
		.preempt_count = context.common_preempt_count,
		.common_tid = context.task.tid,
	};
	commit(w, ev, size, cpu, time);
	return copy(plain + 1, raw, raw_size);
}
