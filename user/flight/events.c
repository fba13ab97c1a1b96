// SPDX-License-Identifier: GPL-2.0
/* The events of a session, from the tables in its image. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flight/internal.h"
#include "host/tracefs.h"
#include "image/table.h"
#include "record/off.h"

#define NAME_MAX_BYTES (2 * RT_EVENT_NAME_MAX)

static const char mark_format[] =
	"name: %s\nID: 0\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char text[%u];\toffset:8;\tsize:%u;\tsigned:0;\n\n"
	"print fmt: \"%%s\", REC->text\n";

static enum rt_event_kind kind_of(uint32_t kind)
{
	switch (kind) {
	case RT_KIND_KPROBE:
		return RT_SPEC_KPROBE;
	case RT_KIND_KRETPROBE:
		return RT_SPEC_KRETPROBE;
	case RT_KIND_UPROBE:
		return RT_SPEC_UPROBE;
	case RT_KIND_URETPROBE:
		return RT_SPEC_URETPROBE;
	case RT_KIND_WATCHPOINT:
		return RT_SPEC_WATCH;
	case RT_KIND_PMU:
		return RT_SPEC_COUNTER;
	default:
		return RT_SPEC_TRACEPOINT;
	}
}

/* The rest of the line that begins with KEY, or "". */
static void line_of(const char *text, const char *key, char *to, size_t size)
{
	const char *at = text;
	size_t length = strlen(key), rest;

	*to = 0;
	while (at && strncmp(at, key, length)) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return;
	rest = strcspn(at + length, "\n");
	snprintf(to, size, "%.*s", (int)(rest < size ? rest : size - 1), at + length);
}

/* SYSTEM:NAME, as the file names it. */
static void make_name(const struct rt_image_event *event, const char *format, char *name,
		      size_t size)
{
	char system[RT_EVENT_NAME_MAX], own[RT_EVENT_NAME_MAX];

	line_of(format, RT_RECORDED_SYSTEM, system, sizeof(system));
	line_of(format, "name: ", own, sizeof(own));
	switch (event->entry->kind) {
	case RT_KIND_PMU:
		snprintf(name, size, "%s", *event->name ? event->name : "counter");
		return;
	case RT_KIND_TRACEPOINT:
	case RT_KIND_TRACEPOINT_PERF:
		snprintf(name, size, "%s", event->name);
		if (strchr(event->name, ':'))
			return;
		break;
	case RT_KIND_SYSCALL_ENTER:
	case RT_KIND_SYSCALL_EXIT:
		snprintf(system, sizeof(system), "syscalls");
		break;
	case RT_KIND_WATCHPOINT:
		if (!*system)
			snprintf(system, sizeof(system), "watch");
		break;
	default:
		if (!*system)
			snprintf(system, sizeof(system), "probe");
	}
	if (!*own)
		snprintf(own, sizeof(own), "event_%u", event->entry->id);
	snprintf(name, size, "%s:%s", *system ? system : "ringtail", own);
}

/* The format without the line that is ours; without a format the fields stay unnamed. */
static char *format_of(const struct rt_image_event *event)
{
	char *text = strndup(event->format, event->entry->format_bytes), *made;

	if (!text || rt_format_id(text) >= 0)
		return text;
	free(text);
	if (asprintf(&made, mark_format, "unknown", 0U, 0U) < 0)
		return NULL;
	return made;
}

static const char *without_system(const char *format)
{
	if (strncmp(format, RT_RECORDED_SYSTEM, strlen(RT_RECORDED_SYSTEM)))
		return format;
	format += strcspn(format, "\n");
	return *format ? format + 1 : format;
}

static void take_argument(struct rt_recorded *to, const struct rt_image_event *event,
			  enum rt_arch arch)
{
	const struct rt_anchor_argument *a = event->argument;

	to->carry = event->entry->carry;
	if (!a)
		return;
	to->sampling.bytes = a->user_bytes;
	to->sampling.registers = rt_sampling_of_words(a->user_registers, arch);
	if (to->spec->kind == RT_SPEC_COUNTER)
		memcpy(&to->sampling.counter, a->room, sizeof(to->sampling.counter));
}

/* For how long a watch was off since the flight began: accesses then are missing, and nobody knows how many. */
static int take_off(struct rt_flight *f, const struct rt_image_event *event, struct rt_err *err)
{
	uint32_t cpu;

	for (cpu = 0; cpu < event->off_cpus; cpu++)
		if (event->off[cpu].times &&
		    rt_off_set(&f->recording.off, event->entry->id - 1, cpu, event->off[cpu].ns,
			       event->off[cpu].times))
			return rt_err_set(err, ENOMEM, "out of memory");
	return 0;
}

static int add_event(struct rt_flight *f, const struct rt_image_event *event, struct rt_err *err)
{
	uint32_t at = event->entry->id - 1;
	struct rt_recorded *to = &f->recording.events[at];
	struct rt_writer_event desc = { 0 };
	char name[NAME_MAX_BYTES];
	char *format;

	f->specs[at].kind = kind_of(event->entry->kind);
	to->spec = &f->specs[at];
	take_argument(to, event, f->recording.arch);
	to->addresses = f->addresses;
	format = format_of(event);
	if (!format)
		return rt_err_set(err, ENOMEM, "out of memory");
	make_name(event, format, name, sizeof(name));
	f->names[at] = strdup(name);
	if (!f->names[at]) {
		free(format);
		return rt_err_set(err, ENOMEM, "out of memory");
	}
	if (f->recording.writer) {
		rt_recorded_attr(to, f->recording.arch, &desc.attr);
		desc.name = name;
		if (to->spec->kind != RT_SPEC_COUNTER) {
			desc.format = without_system(format);
			if (to->spec->kind == RT_SPEC_TRACEPOINT)
				desc.attr.config = rt_format_id(format);
		}
		to->file = rt_writer_add(f->recording.writer, &desc, err);
	}
	free(format);
	return to->file < 0 ? to->file : take_off(f, event, err);
}

/* An older module does not say which registers a record holds. */
static bool readable(const struct rt_image_event *event)
{
	return event->entry->id && event->entry->id <= RT_EVENTS_MAX &&
	       !(event->entry->carry & ~RT_CARRY_FLAGS) &&
	       (event->argument || (event->entry->kind != RT_KIND_PMU &&
				    !(event->entry->carry & RT_CARRY_USER_REGISTERS)));
}

static int add_marks(struct rt_flight *f, struct rt_err *err)
{
	static const char *const names[] = { "flight:oops", "flight:panic", "flight:last" };
	struct rt_writer_event desc = {
		.attr = { .type = RT_TYPE_TRACEPOINT,
			  .sample_period = 1,
			  .sample_type = RT_SAMPLE_RAW },
	};
	const unsigned int bytes = RT_MARK_TEXT;
	char format[1024];
	int i;

	if (f->addresses)
		desc.attr.sample_type |= RT_SAMPLE_ADDR;
	for (i = 0; f->recording.writer && i < RT_FLIGHT_MARKS; i++) {
		/* A machine that goes on has no last event, and has not panicked. */
		if (f->opt->live && i != RT_FLIGHT_OOPS)
			continue;
		snprintf(format, sizeof(format), mark_format, strchr(names[i], ':') + 1, bytes,
			 bytes);
		desc.name = names[i];
		desc.format = format;
		f->mark[i] = rt_writer_add(f->recording.writer, &desc, err);
		if (f->mark[i] < 0)
			return f->mark[i];
	}
	return 0;
}

int rt_flight_add_events(struct rt_flight *f, struct rt_err *err)
{
	struct rt_image_entries at = { 0 };
	struct rt_image_event event;
	uint32_t most = 0;
	int ret = 0;

	while (rt_image_next_event(f->session, &at, &event)) {
		if (readable(&event) && event.entry->id > most)
			most = event.entry->id;
		/* perf prints addresses only if all events have them. */
		f->addresses |= readable(&event) && event.entry->carry & RT_CARRY_ADDRESS;
		f->found->newer += !!(event.entry->carry & ~RT_CARRY_FLAGS);
	}
	f->recording.events = calloc(most + 1, sizeof(*f->recording.events));
	f->specs = calloc(most + 1, sizeof(*f->specs));
	f->names = calloc(most + 1, sizeof(*f->names));
	if (!f->recording.events || !f->specs || !f->names)
		return rt_err_set(err, ENOMEM, "out of memory");
	f->recording.count = most;
	memset(&at, 0, sizeof(at));
	while (!ret && rt_image_next_event(f->session, &at, &event)) {
		if (!readable(&event) || f->recording.events[event.entry->id - 1].spec)
			continue;
		ret = add_event(f, &event, err);
		f->found->events++;
	}
	return ret ? ret : add_marks(f, err);
}

void rt_flight_free_events(struct rt_flight *f)
{
	size_t i;

	for (i = 0; f->names && i < f->recording.count; i++)
		free(f->names[i]);
	free(f->names);
	free(f->specs);
	free(f->recording.events);
}
