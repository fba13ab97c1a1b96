// SPDX-License-Identifier: GPL-2.0
#include "script/print/line.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "script/print/details.h"
#include "script/print/insn.h"
#include "script/print/writer.h"
#include "symbols/lines/srcline.h"

#define NSEC_PER_SEC   1000000000ull
#define NSEC_PER_USEC  1000
#define SW_BPF_OUTPUT  10
#define MISC_COLUMN    6
#define CONTEXT_COLUMN 7  /* width of the longest: hardirq, softirq */
#define FLAGS_COLUMN   24 /* for hardware traces, which are not decoded here */

/* Print perf's letters for the context of a record. */
static void put_misc(const struct rt_sample *s, uint32_t type, struct rt_text *out)
{
	unsigned int misc = s->misc;
	char letters[MISC_COLUMN + 1];
	int n = 0;

	if ((misc & RT_MISC_KERNEL) == RT_MISC_KERNEL)
		letters[n++] = 'K';
	if ((misc & RT_MISC_USER) == RT_MISC_USER)
		letters[n++] = 'U';
	if ((misc & RT_MISC_HYPERVISOR) == RT_MISC_HYPERVISOR)
		letters[n++] = 'H';
	if ((misc & RT_MISC_GUEST_KERNEL) == RT_MISC_GUEST_KERNEL)
		letters[n++] = 'G';
	if ((misc & RT_MISC_GUEST_USER) == RT_MISC_GUEST_USER)
		letters[n++] = 'g';
	switch (type) {
	case RT_PERF_RECORD_MMAP:
	case RT_PERF_RECORD_MMAP2:
		if (misc & RT_MISC_MMAP_DATA)
			letters[n++] = 'M';
		break;
	case RT_PERF_RECORD_COMM:
		if (misc & RT_MISC_COMM_EXEC)
			letters[n++] = 'E';
		break;
	case RT_PERF_RECORD_SWITCH:
	case RT_PERF_RECORD_SWITCH_CPU_WIDE:
		if (misc & RT_MISC_SWITCH_OUT) {
			letters[n++] = 'S';
			if (misc & RT_MISC_SWITCH_PREEMPT && n < MISC_COLUMN)
				letters[n++] = 'p';
		}
		break;
	default:
		break;
	}
	rt_text_put(out, letters, n);
	rt_text_fill(out, ' ', n < MISC_COLUMN ? MISC_COLUMN - n : 1);
}

static void put_fraction(uint64_t ns, bool nanoseconds, struct rt_text *out)
{
	if (nanoseconds)
		rt_text_u64_width(out, ns, 9, '0');
	else
		rt_text_digits(out, ns / NSEC_PER_USEC, 6);
}

static void put_time(uint64_t ns, bool nanoseconds, struct rt_text *out)
{
	rt_text_u64_width(out, ns / NSEC_PER_SEC, 5, ' ');
	rt_text_char(out, '.');
	put_fraction(ns % NSEC_PER_SEC, nanoseconds, out);
	rt_text_lit(out, ": ");
}

static void put_time_of_day(const struct rt_script *script, uint64_t time, struct rt_text *out)
{
	const struct rt_env *env = rt_reader_env(script->reader);
	uint64_t wall = env->clock.wall_ns + (time - env->clock.clockid_ns), rest;
	char date[64];
	struct tm tm;
	time_t sec;

	if (!env->clock.present) {
		rt_text_lit(out, "disabled ");
		return;
	}
	sec = (time_t)(wall / NSEC_PER_SEC);
	rest = wall % NSEC_PER_SEC;
	if (!localtime_r(&sec, &tm)) {
		rt_text_lit(out, "failed ");
		return;
	}
	rt_text_put(out, date, strftime(date, sizeof(date), "%F %H:%M:%S", &tm));
	rt_text_char(out, '.');
	put_fraction(rest, script->nanoseconds, out);
	rt_text_char(out, ' ');
}

/* Print the columns that depend only on the task and the CPU. */
static void put_task(const struct rt_script *script, const struct rt_perf_event *event,
		     uint64_t fields, const struct rt_sample *s, const char *comm,
		     struct rt_text *out)
{
	if (fields & RT_COLUMN_COMM) {
		if (script->latency) {
			size_t n = strnlen(comm, 8);

			rt_text_fill(out, ' ', 8 - (int)n);
			rt_text_put(out, comm, n);
		} else if (fields & RT_COLUMN_IP && script->fields.callchain &&
			   rt_perf_event_has(event, RT_SAMPLE_CALLCHAIN)) {
			rt_text_str(out, comm);
		} else {
			rt_text_str_width(out, comm, 16);
		}
		rt_text_char(out, ' ');
	}
	if (fields & RT_COLUMN_PID) {
		rt_text_s64_width(out, s->pid, 5, ' ');
		rt_text_char(out, fields & RT_COLUMN_TID ? '/' : ' ');
		if (fields & RT_COLUMN_TID) {
			rt_text_s64_width(out, s->tid, -5, ' ');
			rt_text_char(out, ' ');
		}
	} else if (fields & RT_COLUMN_TID) {
		rt_text_s64_width(out, s->tid, 5, ' ');
		rt_text_char(out, ' ');
	}
	if (fields & RT_COLUMN_CPU) {
		if (script->latency) {
			rt_text_s64_width(out, (int32_t)s->cpu, 3, ' ');
			rt_text_char(out, ' ');
		} else {
			rt_text_char(out, '[');
			rt_text_s64_width(out, (int32_t)s->cpu, 3, '0');
			rt_text_lit(out, "] ");
		}
	}
}

void rt_line_start(const struct rt_script *script, const struct rt_perf_event *event,
		   const struct rt_sample *s, uint32_t type, const char *comm, uint64_t time,
		   struct rt_text *out)
{
	uint64_t fields = rt_fields_of_event(&script->fields, event);

	put_task(script, event, fields, s, comm, out);
	if (fields & RT_COLUMN_MISC)
		put_misc(s, type, out);
	if (fields & RT_COLUMN_TOD)
		put_time_of_day(script, s->time, out);
	if (fields & RT_COLUMN_TIME)
		put_time(time, script->nanoseconds, out);
}

/* Everything besides the task and the CPU that put_task() depends on. */
static uint64_t task_style(const struct rt_line_tools *t, const struct rt_perf_event *event,
			   uint64_t fields)
{
	fields &= RT_COLUMN_COMM | RT_COLUMN_PID | RT_COLUMN_TID | RT_COLUMN_CPU | RT_COLUMN_IP;
	if (t->script->fields.callchain && rt_perf_event_has(event, RT_SAMPLE_CALLCHAIN))
		fields |= RT_LINE_CHAIN;
	return fields;
}

static void put_task_again(const struct rt_line_tools *t, const struct rt_item *item,
			   uint64_t fields, struct rt_text *out)
{
	const struct rt_sample *s = &item->sample;
	uint64_t style = task_style(t, item->event, fields);
	struct rt_line_task *b = &t->before->task[((uint32_t)s->tid * 2 + s->cpu) % RT_LINE_TASKS];
	size_t from = out->len, len;

	if (b->len && b->style == style && b->comm == item->comm && b->pid == s->pid &&
	    b->tid == s->tid && b->cpu == s->cpu) {
		rt_text_blocks(out, b->text, b->len, sizeof(b->text));
		return;
	}
	put_task(t->script, item->event, fields, s, item->comm, out);
	len = out->len - from;
	b->len = 0;
	if (!len || len > sizeof(b->text) || out->failed)
		return;
	b->style = style;
	b->comm = item->comm;
	b->pid = s->pid;
	b->tid = s->tid;
	b->cpu = s->cpu;
	b->len = (uint32_t)len;
	memcpy(b->text, out->base + from, len);
}

static void put_time_again(const struct rt_line_tools *t, uint64_t ns, struct rt_text *out)
{
	struct rt_line_before *b = t->before;
	size_t from = out->len;

	if (b->second_len && ns - b->second < NSEC_PER_SEC) {
		rt_text_blocks(out, b->seconds, b->second_len, sizeof(b->seconds));
	} else {
		b->second = ns - ns % NSEC_PER_SEC;
		rt_text_u64_width(out, ns / NSEC_PER_SEC, 5, ' ');
		rt_text_char(out, '.');
		b->second_len = out->failed ? 0 : out->len - from;
		if (b->second_len)
			memcpy(b->seconds, out->base + from, b->second_len);
	}
	put_fraction(ns - b->second, t->script->nanoseconds, out);
	rt_text_lit(out, ": ");
}

/* Like rt_line_start(), for a sample, reusing the previous line's columns. */
static void start_again(const struct rt_line_tools *t, const struct rt_item *item, uint64_t fields,
			struct rt_text *out)
{
	put_task_again(t, item, fields, out);
	if (fields & RT_COLUMN_MISC)
		put_misc(&item->sample, RT_PERF_RECORD_SAMPLE, out);
	if (fields & RT_COLUMN_TOD)
		put_time_of_day(t->script, item->sample.time, out);
	if (fields & RT_COLUMN_TIME)
		put_time_again(t, item->time, out);
}

bool rt_line_stack(const struct rt_line_tools *t, const struct rt_item *item,
		   const struct rt_chain_entry **entries, size_t *count)
{
	struct rt_chain_sample of = { item->event, &item->sample, item->maps };

	return t->script->fields.callchain && rt_chain_expand(t->chain, &of, entries, count);
}

/* Print the addresses of the sample's chain, and those that its copied stack unwinds to. */
static void put_plain_stack(const struct rt_line_tools *t, const struct rt_item *item,
			    unsigned int parts, struct rt_text *out)
{
	struct rt_chain_sample of = { item->event, &item->sample, item->maps };
	enum rt_script_inlines inlines = t->script->inlines;
	unsigned int all = inlines == RT_INLINES_ALL ? RT_FRAME_INLINES : 0;
	const uint64_t *ips;
	size_t n;

	rt_text_char(out, '\n');
	if (!rt_callers_put(t->callers, item, parts | all, out))
		return;
	n = rt_chain_unwind(t->chain, &of, &ips);
	if (inlines != RT_INLINES_NONE)
		parts |= RT_FRAME_INLINES;
	if (n)
		rt_callers_put_unwound(t->callers, item, ips, n, parts, out);
}

/* Print where the sample was taken: a stack below the line, or the rest of the line. */
static bool put_where(const struct rt_line_tools *t, const struct rt_item *item, uint64_t fields,
		      struct rt_text *out)
{
	const struct rt_script *script = t->script;
	const struct rt_chain_entry *entries;
	unsigned int parts = rt_frame_parts(fields);
	const struct rt_frame *frame;
	size_t count, i;

	if (script->fields.callchain && rt_chain_is_plain(&script->stack, item->event)) {
		put_plain_stack(t, item, parts, out);
		return true;
	}
	if (!rt_line_stack(t, item, &entries, &count)) {
		rt_text_char(out, ' ');
		rt_text_hex_width(out, item->sample.ip, 16, ' ');
		parts &= ~(unsigned int)RT_FRAME_IP;
		if (rt_perf_event_is_branch(item->event))
			parts &= ~(unsigned int)RT_FRAME_SRCLINE;
		frame = rt_frames_get(t->frames, item->maps, item->sample.cpumode, item->sample.ip,
				      parts | RT_FRAME_SINGLE);
		rt_text_put(out, frame->text, frame->len);
		return false;
	}
	/* No entry is unwound: the callers of leaf functions are only looked for in other stacks. */
	rt_text_char(out, '\n');
	if (script->inlines == RT_INLINES_ALL)
		parts |= RT_FRAME_INLINES;
	for (i = 0; i < count; i++)
		if (rt_frames_put(t->frames, item->maps, entries[i].cpumode, entries[i].ip, parts,
				  out))
			break;
	return true;
}

/* Print source and target of a branch trace. */
static void put_branch(const struct rt_line_tools *t, const struct rt_item *item, uint64_t fields,
		       struct rt_text *out)
{
	const struct rt_fields *f = &t->script->fields;
	bool stack = false, user_set = f->of[rt_fields_type(item->event->attr.type)].user_set;

	if (fields & RT_COLUMN_IP)
		stack = put_where(t, item, fields, out);
	if (fields & RT_COLUMN_ADDR ||
	    (rt_perf_event_has(item->event, RT_SAMPLE_ADDR) && !user_set)) {
		rt_text_lit(out, " => ");
		rt_details_addr(t->script, item, fields, out);
	}
	if (fields & RT_COLUMN_IP && fields & RT_COLUMN_SRCLINE && !stack) {
		const struct rt_frame *frame =
			rt_frames_get(t->frames, item->maps, item->sample.cpumode, item->sample.ip,
				      RT_FRAME_SRCLINE | RT_FRAME_SINGLE);

		rt_text_put(out, frame->text, frame->len);
	}
	if (fields & (RT_COLUMN_INSN | RT_COLUMN_INSNLEN))
		rt_insn_print(t->script, item, fields, out);
	rt_text_char(out, '\n');
}

static void put_rest(const struct rt_line_tools *t, const struct rt_item *item, uint64_t fields,
		     struct rt_text *out)
{
	const struct rt_perf_event *event = item->event;
	const struct rt_sample *s = &item->sample;

	if (fields & RT_COLUMN_IREGS)
		rt_details_regs(t->script, &s->intr_regs, out);
	if (fields & RT_COLUMN_UREGS)
		rt_details_regs(t->script, &s->user_regs, out);
	if (fields & (RT_COLUMN_BRSTACK | RT_COLUMN_BRSTACKSYM | RT_COLUMN_BRSTACKOFF))
		rt_details_branches(t->script, item, fields, out);
	if (fields & RT_COLUMN_BPF_OUTPUT && event->attr.type == RT_TYPE_SOFTWARE &&
	    event->attr.config == SW_BPF_OUTPUT)
		rt_details_bpf_output(s, out);
	if (fields & (RT_COLUMN_INSN | RT_COLUMN_INSNLEN))
		rt_insn_print(t->script, item, fields, out);
	if (fields & RT_COLUMN_PHYS_ADDR)
		rt_text_hex_width(out, s->phys_addr, 16, ' ');
	if (fields & RT_COLUMN_DATA_PAGE_SIZE) {
		rt_text_char(out, ' ');
		rt_details_page_size(s->data_page_size, out);
	}
	if (fields & RT_COLUMN_CODE_PAGE_SIZE) {
		rt_text_char(out, ' ');
		rt_details_page_size(s->code_page_size, out);
	}
	rt_text_char(out, '\n');
}

/* Print "softirq/1 ": what was interrupted, and the preemption depth. */
static void put_context(const struct rt_script *script, const struct rt_sample *s,
			struct rt_text *out)
{
	rt_text_str_width(out, rt_context_name(s), CONTEXT_COLUMN);
	rt_text_char(out, '/');
	rt_text_u64(out, rt_context_preempt(script, s));
	rt_text_char(out, ' ');
}

void rt_line_print(const struct rt_line_tools *t, const struct rt_item *item, struct rt_text *out)
{
	const struct rt_script *script = t->script;
	const struct rt_perf_event *event = item->event;
	const struct rt_sample *s = &item->sample;
	uint64_t fields = rt_fields_of_event(&script->fields, event);

	start_again(t, item, fields, out);
	if (fields & RT_COLUMN_PERIOD) {
		rt_text_u64_width(out, s->period, 10, ' ');
		rt_text_char(out, ' ');
	}
	if (fields & RT_COLUMN_CONTEXT)
		put_context(script, s, out);
	if (fields & RT_COLUMN_EVENT) {
		rt_text_blocks(out, script->columns + event->index * script->column_room,
			       script->column_len, script->column_room);
	}
	if (script->fields.flags)
		rt_text_fill(out, ' ', FLAGS_COLUMN);
	if (rt_perf_event_is_branch(event)) {
		put_branch(t, item, fields, out);
		return;
	}
	if (fields & RT_COLUMN_TRACE && s->raw.data) {
		size_t from = out->len;

		rt_trace_print(t->tracer, script->traces, out, event, s, script->machine.kernel);
		if (rt_writer_is_named(script, event))
			rt_writer_name(t->frames, item, from, out);
	}
	if (fields & RT_COLUMN_ADDR)
		rt_details_addr(script, item, fields, out);
	if (fields & RT_COLUMN_DATA_SRC)
		rt_details_data_src(item, out);
	if (fields & RT_COLUMN_WEIGHT)
		rt_text_u64_width(out, rt_script_weight(script, event, s), 16, ' ');
	if (fields & RT_COLUMN_INS_LAT)
		rt_text_u64_width(out, s->ins_lat, 16, ' ');
	if (fields & RT_COLUMN_IP)
		put_where(t, item, fields, out);
	put_rest(t, item, fields, out);
}
