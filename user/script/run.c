// SPDX-License-Identifier: GPL-2.0
#include "script/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "perfdata/text/data_src.h"
#include "script/dump/dump.h"
#include "script/pipeline.h"
#include "stack/location.h"
#include "script/print/records.h"
#include "script/print/json_csv.h"

#define PROGRESS_EVERY 1024	    /* records */
#define DATA_SRC_MAX   99	    /* perf cuts this column */
#define SMALL_FILE     (256u << 10) /* bytes; starting threads would take longer than printing */

struct loop {
	struct rt_script_run *run;
	struct rt_script *script;
	struct rt_pipeline *pipeline;
	struct rt_printer *printer; /* for -D, which uses no pipeline */
	size_t events_checked;	    /* in a pipe: events whose fields are settled */
	bool prepared;
	bool narrow; /* not all samples are wanted */
	struct rt_err err;
};

/* ---- which samples are wanted -------------------------------------------------- */

/* --switch-on/--switch-off: one event starts the output, another stops it. */
static bool gate_open(struct rt_script_run *run, const struct rt_perf_event *event)
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
	return !run->discarding || run->script->stack.compat;
}

/* ---- one sample ------------------------------------------------------------------ */

/* The time to print, with --reltime and --deltatime applied. */
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

static void fill_item(struct rt_script_run *run, struct rt_item *item,
		      const struct rt_perf_event *event, const struct rt_sample *s,
		      const struct rt_thread *th)
{
	uint64_t fields = rt_fields_of_event(&run->script->fields, event);

	item->event = event;
	item->sample = *s;
	item->comm = th->comm;
	item->maps = th->space->maps;
	item->time = fields & RT_COLUMN_TIME ? shown_time(run, s->time) : s->time;
	item->data_src_width = fields & RT_COLUMN_DATA_SRC ? data_src_width(run, s) : 0;
}

/* -D: print the record as perf does before it processes the record. */
static void dump_record(struct loop *l, const struct rt_perf_record *rec, const struct rt_sample *s)
{
	char *symbol;

	if (!l->run->dump)
		return;
	symbol = rt_records_symbol(rec, l->script->machine.kernel);
	rt_dump_record(l->script->reader, rec, s, symbol, l->run->out);
	free(symbol);
}

static void dump_place(struct loop *l, const struct rt_sample *s, const struct rt_thread *th)
{
	bool other = s->cpumode != RT_MISC_KERNEL && s->cpumode != RT_MISC_USER;
	struct rt_location p;

	rt_location_object(&p, l->script->machine.kernel, th->space->maps, s->cpumode, s->ip);
	rt_dump_location(th->comm, th->tid,
			 p.object ? rt_location_object_name(&p, l->script->kernel_path) :
			 other	  ? "[hypervisor]" :
				    NULL,
			 l->run->out);
}

static bool sample_wanted(struct loop *l, const struct rt_perf_event *event,
			  const struct rt_perf_record_header *hdr, const struct rt_thread *th)
{
	unsigned int mode = hdr->misc & RT_MISC_CPUMODE_MASK;

	if (mode == RT_MISC_GUEST_KERNEL || mode == RT_MISC_GUEST_USER)
		return false; /* of an unknown machine */
	return (!l->narrow || rt_selection_wants_task(&l->run->want, th)) &&
	       gate_open(l->run, event) && rt_fields_of_event(&l->script->fields, event);
}

static int print_now(struct loop *l, const struct rt_perf_event *event, const struct rt_sample *s,
		     const struct rt_thread *th)
{
	struct rt_item item;
	struct rt_text text;

	fill_item(l->run, &item, event, s, th);
	rt_text_init(&text);
	rt_printer_item(l->printer, &item, &text);
	fwrite(text.base, 1, text.len, l->run->out);
	l->run->printed |= text.len != 0;
	rt_text_free(&text);
	return 0;
}

/* Few fields need the whole sample; `s` is NULL if the head is enough. */
static int one_sample(struct loop *l, const struct rt_perf_record *rec,
		      const struct rt_perf_event *event, const struct rt_sample_head *head,
		      const struct rt_sample *s)
{
	struct rt_script_run *run = l->run;
	struct rt_pending *pend;
	struct rt_thread *th;
	uint64_t fields;

	if (l->narrow && !rt_selection_wants(&run->want, head->time, head->cpu))
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
	pend->time = fields & RT_COLUMN_TIME ? shown_time(run, head->time) : head->time;
	if (s && fields & RT_COLUMN_DATA_SRC)
		pend->data_src_width = data_src_width(run, s);
	if (!s)
		return 0;
	pend->sample = malloc(sizeof(*s));
	if (!pend->sample)
		return rt_err_set(&l->err, ENOMEM, "out of memory");
	*pend->sample = *s;
	return 0;
}

/* Print the column names first.  A pipe announces its events only later. */
static int csv_head(struct loop *l)
{
	struct rt_script *script = l->script;
	struct rt_text head;
	int ret;

	if (script->format != RT_SCRIPT_CSV || script->csv_settled ||
	    !rt_reader_events(script->reader)->count)
		return 0;
	script->csv_settled = true;
	rt_text_init(&head);
	rt_csv_head(script, &head);
	ret = rt_text_print(&head, l->run->out);
	rt_text_free(&head);
	return ret ? rt_err_set(&l->err, ret, "cannot write the output: %s", strerror(-ret)) : 0;
}

/* Settle everything that depends on the events, once they are known.  No other thread may run. */
static int prepare(struct loop *l)
{
	int ret;

	if (l->prepared)
		return 0;
	if (l->pipeline)
		rt_pipeline_drain(l->pipeline);
	ret = rt_script_prepare(l->script, &l->err);
	l->prepared = !ret;
	return ret ? ret : csv_head(l);
}

/* Whether one_sample() needs more of the sample than its head. */
static bool needs_whole(const struct loop *l, const struct rt_perf_event *event)
{
	return l->run->dump || rt_perf_event_has(event, RT_SAMPLE_READ) ||
	       (rt_perf_event_has(event, RT_SAMPLE_DATA_SRC) &&
		rt_fields_of_event(&l->script->fields, event) & RT_COLUMN_DATA_SRC);
}

static int sample_record(struct loop *l, const struct rt_perf_record *rec)
{
	struct rt_sample_head head;
	struct rt_sample s, part;
	const struct rt_perf_event *event;
	uint64_t i = 0;
	int ret;

	ret = prepare(l);
	if (ret)
		return ret;
	if (!rec->event) {
		dump_record(l, rec, NULL);
		return 0;
	}
	if (!needs_whole(l, rec->event) && rt_sample_head(rec, &head))
		return one_sample(l, rec, rec->event, &head, NULL);
	ret = rt_sample_parse(rec, &s, &l->err);
	dump_record(l, rec, ret ? NULL : &s);
	if (ret)
		return ret;
	head = (struct rt_sample_head){ s.time, s.pid, s.tid, s.cpu };
	if (!rt_perf_event_has(rec->event, RT_SAMPLE_READ))
		return one_sample(l, rec, rec->event, &head, &s);
	while (!ret && (event = rt_sample_split(l->script->reader, rec, &s, &i, &part)))
		ret = one_sample(l, rec, event, &head, &part);
	return ret;
}

/* ---- other records ------------------------------------------------------------------ */

static int show_record(struct loop *l, const struct rt_perf_record *rec)
{
	struct rt_script_run *run = l->run;
	int32_t pid = -1, tid = -1;
	const struct rt_perf_record_note *note = NULL;
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
	if (rec->hdr->type < RT_PERF_RECORD_USER_START) {
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
		if (!rt_selection_wants_cpu(&run->want, s.cpu))
			return 0;
		if (tid != -1)
			th = rt_threads_get(l->script->machine.threads, pid, tid);
		if (rec->event) {
			uint64_t fields = rt_fields_of_event(&l->script->fields, rec->event);
			uint64_t time = fields & RT_COLUMN_TIME ? shown_time(run, s.time) : 0;

			rt_line_start(l->script, rec->event, &s, rec->hdr->type,
				      th ? th->comm : ":-1", time, &text);
		}
	}
	if (rec->hdr->type == RT_PERF_RECORD_LOST)
		note = rt_notes_find(rt_reader_notes(l->script->reader), s.cpu, rec->time);
	rt_records_print(rec, &s, note, l->script->machine.kernel, &text);
	if (run->dump) {
		fwrite(text.base, 1, text.len, l->run->out);
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

/* A pipe has records for what the header of a file holds. */
static void show_feature(struct loop *l, const struct rt_perf_record *rec)
{
	const struct rt_perf_record_feature *f = (const void *)rec->hdr;

	if (!l->run->features || rec->hdr->type != RT_PERF_RECORD_HEADER_FEATURE ||
	    f->feature >= RT_FEATURE_COUNT || rec->hdr->size <= sizeof(*f) ||
	    !rt_env_has(rt_reader_env(l->script->reader), (unsigned int)f->feature))
		return;
	rt_header_print_feature(l->script->reader, (unsigned int)f->feature, l->run->full_features,
				l->run->out);
	fflush(l->run->out);
}

/* A pipe announces its events, formats and names between other records. */
static int metadata_record(struct loop *l, const struct rt_perf_record *rec)
{
	const struct rt_perf_events *events = rt_reader_events(l->script->reader);
	int ret;

	switch (rec->hdr->type) {
	case RT_PERF_RECORD_HEADER_ATTR:
	case RT_PERF_RECORD_HEADER_TRACING_DATA:
	case RT_PERF_RECORD_EVENT_UPDATE:
	case RT_PERF_RECORD_HEADER_FEATURE:
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
	ret = rt_selection_check_cpus(&l->run->want, l->script->reader, l->events_checked, &l->err);
	if (ret)
		return ret;
	for (; l->events_checked < events->count; l->events_checked++) {
		ret = rt_fields_check_event(&l->script->fields, l->script->reader,
					    events->list[l->events_checked], &l->err);
		if (ret)
			return ret;
	}
	return 0;
}

static int other_record(struct loop *l, const struct rt_perf_record *rec)
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
	/* All threads share the kernel's symbols; wait until none of them is formatting. */
	if (l->pipeline && rt_machine_changes_kernel(rec))
		rt_pipeline_drain(l->pipeline);
	ret = rt_machine_apply(&l->script->machine, rec, &l->err);
	if (ret)
		return ret;
	if (rt_records_shown(l->run->show, rec->hdr->type))
		ret = show_record(l, rec);
	/* A live pipe may send nothing for a long time now, so print what there is. */
	if (!ret && l->pipeline && rec->hdr->type == RT_PERF_RECORD_FINISHED_ROUND &&
	    rt_reader_is_pipe(l->script->reader))
		rt_pipeline_flush(l->pipeline);
	return ret;
}

/* ---- the loop -------------------------------------------------------------------------- */

static int read_all(struct loop *l)
{
	const struct rt_reader_stats *stats = rt_reader_stats(l->script->reader);
	struct rt_progress progress;
	struct rt_perf_record rec;
	uint64_t n = 0;
	int ret;

	rt_progress_start(&progress, l->run->progress, "reading", stats->bytes_total);
	for (;;) {
		ret = rt_reader_next(l->script->reader, &rec, &l->err);
		if (ret <= 0)
			break;
		ret = rec.hdr->type == RT_PERF_RECORD_SAMPLE ? sample_record(l, &rec) :
							       other_record(l, &rec);
		if (ret)
			break;
		if (++n % PROGRESS_EVERY == 0)
			rt_progress_update(&progress, stats->bytes_read);
	}
	rt_progress_end(&progress);
	return ret;
}

static int find_switches(struct rt_script_run *run, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(run->script->reader);

	if (run->switch_on) {
		run->on = rt_perf_events_find(events, run->switch_on);
		if (!run->on)
			return rt_err_set(err, ENOENT, "--switch-on: the file has no event '%s'",
					  run->switch_on);
		run->discarding = true;
	}
	if (run->switch_off) {
		run->off = rt_perf_events_find(events, run->switch_off);
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
	uint64_t total = rt_reader_stats(script->reader)->bytes_total;
	int ret;

	ret = find_switches(run, &l->err);
	if (!ret)
		ret = rt_script_prepare(script, &l->err);
	if (ret)
		return ret;
	l->prepared = true;
	l->narrow = !rt_selection_is_empty(&run->want);
	ret = csv_head(l);
	if (ret)
		return ret;
	/*
	 * Use one thread if times count from the last line printed, because the symbol filters
	 * decide which lines are printed.  Use one also with --compat: addr2line's answers, which
	 * perf prints, depend on the order of its questions.
	 */
	if (((run->relative_time || run->delta_time) &&
	     (script->symbols.count || script->objects.count)) ||
	    script->stack.compat || (!run->threads && total && total < SMALL_FILE))
		run->threads = 1;
	if (run->dump) {
		l->printer = rt_printer_new(script);
		return l->printer ? 0 : rt_err_set(&l->err, ENOMEM, "out of memory");
	}
	l->pipeline = rt_pipeline_new(script, run->threads, l->run->out, &l->err);
	return l->pipeline ? 0 : -ENOMEM;
}

int rt_script_run(struct rt_script_run *run, struct rt_err *err)
{
	struct loop l = { .run = run, .script = run->script };
	int ret, output = 0;

	fflush(run->out);
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
		run->printed |= rt_pipeline_has_printed(l.pipeline);
		rt_pipeline_free(l.pipeline);
	}
	rt_printer_free(l.printer);
	if (fflush(run->out))
		output = -errno;
	run->cut_short = output;
	if (output)
		return rt_err_set(err, output, "cannot write the output: %s", strerror(-output));
	*err = l.err;
	return ret < 0 ? ret : 0;
}
