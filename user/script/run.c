// SPDX-License-Identifier: GPL-2.0
#include "script/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "cmd/command.h"
#include "script/dump.h"
#include "script/pipeline.h"
#include "script/place.h"
#include "script/records.h"
#include "script/table.h"

#define PROGRESS_EVERY 1024 /* records */
#define DATA_SRC_MAX   99   /* perf cuts this column */
#define NO_CPU	       UINT32_MAX

struct loop {
	struct rt_script_run *run;
	struct rt_script *script;
	struct rt_pipeline *pipeline;
	struct rt_printer *printer; /* of -D, which needs no pipeline */
	size_t events_checked;	    /* of a pipe: their fields are settled */
	bool prepared;
	struct rt_err err;
};

/* ---- which samples are wanted -------------------------------------------------- */

static bool cpu_wanted(const struct rt_script_run *run, uint32_t cpu)
{
	return !run->cpus.count || cpu == NO_CPU || rt_numbers_has(&run->cpus, cpu);
}

static bool task_wanted(const struct rt_script_run *run, const struct rt_thread *th)
{
	if (run->comms.count && !rt_names_has(&run->comms, th->comm))
		return false;
	if (run->pids.count && (th->pid < 0 || !rt_numbers_has(&run->pids, (uint64_t)th->pid)))
		return false;
	return !run->tids.count || (th->tid >= 0 && rt_numbers_has(&run->tids, (uint64_t)th->tid));
}

/* --switch-on/--switch-off: one event opens the gate, another shuts it. */
static bool gate_open(struct rt_script_run *run, const struct rt_event *event)
{
	if (run->on && run->discarding) {
		if (event != run->on)
			return false;
		run->discarding = false;
		return run->show_switch_events;
	}
	if (run->off && !run->discarding) {
		if (event != run->off)
			return true;
		run->discarding = true;
		return run->show_switch_events;
	}
	/* perf 6.1 goes on after --switch-off unless there is a --switch-on. */
	return !run->discarding || run->script->compat;
}

/* ---- one sample ------------------------------------------------------------------ */

/* The time to be shown, by --reltime and --deltatime. */
static uint64_t shown_time(struct rt_script_run *run, uint64_t time)
{
	uint64_t previous = run->previous_time;

	if (run->relative_time) {
		if (!run->first_time)
			run->first_time = time;
		return time - run->first_time;
	}
	if (run->delta_time) {
		run->previous_time = time;
		return previous ? time - previous : 0;
	}
	return time;
}

static int data_src_width(struct rt_script_run *run, const struct rt_sample *s)
{
	char text[DATA_SRC_MAX + 1];
	int len = rt_data_src_text(s->data_src, text, sizeof(text)) + 17;

	if (len > DATA_SRC_MAX)
		len = DATA_SRC_MAX;
	if (run->data_src_width < len)
		run->data_src_width = len;
	return run->data_src_width;
}

static void fill_item(struct rt_script_run *run, struct rt_item *item, const struct rt_event *event,
		      const struct rt_sample *s, const struct rt_thread *th)
{
	uint64_t fields = rt_fields_of_event(&run->script->fields, event);

	item->event = event;
	item->sample = *s;
	item->comm = th->comm;
	item->maps = th->space->maps;
	item->time = fields & RT_FIELD_TIME ? shown_time(run, s->time) : s->time;
	item->data_src_width = fields & RT_FIELD_DATA_SRC ? data_src_width(run, s) : 0;
}

/* -D: what perf says of a record before it does anything with it. */
static void dump_record(struct loop *l, const struct rt_record *rec, const struct rt_sample *s)
{
	char *symbol;

	if (!l->run->dump)
		return;
	symbol = rt_records_symbol(rec, l->script->machine.kernel);
	rt_dump_record(l->script->reader, rec, s, symbol, stdout);
	free(symbol);
}

static void dump_place(struct loop *l, const struct rt_sample *s, const struct rt_thread *th)
{
	bool other = s->cpumode != RT_MISC_KERNEL && s->cpumode != RT_MISC_USER;
	struct rt_place p;

	rt_place_object(&p, l->script->machine.kernel, th->space->maps, s->cpumode, s->ip);
	rt_dump_location(th->comm, th->tid,
			 p.object ? rt_place_object_name(&p, l->script) :
			 other	  ? "[hypervisor]" :
				    NULL,
			 stdout);
}

static bool sample_wanted(struct loop *l, const struct rt_event *event,
			  const struct rt_record_header *hdr, const struct rt_thread *th)
{
	unsigned int mode = hdr->misc & RT_MISC_CPUMODE_MASK;

	if (mode == RT_MISC_GUEST_KERNEL || mode == RT_MISC_GUEST_USER)
		return false; /* of a machine we know nothing about */
	return task_wanted(l->run, th) && gate_open(l->run, event) &&
	       rt_fields_of_event(&l->script->fields, event);
}

static int print_now(struct loop *l, const struct rt_event *event, const struct rt_sample *s,
		     const struct rt_thread *th)
{
	struct rt_item item;
	struct rt_text text;

	fill_item(l->run, &item, event, s, th);
	rt_text_init(&text);
	rt_printer_item(l->printer, &item, &text);
	fwrite(text.base, 1, text.len, stdout);
	rt_text_free(&text);
	return 0;
}

/* The whole sample is needed by few; `s` is NULL when the head was enough. */
static int one_sample(struct loop *l, const struct rt_record *rec, const struct rt_event *event,
		      const struct rt_sample_head *head, const struct rt_sample *s)
{
	struct rt_script_run *run = l->run;
	struct rt_pending *pend;
	struct rt_thread *th;
	uint64_t fields;

	if (!rt_timespans_want(&run->times, head->time) || !cpu_wanted(run, head->cpu))
		return 0;
	th = rt_threads_get(l->script->machine.threads, head->pid, head->tid);
	if (!th)
		return rt_err_set(&l->err, ENOMEM, "out of memory");
	if (run->dump)
		dump_place(l, s, th);
	if (!sample_wanted(l, event, rec->hdr, th))
		return 0;
	if (run->dump)
		return print_now(l, event, s, th);
	pend = rt_pipeline_add(l->pipeline, rec, th->space->maps);
	if (!pend)
		return rt_pipeline_error(l->pipeline);
	fields = rt_fields_of_event(&run->script->fields, event);
	pend->event = event;
	pend->comm = th->comm;
	pend->time = fields & RT_FIELD_TIME ? shown_time(run, head->time) : head->time;
	if (s && fields & RT_FIELD_DATA_SRC)
		pend->data_src_width = data_src_width(run, s);
	if (s && rt_event_has(rec->event, RT_SAMPLE_READ)) {
		pend->part = true;
		pend->id = s->id;
		pend->period = s->period;
	}
	return 0;
}

/* Everything the events decide, once they are known; nobody else may be looking. */
static int prepare(struct loop *l)
{
	int ret;

	if (l->prepared)
		return 0;
	if (l->pipeline)
		rt_pipeline_drain(l->pipeline);
	ret = rt_script_prepare(l->script, &l->err);
	l->prepared = !ret;
	return ret;
}

static int sample_record(struct loop *l, const struct rt_record *rec)
{
	struct rt_sample_head head;
	struct rt_sample s, part;
	const struct rt_event *event;
	uint64_t i = 0;
	int ret;

	ret = prepare(l);
	if (ret)
		return ret;
	if (!rec->event) {
		dump_record(l, rec, NULL);
		return 0;
	}
	if (!l->run->dump && !rt_event_has(rec->event, RT_SAMPLE_READ | RT_SAMPLE_DATA_SRC) &&
	    rt_sample_head(rec, &head))
		return one_sample(l, rec, rec->event, &head, NULL);
	ret = rt_sample_parse(rec, &s, &l->err);
	dump_record(l, rec, ret ? NULL : &s);
	if (ret)
		return ret;
	rt_sample_head(rec, &head);
	if (!rt_event_has(rec->event, RT_SAMPLE_READ))
		return one_sample(l, rec, rec->event, &head, &s);
	while (!ret && (event = rt_sample_split(l->script->reader, rec, &s, &i, &part)))
		ret = one_sample(l, rec, event, &head, &part);
	return ret;
}

/* ---- other records ------------------------------------------------------------------ */

static int show_record(struct loop *l, const struct rt_record *rec)
{
	struct rt_script_run *run = l->run;
	int32_t pid = -1, tid = -1;
	struct rt_thread *th = NULL;
	struct rt_sample s;
	struct rt_text text;
	struct rt_pending *pend;
	int ret;

	ret = prepare(l);
	if (ret)
		return ret;
	memset(&s, 0, sizeof(s));
	rt_text_init(&text);
	if (rec->hdr->type < RT_RECORD_USER_START) {
		ret = rt_sample_parse(rec, &s, &l->err);
		if (ret)
			return ret;
		pid = s.pid;
		tid = s.tid;
		rt_records_task(rec, &pid, &tid);
		if (rec->event && !(rec->event->attr.flags & RT_ATTR_SAMPLE_ID_ALL)) {
			s.cpu = 0;
			s.time = rec->time == UINT64_MAX ? 0 : rec->time;
			s.pid = pid;
			s.tid = tid;
		}
		if (!cpu_wanted(run, s.cpu))
			return 0;
		if (tid != -1)
			th = rt_threads_get(l->script->machine.threads, pid, tid);
		if (rec->event) {
			uint64_t fields = rt_fields_of_event(&l->script->fields, rec->event);
			uint64_t time = fields & RT_FIELD_TIME ? shown_time(run, s.time) : 0;

			rt_line_start(l->script, rec->event, &s, rec->hdr->type,
				      th ? th->comm : ":-1", time, &text);
		}
	}
	rt_records_print(rec, &s, l->script->machine.kernel, &text);
	if (run->dump) {
		fwrite(text.base, 1, text.len, stdout);
		rt_text_free(&text);
		return 0;
	}
	pend = rt_pipeline_add(l->pipeline, NULL, NULL);
	if (!pend) {
		rt_text_free(&text);
		return rt_pipeline_error(l->pipeline);
	}
	pend->text = text.base;
	pend->len = text.len;
	return 0;
}

/* What the header of a file says, a pipe says in records. */
static void show_feature(struct loop *l, const struct rt_record *rec)
{
	const struct rt_record_feature *f = (const void *)rec->hdr;

	if (!l->run->features || rec->hdr->type != RT_RECORD_HEADER_FEATURE ||
	    f->feature >= RT_FEATURE_COUNT || rec->hdr->size <= sizeof(*f) ||
	    !rt_env_has(rt_reader_env(l->script->reader), (unsigned int)f->feature))
		return;
	rt_header_print_feature(l->script->reader, (unsigned int)f->feature, l->run->full_features,
				stdout);
	fflush(stdout);
}

/* A pipe announces its events, formats and names in the course of things. */
static int metadata_record(struct loop *l, const struct rt_record *rec)
{
	const struct rt_events *events = rt_reader_events(l->script->reader);
	int ret;

	switch (rec->hdr->type) {
	case RT_RECORD_HEADER_ATTR:
	case RT_RECORD_HEADER_TRACING_DATA:
	case RT_RECORD_EVENT_UPDATE:
	case RT_RECORD_HEADER_FEATURE:
		break;
	default:
		return 0;
	}
	if (!rt_reader_is_pipe(l->script->reader))
		return 0;
	if (l->pipeline)
		rt_pipeline_drain(l->pipeline);
	l->prepared = false;
	show_feature(l, rec);
	for (; l->events_checked < events->count; l->events_checked++) {
		ret = rt_fields_check_event(&l->script->fields, l->script->reader,
					    events->list[l->events_checked], &l->err);
		if (ret)
			return ret;
	}
	return 0;
}

static int other_record(struct loop *l, const struct rt_record *rec)
{
	struct rt_sample s;
	int ret;

	if (l->run->dump) {
		ret = rt_sample_parse(rec, &s, &l->err);
		dump_record(l, rec, ret ? NULL : &s);
	}
	ret = metadata_record(l, rec);
	if (ret)
		return ret;
	/* What a kernel address means is shared: whoever is still formatting must be done. */
	if (l->pipeline && rt_machine_changes_kernel(rec))
		rt_pipeline_drain(l->pipeline);
	ret = rt_machine_apply(&l->script->machine, rec, &l->err);
	if (ret)
		return ret;
	if (rt_records_shown(l->run->show, rec->hdr->type))
		ret = show_record(l, rec);
	/* A live pipe may now be silent for long. */
	if (!ret && l->pipeline && rec->hdr->type == RT_RECORD_FINISHED_ROUND &&
	    rt_reader_is_pipe(l->script->reader))
		rt_pipeline_flush(l->pipeline);
	return ret;
}

/* ---- the loop -------------------------------------------------------------------------- */

static int read_all(struct loop *l)
{
	const struct rt_reader_stats *stats = rt_reader_stats(l->script->reader);
	struct rt_progress progress;
	struct rt_record rec;
	uint64_t n = 0;
	int ret;

	rt_progress_start(&progress, "reading", stats->bytes_total);
	for (;;) {
		ret = rt_reader_next(l->script->reader, &rec, &l->err);
		if (ret <= 0)
			break;
		ret = rec.hdr->type == RT_RECORD_SAMPLE ? sample_record(l, &rec) :
							  other_record(l, &rec);
		if (ret)
			break;
		if (++n % PROGRESS_EVERY == 0)
			rt_progress_update(&progress, stats->bytes_read);
	}
	rt_progress_end(&progress);
	return ret;
}

static void say_losses(const struct rt_reader *reader)
{
	const struct rt_reader_stats *s = rt_reader_stats(reader);

	if (s->lost)
		rt_warning("the recording lost %llu events, in %llu places: the buffers were full",
			   (unsigned long long)s->lost,
			   (unsigned long long)s->by_type[RT_RECORD_LOST]);
	else if (s->lost_samples)
		rt_warning("the recording lost %llu samples", (unsigned long long)s->lost_samples);
	if (s->unknown_ids)
		rt_warning("%llu samples belong to no event of the file and were left out",
			   (unsigned long long)s->unknown_ids);
	if (s->unknown_types)
		rt_warning("%llu records are of types this program does not know",
			   (unsigned long long)s->unknown_types);
}

static int find_switches(struct rt_script_run *run, struct rt_err *err)
{
	const struct rt_events *events = rt_reader_events(run->script->reader);

	if (run->switch_on) {
		run->on = rt_events_find(events, run->switch_on);
		if (!run->on)
			return rt_err_set(err, ENOENT, "--switch-on: the file has no event '%s'",
					  run->switch_on);
		run->discarding = true;
	}
	if (run->switch_off) {
		run->off = rt_events_find(events, run->switch_off);
		if (!run->off)
			return rt_err_set(err, ENOENT, "--switch-off: the file has no event '%s'",
					  run->switch_off);
	}
	return 0;
}

static int start(struct loop *l)
{
	struct rt_script_run *run = l->run;
	struct rt_script *script = l->script;
	struct rt_text head;
	int ret;

	ret = find_switches(run, &l->err);
	if (!ret)
		ret = rt_script_prepare(script, &l->err);
	if (ret)
		return ret;
	l->prepared = true;
	if (script->format == RT_SCRIPT_CSV) {
		rt_text_init(&head);
		rt_csv_head(script, &head);
		ret = rt_text_write(&head, STDOUT_FILENO);
		rt_text_free(&head);
		if (ret)
			return rt_err_set(&l->err, ret, "cannot write the output: %s",
					  strerror(-ret));
	}
	/*
	 * Times that count from the last line printed need to know which lines are; and
	 * addr2line's answers, which perf prints, depend on what it was asked before.
	 */
	if (((run->relative_time || run->delta_time) &&
	     (script->symbols.count || script->objects.count)) ||
	    script->compat)
		run->threads = 1;
	if (run->dump) {
		l->printer = rt_printer_new(script);
		return l->printer ? 0 : rt_err_set(&l->err, ENOMEM, "out of memory");
	}
	l->pipeline = rt_pipeline_new(script, run->threads, STDOUT_FILENO, &l->err);
	return l->pipeline ? 0 : -ENOMEM;
}

int rt_script_run(struct rt_script_run *run)
{
	struct loop l = { .run = run, .script = run->script };
	int ret, output = 0;

	fflush(stdout);
	ret = start(&l);
	if (!ret) {
		l.events_checked = rt_reader_events(l.script->reader)->count;
		ret = read_all(&l);
	}
	if (l.pipeline) {
		rt_pipeline_drain(l.pipeline);
		output = rt_pipeline_error(l.pipeline);
		if (rt_pipeline_damage(l.pipeline)) {
			l.err = *rt_pipeline_damage(l.pipeline);
			ret = output;
			output = 0;
		}
		rt_pipeline_free(l.pipeline);
	}
	rt_printer_free(l.printer);
	if (fflush(stdout))
		output = -errno;
	if (output == -EPIPE)
		return RT_EXIT_FAIL; /* nobody listens: say nothing */
	if (output) {
		rt_error("cannot write the output: %s", strerror(-output));
		return RT_EXIT_FAIL;
	}
	if (ret < 0)
		rt_err_print(&l.err);
	say_losses(l.script->reader);
	return ret < 0 ? RT_EXIT_FAIL : RT_EXIT_OK;
}
