// SPDX-License-Identifier: GPL-2.0
/* Add the events of a list to a session and to its file. */
#include "record/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "events/syscall.h"
#include "host/tracefs.h"
#include "record/expand.h"
#include "record/later.h"
#include "record/left_out.h"

enum { RT_ABI_MINOR_PERF = 3 };	 /* from here on the module has RT_KIND_TRACEPOINT_PERF */
enum { RT_ABI_MINOR_SAVED = 8 }; /* and from here on RT_OP_SAVED */
enum { RT_ABI_MINOR_ADDRESS = 10 };
enum { RT_ABI_MINOR_PARTS = 11 }; /* from here on INFO has parts of sources */

static uint32_t kind_of(const struct rt_event_spec *spec)
{
	if (spec->later)
		return RT_KIND_TRACEPOINT_LATER;
	switch (spec->kind) {
	case RT_SPEC_KPROBE:
		return RT_KIND_KPROBE;
	case RT_SPEC_KRETPROBE:
		return RT_KIND_KRETPROBE;
	case RT_SPEC_UPROBE:
	case RT_SPEC_USDT:
		return RT_KIND_UPROBE;
	case RT_SPEC_URETPROBE:
		return RT_KIND_URETPROBE;
	case RT_SPEC_TRACEPOINT:
		return rt_syscall_is_enter(spec) ? RT_KIND_SYSCALL_ENTER :
		       rt_syscall_is_exit(spec)	 ? RT_KIND_SYSCALL_EXIT :
						   RT_KIND_TRACEPOINT;
	case RT_SPEC_WATCH:
		return RT_KIND_WATCHPOINT;
	case RT_SPEC_COUNTER:
		return RT_KIND_PMU;
	}
	return 0;
}

static void give_program(struct rt_program *to, const struct rt_program_text *from)
{
	to->slots = (uintptr_t)from->slots;
	to->code = from->code;
	to->text = from->text;
}

/*
 * "function", "module:function", "system:tracepoint" or "sys_enter_open"; NULL: by address.  The name
 * of a user probe is only for readers of a memory image.
 */
static char *name_for_module(const struct rt_event_spec *spec)
{
	char *name = NULL;

	if (spec->kind == RT_SPEC_WATCH || spec->placed)
		return NULL;
	if (spec->kind == RT_SPEC_TRACEPOINT && !spec->later &&
	    kind_of(spec) != RT_KIND_TRACEPOINT) {
		name = strdup(spec->name);
	} else if (spec->kind == RT_SPEC_TRACEPOINT || rt_event_is_user(spec)) {
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

/* Pass a name and offset, an address, or a place in a file. */
static void give_probe(struct rt_event_add *add, const struct rt_event_spec *spec,
		       const struct rt_recording_options *opt)
{
	if (rt_event_is_user(spec)) {
		add->uprobe.file = spec->fd;
		add->uprobe.offset = spec->address;
		add->uprobe.semaphore = spec->semaphore;
	}
	if (add->kind != RT_KIND_KPROBE && add->kind != RT_KIND_KRETPROBE)
		return;
	if (add->name)
		add->probe.offset = spec->offset;
	else
		add->probe.address = spec->address;
	add->probe.instances = spec->kind == RT_SPEC_KRETPROBE ? opt->instances : 0;
}

/* Add a counter.  If the machine does not have it, add the nearest substitute. */
static int add_counter(struct rt_recording *r, struct rt_recorded *event, struct rt_event_add *add,
		       const struct rt_recording_options *opt, struct rt_err *err)
{
	struct rt_sampling *s = &event->sampling;
	int ret;

	add->name = (uintptr_t)s->name;
	do {
		add->counter = s->counter;
		ret = rt_agent_session_add(&r->session, add, err);
	} while (ret && rt_sampling_instead(s, &add->refusal));
	return ret;
}

/* Add a system call by its name or, if the module cannot find its number, by our own. */
static int add_syscall(struct rt_recording *r, const struct rt_event_spec *spec,
		       struct rt_event_add *add, struct rt_err *err)
{
	int ret = rt_agent_session_add(&r->session, add, err), number;

	if (!ret || add->refusal.reason != RT_REFUSED_NOT_NATIVE)
		return ret;
	number = rt_syscall_number(spec);
	if (number < 0)
		return ret;
	add->name = 0;
	add->syscall.number = number;
	return rt_agent_session_add(&r->session, add, err);
}

/* The module knows the function; the format tells the event's own name. */
static char *format_for_image(const struct rt_event_spec *spec)
{
	char *format = rt_event_format_text(spec, 0), *text = NULL;

	if (format && asprintf(&text, RT_RECORDED_SYSTEM "%s\n%s", spec->system, format) < 0)
		text = NULL;
	free(format);
	return text;
}

/* Ask for the kernel's own fields of a tracepoint; -EOPNOTSUPP if the loaded module is too old. */
static int add_through_perf(struct rt_recording *r, struct rt_event_add *add, const char *format,
			    struct rt_err *err)
{
	struct rt_field_list fields = { 0 };
	int ret;

	if (r->session.info.abi_minor < RT_ABI_MINOR_PERF)
		return -EOPNOTSUPP;
	ret = rt_field_list_parse(&fields, format, err);
	if (ret)
		return ret;
	add->kind = RT_KIND_TRACEPOINT_PERF;
	add->tracepoint.number = rt_format_id(format);
	add->tracepoint.bytes = fields.fixed > RT_FIELD_BASE ? fields.fixed - RT_FIELD_BASE : 0;
	rt_field_list_free(&fields);
	return rt_agent_session_add(&r->session, add, err);
}

/* How many argument registers the module must keep from the entry. */
static int give_saved(const struct rt_recording *r, const struct rt_event_spec *spec,
		      struct rt_event_add *add, struct rt_err *err)
{
	unsigned int i, saved = 0;

	for (i = 0; i < spec->fetch.code; i++)
		if (spec->fetch.slots[i].op == RT_OP_SAVED && spec->fetch.slots[i].arg >= saved)
			saved = spec->fetch.slots[i].arg + 1;
	if (!saved)
		return 0;
	if (r->session.info.abi_minor < RT_ABI_MINOR_SAVED)
		return rt_err_set(err, EOPNOTSUPP,
				  "the loaded module does not save parameters for the return; "
				  "install a newer one, or record the entry");
	add->probe.saved = saved;
	return 0;
}

/* As perf does, record an address of every event; only counters and watches have one. */
static int give_address(const struct rt_recording *r, struct rt_event_add *add, struct rt_err *err)
{
	if (add->kind != RT_KIND_PMU && add->kind != RT_KIND_WATCHPOINT)
		return 0;
	if (r->session.info.abi_minor < RT_ABI_MINOR_ADDRESS)
		return rt_err_set(err, EOPNOTSUPP,
				  "the loaded module does not record data addresses; install a "
				  "newer one, or leave out -d");
	add->carry |= RT_CARRY_ADDRESS;
	return 0;
}

/* Before 3.15 the module cannot wait for tracepoints; a module of before ABI 3.11 does not say so. */
static int check_later(const struct rt_recording *r, struct rt_err *err)
{
	if (r->session.info.abi_minor >= RT_ABI_MINOR_PARTS &&
	    !(r->session.info.sources & RT_SOURCE_TRACEPOINT_MODULE))
		return rt_err_set(err, EOPNOTSUPP,
				  "this kernel does not tell modules about each other's "
				  "tracepoints; that needs Linux 3.15");
	return 0;
}

/* Add anything but a counter. */
static int add_other(struct rt_recording *r, struct rt_recorded *event, struct rt_event_add *add,
		     const char *format, struct rt_err *err)
{
	int ret = rt_agent_session_add(&r->session, add, err), again;
	struct rt_refusal first = add->refusal;
	struct rt_err other;

	event->perf = false;
	if (!ret || add->kind != RT_KIND_TRACEPOINT || !format ||
	    (first.reason != RT_REFUSED_NOT_NATIVE && first.reason != RT_REFUSED_NO_TRACEPOINT))
		return ret;
	again = add_through_perf(r, add, format, &other);
	event->perf = !again;
	if (again)
		add->refusal = first;
	return again ? ret : 0;
}

/* Return 0, a negative errno, or 1 if the event is left out. */
static int add_to_session(struct rt_recording *r, struct rt_event_spec *spec,
			  const struct rt_program_text *filter,
			  const struct rt_recording_options *opt, struct rt_err *err)
{
	struct rt_event_add add = {
		.kind = kind_of(spec),
		.carry = opt->registers ? RT_CARRY_REGISTERS : 0,
		.stack_max =
			spec->attr.sample_max_stack ? spec->attr.sample_max_stack : opt->stack_max,
	};
	struct rt_sampling_options own;
	bool watch = spec->kind == RT_SPEC_WATCH, stacks;
	struct rt_recorded *event = &r->events[r->count];
	struct rt_err ignored;
	char *name, *format = NULL;
	int ret;

	stacks = rt_sampling_of_event(spec, opt->stacks, &opt->sampling, &own);
	add.carry |= rt_sampling_carry(&event->sampling, r->arch, stacks, &own);
	add.user_registers = rt_sampling_words(&event->sampling, r->arch);
	add.user_bytes = event->sampling.bytes;
	if (watch) {
		add.watch.address = spec->address;
		add.watch.length = spec->length;
		add.watch.access = spec->access;
		add.watch.rate = opt->watch_rate;
		add.watch.flags = spec->copies;
		add.watch.cpu = spec->copy;
	}
	name = name_for_module(spec);
	add.name = (uintptr_t)name;
	give_probe(&add, spec, opt);
	/* The format helps to decode rings in a memory image; without it the event still works. */
	if (spec->later)
		format = NULL;
	else if (spec->kind == RT_SPEC_TRACEPOINT)
		rt_tracefs_format(NULL, spec->system, spec->name, &format, &ignored);
	else if (spec->kind != RT_SPEC_COUNTER)
		format = format_for_image(spec);
	if (format && strlen(format) <= RT_FORMAT_MAX) {
		add.format = (uintptr_t)format;
		add.format_bytes = strlen(format);
	}
	give_program(&add.fetch, &spec->fetch);
	give_program(&add.filter, filter);
	ret = give_saved(r, spec, &add, err);
	if (!ret && spec->later)
		ret = check_later(r, err);
	if (!ret && opt->addresses)
		ret = give_address(r, &add, err);
	if (ret) {
		/* The sentence is complete. */
	} else if (add.kind == RT_KIND_PMU) {
		rt_sampling_counter(&event->sampling, spec, &opt->sampling);
		ret = add_counter(r, event, &add, opt, err);
	} else if (add.kind == RT_KIND_SYSCALL_ENTER || add.kind == RT_KIND_SYSCALL_EXIT) {
		ret = add_syscall(r, spec, &add, err);
	} else {
		ret = add_other(r, event, &add, format, err);
	}
	free(name);
	free(format);
	/* Without a reason of its own, the module passes on the kernel's errno. */
	if (ret && !add.refusal.reason && ret != -ENOMEM && ret != -EINTR)
		add.refusal.reason = RT_REFUSED_ARMING;
	if (ret && !opt->strict && rt_left_out_may(spec, add.refusal.reason)) {
		spec->left_out = add.refusal.reason;
		return 1;
	}
	if (ret && spec->globbed)
		rt_err_prefix(err, ret, "%s:%s", spec->system, spec->name);
	if (ret)
		return rt_err_prefix(err, ret, "'%s'", spec->text);
	event->spec = spec;
	event->carry = add.carry;
	event->addresses = opt->addresses;
	event->stack_max = add.stack_max;
	event->waits = spec->later || add.refusal.reason == RT_REFUSED_NO_MODULE;
	r->count++;
	return 0;
}

int rt_recording_add_to_file(struct rt_recording *r, struct rt_recorded *event, struct rt_err *err)
{
	const struct rt_event_spec *spec = event->spec;
	struct rt_writer_event desc = { 0 };
	char *format = NULL, name[2 * RT_EVENT_NAME_MAX];

	if (!r->writer)
		return 0;
	rt_recorded_attr(event, r->arch, &desc.attr);
	if (spec->kind == RT_SPEC_COUNTER)
		snprintf(name, sizeof(name), "%s", event->sampling.name);
	else
		snprintf(name, sizeof(name), "%s:%s", spec->system, spec->name);
	desc.name = name;
	desc.alias = spec->kind == RT_SPEC_TRACEPOINT ? spec->alias : NULL;
	desc.group = spec->group;
	if (spec->kind != RT_SPEC_TRACEPOINT && spec->kind != RT_SPEC_COUNTER) {
		format = rt_event_format_text(spec, 0);
		if (!format)
			return rt_err_set(err, ENOMEM, "out of memory");
		desc.format = format;
	}
	/* The losses of the pattern belong to this event; its tracepoints get their own. */
	if (spec->later) {
		desc.attr.type = RT_TYPE_SOFTWARE;
		desc.attr.config = RT_SW_DUMMY;
	}
	event->file = rt_writer_add(r->writer, &desc, err);
	free(format);
	if (event->file < 0)
		return event->file;
	event->plain = spec->kind != RT_SPEC_COUNTER && !event->carry && !spec->later &&
		       rt_writer_plain(r->writer, event->file);
	event->address = rt_expand_address(spec);
	return spec->later ? rt_later_refile(r, event, err) : 0;
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
	if (spec->kind != RT_SPEC_TRACEPOINT || spec->fetch.code || spec->later)
		return rt_event_filter(text, &spec->fields, spec, env, out, err);
	ret = rt_tracefs_format(NULL, spec->system, spec->name, &format, err);
	if (ret)
		return ret;
	ret = rt_field_list_parse(&fields, format, err);
	if (!ret)
		ret = rt_event_filter(text, &fields, NULL, env, out, err);
	rt_field_list_free(&fields);
	free(format);
	return ret;
}

/* Only the kernel's format files say which arguments a system call takes. */
static int lay_out_syscall(struct rt_event_spec *spec, const struct rt_event_env *env,
			   struct rt_err *err)
{
	char *format;
	int ret;

	if (spec->fetch.code || spec->later ||
	    !(rt_syscall_is_enter(spec) || rt_syscall_is_exit(spec)))
		return 0;
	ret = rt_tracefs_format(NULL, spec->system, spec->name, &format, err);
	if (ret)
		return ret;
	ret = rt_syscall_lay_out(spec, format, env->arch, err);
	free(format);
	return ret;
}

int rt_recording_add_to_session(struct rt_recording *r, struct rt_event_spec *spec,
				const char *condition, const struct rt_event_env *env,
				const struct rt_recording_options *opt, struct rt_err *err)
{
	struct rt_program_text filter = { 0 };
	int ret = lay_out_syscall(spec, env, err);

	if (!ret)
		ret = compile_filter(spec, condition, env, &filter, err);
	if (!ret)
		ret = add_to_session(r, spec, &filter, opt, err);
	rt_program_text_free(&filter);
	return ret;
}

static int add_one(struct rt_recording *r, struct rt_event_spec *spec, const char *condition,
		   const struct rt_event_env *env, const struct rt_recording_options *opt,
		   struct rt_err *err)
{
	int ret;

	if (opt->interrupted && opt->interrupted())
		return rt_err_set(err, EINTR, "ended before it had begun; nothing was recorded");
	ret = rt_recording_add_to_session(r, spec, condition, env, opt, err);
	if (!ret)
		ret = rt_recording_add_to_file(r, &r->events[r->count - 1], err);
	return ret;
}

/* The functions that have a probe at their entry. */
static int entered_functions(const struct rt_event_list *list, struct rt_text_set *entered)
{
	const struct rt_event_spec *spec;
	int ret = 0;
	size_t i;

	for (i = 0; ret >= 0 && i < list->count; i++) {
		spec = &list->specs[i];
		if (spec->kind == RT_SPEC_KPROBE && spec->symbol)
			ret = rt_text_set_add(entered, spec->symbol);
	}
	return ret < 0 ? ret : 0;
}

/*
 * The kernel calls the probes of one address in reverse order of registration, and a return probe
 * replaces the return address with its trampoline.  Register the return probe first, so that it
 * runs last and the other probes still see the caller.
 */
static bool hides_caller(const struct rt_text_set *entered, const struct rt_event_spec *spec)
{
	return spec->kind == RT_SPEC_KRETPROBE && spec->symbol &&
	       rt_text_set_has(entered, spec->symbol);
}

int rt_recording_add_all(struct rt_recording *r, const struct rt_event_list *list,
			 char *const *filters, const struct rt_event_env *env,
			 const struct rt_recording_options *opt, struct rt_err *err)
{
	struct rt_text_set entered = { 0 };
	struct rt_progress progress;
	size_t n, i;
	int ret = entered_functions(list, &entered);

	if (ret)
		rt_err_set(err, ENOMEM, "out of memory");
	rt_progress_start(&progress, opt->messages, "preparing events", list->count);
	for (n = 0; ret >= 0 && n < 2 * list->count; n++) {
		i = n % list->count;
		if (hides_caller(&entered, &list->specs[i]) != (n < list->count))
			continue;
		ret = add_one(r, &list->specs[i], filters[i], env, opt, err);
		rt_progress_update(&progress, r->count);
	}
	rt_progress_end(&progress);
	rt_text_set_free(&entered);
	return ret < 0 ? ret : rt_left_out_check(list, err);
}
