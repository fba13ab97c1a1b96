// SPDX-License-Identifier: GPL-2.0
#include "record/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "events/syscall.h"
#include "perfdata/synth.h"
#include "record/expand.h"
#include "record/intr_regs.h"
#include "record/left_out.h"

enum { IDLE_SWEEPS = 16 };

/* --- opening --------------------------------------------------------------------- */

static uint32_t kind_of(const struct rt_event_spec *spec)
{
	switch (spec->kind) {
	case RT_EVENT_KPROBE:
		return RT_KIND_KPROBE;
	case RT_EVENT_KRETPROBE:
		return RT_KIND_KRETPROBE;
	case RT_EVENT_TRACEPOINT:
		return rt_syscall_is_enter(spec) ? RT_KIND_SYSCALL_ENTER :
		       rt_syscall_is_exit(spec)	 ? RT_KIND_SYSCALL_EXIT :
						   RT_KIND_TRACEPOINT;
	case RT_EVENT_WATCH:
		return RT_KIND_WATCHPOINT;
	case RT_EVENT_COUNTER:
		return RT_KIND_PMU;
	default:
		return 0;
	}
}

static void give_program(struct rt_program *to, const struct rt_program_text *from)
{
	to->slots = (uintptr_t)from->slots;
	to->code = from->code;
	to->text = from->text;
}

/* "function", "module:function", "system:tracepoint" or "sys_enter_open"; NULL: by address. */
static char *name_for_module(const struct rt_event_spec *spec)
{
	char *name = NULL;

	if (spec->kind == RT_EVENT_WATCH)
		return NULL;
	if (kind_of(spec) != RT_KIND_TRACEPOINT && spec->kind == RT_EVENT_TRACEPOINT) {
		name = strdup(spec->name);
	} else if (spec->kind == RT_EVENT_TRACEPOINT) {
		if (asprintf(&name, "%s:%s", spec->system, spec->name) < 0)
			return NULL;
	} else if (spec->symbol && spec->module) {
		if (asprintf(&name, "%s:%s", spec->module, spec->symbol) < 0)
			return NULL;
	} else if (spec->symbol) {
		name = strdup(spec->symbol);
	}
	return name;
}

/* Ask for a counter, and if there is none for what comes nearest. */
static int add_counter(struct rt_recording *r, struct rt_recorded *event, struct rt_event_add *add,
		       const struct rt_recording_options *opt, struct rt_err *err)
{
	struct rt_sampling *s = &event->sampling;
	int ret;

	add->address = (uintptr_t)&s->counter;
	add->name = (uintptr_t)s->name;
	do {
		ret = rt_session_add(&r->session, add, err);
	} while (ret && rt_sampling_instead(s, &add->refusal));
	return ret;
}

/* 0, a negative errno, or 1: it is left out. */
static int add_to_session(struct rt_recording *r, struct rt_event_spec *spec,
			  const struct rt_program_text *filter,
			  const struct rt_recording_options *opt, struct rt_err *err)
{
	struct rt_event_add add = {
		.kind = kind_of(spec),
		.carry = opt->registers ? RT_CARRY_REGISTERS : 0,
		.stack_max = opt->stack_max,
		.instances = spec->kind == RT_EVENT_KRETPROBE ? opt->instances : 0,
		.address = spec->symbol ? spec->offset : spec->address,
	};
	bool watch = spec->kind == RT_EVENT_WATCH;
	struct rt_recorded *event = &r->events[r->count];
	struct rt_err ignored;
	char *name, *format = NULL;
	int ret;

	if (!add.kind)
		return rt_err_set(
			err, EOPNOTSUPP,
			"'%s': this version records counters, kprobes, kretprobes, tracepoints and watches only",
			spec->text);
	if (opt->stacks)
		add.carry |= rt_sampling_stacks(&event->sampling, r->arch, &opt->sampling);
	add.user_registers = rt_sampling_words(&event->sampling, r->arch);
	add.user_bytes = event->sampling.bytes;
	if (watch) {
		add.address = spec->address;
		add.length = spec->length;
		add.access = spec->access;
		add.rate = opt->watch_rate;
	}
	name = name_for_module(spec);
	add.name = (uintptr_t)name;
	/* For whoever finds the rings in a memory image; not worth failing for. */
	if (spec->kind == RT_EVENT_TRACEPOINT)
		format = rt_expand_format(spec->system, spec->name, &ignored);
	else if (spec->kind != RT_EVENT_COUNTER)
		format = rt_event_format_text(spec, 0);
	if (format && strlen(format) <= RT_FORMAT_MAX) {
		add.format = (uintptr_t)format;
		add.format_bytes = strlen(format);
	}
	give_program(&add.fetch, &spec->fetch);
	give_program(&add.filter, filter);
	if (add.kind == RT_KIND_PMU) {
		rt_sampling_counter(&event->sampling, spec, &opt->sampling);
		ret = add_counter(r, event, &add, opt, err);
	} else {
		ret = rt_session_add(&r->session, &add, err);
	}
	free(name);
	free(format);
	if (ret && rt_left_out_may(spec, add.refusal.reason)) {
		spec->left_out = add.refusal.reason;
		return 1;
	}
	if (ret)
		return rt_err_prefix(err, ret, "'%s'", spec->text);
	event->spec = spec;
	event->carry = add.carry;
	event->waits = add.refusal.reason == RT_REFUSED_NO_MODULE;
	r->count++;
	return 0;
}

static int add_to_file(struct rt_recording *r, struct rt_recorded *event,
		       const struct rt_event_env *env, struct rt_err *err)
{
	const struct rt_event_spec *spec = event->spec;
	struct rt_writer_event desc = {
		.attr = {
			.type = RT_TYPE_TRACEPOINT,
			.sample_period = 1,
			.sample_type = RT_SAMPLE_RAW,
		},
	};
	char *format = NULL, name[2 * RT_EVENT_NAME_MAX];

	if (spec->kind == RT_EVENT_COUNTER)
		rt_sampling_attr(&event->sampling, &desc.attr);
	rt_sampling_attr_stacks(&event->sampling, event->carry, &desc.attr);
	if (event->carry & RT_CARRY_REGISTERS) {
		desc.attr.sample_type |= RT_SAMPLE_REGS_INTR;
		desc.attr.sample_regs_intr = rt_intr_regs_mask(env->arch);
	}
	if (spec->kind == RT_EVENT_COUNTER)
		snprintf(name, sizeof(name), "%s", event->sampling.name);
	else
		snprintf(name, sizeof(name), "%s:%s", spec->system, spec->name);
	desc.name = name;
	if (spec->kind != RT_EVENT_TRACEPOINT && spec->kind != RT_EVENT_COUNTER) {
		format = rt_event_format_text(spec, 0);
		if (!format)
			return rt_err_set(err, ENOMEM, "out of memory");
		desc.format = format;
	}
	event->file = rt_writer_add(r->writer, &desc, err);
	free(format);
	return event->file < 0 ? event->file : 0;
}

static int compile_filter(const struct rt_event_spec *spec, const char *text,
			  const struct rt_event_env *env, struct rt_program_text *out,
			  struct rt_err *err)
{
	struct rt_field_list fields = { 0 };
	char *format;
	int ret;

	if (!text)
		return 0;
	if (spec->kind != RT_EVENT_TRACEPOINT || spec->fetch.code)
		return rt_event_filter(text, &spec->fields, spec, env, out, err);
	format = rt_expand_format(spec->system, spec->name, err);
	if (!format)
		return -ENOENT;
	ret = rt_field_list_parse(&fields, format, err);
	if (!ret)
		ret = rt_event_filter(text, &fields, NULL, env, out, err);
	rt_field_list_free(&fields);
	free(format);
	return ret;
}

/* Only the kernel's formats know what a system call passes. */
static int lay_out_syscall(struct rt_event_spec *spec, const struct rt_event_env *env,
			   struct rt_err *err)
{
	char *format;
	int ret;

	if (spec->fetch.code || !(rt_syscall_is_enter(spec) || rt_syscall_is_exit(spec)))
		return 0;
	format = rt_expand_format(spec->system, spec->name, err);
	if (!format)
		return -ENOENT;
	ret = rt_syscall_lay_out(spec, format, env->arch, err);
	free(format);
	return ret;
}

static int add_all(struct rt_recording *r, const struct rt_event_list *list, char *const *filters,
		   const struct rt_event_env *env, const struct rt_recording_options *opt,
		   struct rt_err *err)
{
	size_t i;
	int ret;

	for (i = 0; i < list->count; i++) {
		struct rt_program_text filter = { 0 };

		ret = lay_out_syscall(&list->specs[i], env, err);
		if (!ret)
			ret = compile_filter(&list->specs[i], filters[i], env, &filter, err);
		if (!ret)
			ret = add_to_session(r, &list->specs[i], &filter, opt, err);
		rt_program_text_free(&filter);
		if (!ret)
			ret = add_to_file(r, &r->events[r->count - 1], env, err);
		if (ret < 0)
			return ret;
	}
	return rt_left_out_check(list, err);
}

int rt_recording_open(struct rt_recording *r, const struct rt_event_list *list,
		      char *const *filters, const struct rt_event_env *env,
		      const struct rt_recording_options *opt, struct rt_err *err)
{
	struct rt_writer_options options = {
		.argc = opt->argc,
		.argv = opt->argv,
	};
	struct rt_rings rings = opt->rings;
	int ret;

	memset(r, 0, sizeof(*r));
	r->arch = env->arch;
	/* A sub-buffer holds several of the largest records. */
	if (opt->sampling.dwarf > RT_SUBBUF_DEFAULT / 4 && !rings.subbuf_bytes)
		rings.subbuf_bytes = 8 * RT_SUBBUF_DEFAULT;
	ret = rt_session_open(&r->session, &rings, err);
	if (ret)
		return ret;
	options.clockid = r->session.info.clock == RT_CLOCK_MONOTONIC ? CLOCK_MONOTONIC :
									RT_WRITER_NO_CLOCKID;
	ret = rt_writer_open(opt->path, &options, &r->writer, err);
	if (ret)
		goto err_session;
	r->events = calloc(list->count, sizeof(*r->events));
	ret = r->events ? add_all(r, list, filters, env, opt, err) :
			  rt_err_set(err, ENOMEM, "out of memory");
	if (!ret)
		return 0;

	rt_writer_abort(r->writer);
	r->writer = NULL;
	free(r->events);
	r->events = NULL;
err_session:
	rt_session_close(&r->session);
	return ret;
}

/* --- recording ------------------------------------------------------------------- */

int rt_recording_start(struct rt_recording *r, pid_t workload, struct rt_err *err)
{
	int ret;

	ret = rt_writer_begin(r->writer, err);
	if (ret)
		return ret;
	/* The module tells of every task from here on; who is already there is found below. */
	ret = rt_session_enable(&r->session, err);
	if (ret)
		return ret;
	ret = rt_synth_kernel(r->writer, err);
	if (!ret)
		ret = rt_synth_tasks(r->writer, workload, err);
	if (!ret && rt_tasks_census(&r->tasks))
		ret = rt_err_set(err, ENOMEM, "cannot list the running tasks");
	return ret;
}

/* The ring whose oldest record is the oldest of all. */
static struct rt_cpuring *oldest(struct rt_cpuring *rings, uint32_t cpus, uint32_t *cpu)
{
	struct rt_cpuring *found = NULL;
	const struct rt_record *rec;
	uint32_t i;

	for (i = 0; i < cpus; i++) {
		rec = rt_cpuring_peek(&rings[i]);
		if (rec && (!found || rec->time < found->record.time)) {
			found = &rings[i];
			*cpu = i;
		}
	}
	return found;
}

static bool overwrites(const struct rt_recording *r)
{
	return r->session.rings.mode == RT_MODE_OVERWRITE;
}

/*
 * Side-band first where times are equal, and always as far as the events reach: a sample
 * must find its task.
 */
int rt_recording_sweep(struct rt_recording *r)
{
	struct rt_session *s = &r->session;
	struct rt_cpuring *side, *event;
	uint32_t side_cpu = 0, event_cpu = 0;
	int written = 0, ret;

	for (;;) {
		side = oldest(s->side, s->cpus, &side_cpu);
		event = oldest(s->events, s->cpus, &event_cpu);
		if (!side && !event)
			break;
		if (side && (!event || side->record.time <= event->record.time)) {
			ret = rt_expand_side(r, &side->record, side_cpu);
			rt_cpuring_take(side);
		} else {
			ret = rt_expand_event(r, &event->record, event_cpu);
			rt_cpuring_take(event);
		}
		if (ret)
			return ret;
		written++;
	}
	/* Events that are still in the rings are older than the side-band that is written. */
	if (overwrites(r) && !r->dumping)
		return written;
	/* The writer brings the file on disk up to date at the end of a round: also when idle. */
	r->idle = written ? 0 : r->idle + 1;
	if (r->idle % IDLE_SWEEPS)
		return 0;
	ret = rt_writer_round(r->writer);
	return ret ? ret : written;
}

int rt_recording_dump(struct rt_recording *r, struct rt_err *err)
{
	int ret;

	ret = rt_session_drain(&r->session, err);
	if (ret)
		return ret;
	r->dumping = true;
	ret = rt_recording_sweep(r);
	r->dumping = false;
	return ret < 0 ? rt_err_set(err, -ret, "cannot write: %s", strerror(-ret)) : ret;
}

/* What was lost, into the file, where it was lost. */
static int tell_losses(struct rt_recording *r, struct rt_err *err)
{
	struct timespec now;
	struct rt_writer_stamp at = { 0 };
	struct rt_counts counts;
	uint64_t lost;
	uint32_t cpu;
	size_t i;
	int c, ret;

	clock_gettime(CLOCK_MONOTONIC, &now);
	at.time = now.tv_sec * 1000000000ULL + now.tv_nsec;
	for (i = 0; i < r->count; i++) {
		ret = rt_session_counts(&r->session, i + 1, RT_COUNTS_ALL, &r->events[i].counts,
					err);
		for (cpu = 0; !ret && cpu < r->session.cpus; cpu++) {
			ret = rt_session_counts(&r->session, i + 1, cpu, &counts, err);
			for (lost = 0, c = 0; c < RT_LOST_CAUSES; c++)
				lost += counts.lost[c];
			at.cpu = cpu;
			if (!ret && lost)
				ret = rt_writer_lost(r->writer, &at, r->events[i].file, lost);
		}
		if (ret)
			return ret;
	}
	return 0;
}

int rt_recording_stop(struct rt_recording *r, struct rt_err *err)
{
	int ret;

	ret = rt_session_disable(&r->session, err);
	/* A CPU may have come since anybody looked. */
	if (!ret)
		ret = rt_session_map_new(&r->session, err);
	if (ret < 0)
		return ret;
	ret = overwrites(r) ? rt_recording_dump(r, err) : rt_recording_sweep(r);
	return ret < 0 ? ret : tell_losses(r, err);
}

int rt_recording_close(struct rt_recording *r, struct rt_err *err)
{
	int ret = 0;

	if (r->writer)
		ret = rt_writer_close(r->writer, err);
	if (r->session.events)
		rt_session_close(&r->session);
	rt_tasks_free(&r->tasks);
	free(r->events);
	memset(r, 0, sizeof(*r));
	r->session.fd = -1;
	return ret;
}
