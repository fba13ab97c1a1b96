// SPDX-License-Identifier: GPL-2.0
#include "cmd/list_events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/nearest.h"
#include "events/machine.h"
#include "events/tracepoint.h"
#include "host/tracefs.h"
#include "record/kernel_env.h"
#include "record/trial.h"

/* One word of the command line. */
struct word {
	const char *text;
	bool glob, is_kind;
	enum rt_machine_kind kind;
	bool matched;
};

struct listing {
	const struct rt_list_options *opt;
	struct rt_event_env env;
	struct rt_trial trial;
	struct rt_json json;
	struct word *words;
	int count;
	struct rt_nearest near; /* to the word of which nothing matches */
};

/* --- choosing -------------------------------------------------------------------- */

static bool names(const struct word *word, const char *name)
{
	if (!name)
		return false;
	return word->glob ? rt_tracepoint_matches(word->text, name) :
			    strcasestr(name, word->text) != NULL;
}

static bool chosen(struct listing *l, const struct rt_machine_event *event)
{
	bool any = !l->count;
	int i;

	for (i = 0; i < l->count; i++) {
		struct word *word = &l->words[i];

		if (word->is_kind ? word->kind != event->kind :
				    !names(word, event->name) && !names(word, event->alias))
			continue;
		word->matched = true;
		any = true;
	}
	return any;
}

static void read_words(struct listing *l, char *const *words)
{
	int i;

	for (i = 0; i < l->count; i++) {
		l->words[i].text = words[i];
		l->words[i].glob = rt_tracepoint_is_glob(words[i]);
		l->words[i].is_kind = !rt_machine_kind_find(words[i], &l->words[i].kind);
	}
}

/* --- what the kernel says about a record ------------------------------------------ */

struct details {
	char *format; /* tracefs' text; NULL: none */
	struct rt_field_list fields;
	const char *print; /* in the format; NULL: none */
	const char *recorded;
	struct rt_err why; /* "": there is nothing to add */
};

static void look_up_format(const struct rt_machine_event *event, struct details *d)
{
	struct rt_err ignored;
	char *print;

	if (!event->system ||
	    rt_tracefs_format(NULL, event->system, event->event, &d->format, &ignored))
		return;
	if (rt_field_list_parse(&d->fields, d->format, &ignored))
		memset(&d->fields, 0, sizeof(d->fields));
	print = strstr(d->format, "\nprint fmt: ");
	if (print) {
		print += strlen("\nprint fmt: ");
		print[strcspn(print, "\n")] = 0;
		d->print = print;
	}
}

static void look_up_details(struct listing *l, const struct rt_machine_event *event,
			    struct details *d)
{
	static const char *const answers[] = {
		[RT_TRIAL_NATIVE] = "native",	[RT_TRIAL_GENERIC] = "generic",
		[RT_TRIAL_SAMPLED] = "sampled", [RT_TRIAL_INSTEAD] = "as cpu-clock",
		[RT_TRIAL_REFUSED] = "no",	[RT_TRIAL_UNKNOWN] = "unknown",
	};

	memset(d, 0, sizeof(*d));
	look_up_format(event, d);
	if (event->never) {
		d->recorded = answers[RT_TRIAL_REFUSED];
		rt_err_set(&d->why, 0, "%s", event->never);
	} else if (!event->form) {
		d->recorded = answers[rt_trial_ask(&l->trial, event->name, &d->why)];
	}
}

static void free_details(struct details *d)
{
	rt_field_list_free(&d->fields);
	free(d->format);
}

/* --- printing -------------------------------------------------------------------- */

static void print_field(const struct rt_field *field)
{
	if (field->dynamic)
		printf("    field: __data_loc %s%s %s\n", field->type,
		       strchr(field->type, '[') ? "" : "[]", field->name);
	else if (field->count)
		printf("    field: %s %s[%u]\n", field->type, field->name, field->count);
	else
		printf("    field: %s %s\n", field->type, field->name);
}

static void print_details(const struct rt_machine_event *event, const struct details *d)
{
	size_t i;

	if (d->recorded)
		printf("    recorded: %s%s%s\n", d->recorded, *d->why.text ? ": " : "",
		       d->why.text);
	if (event->detail)
		printf("    %s: %s\n", event->kind == RT_MACHINE_PROBE ? "defined as" : "terms",
		       event->detail);
	for (i = 0; i < d->fields.count; i++)
		print_field(&d->fields.fields[i]);
	if (d->print)
		printf("    print: %s\n", d->print);
}

static void print_text(const struct rt_machine_event *event, const struct details *d)
{
	int width = printf("%s%s%s", event->name, event->alias ? " OR " : "",
			   event->alias ? event->alias : "");

	printf("%*s  %s\n", width < 50 ? 50 - width : 0, "", rt_machine_kind_name(event->kind));
	if (d)
		print_details(event, d);
}

static void print_json_details(struct rt_json *j, const struct details *d)
{
	size_t i;

	if (d->recorded)
		rt_json_string(j, "recorded", d->recorded);
	if (*d->why.text)
		rt_json_string(j, "why", d->why.text);
	if (!d->format)
		return;
	rt_json_open(j, "fields", '[');
	for (i = 0; i < d->fields.count; i++) {
		const struct rt_field *field = &d->fields.fields[i];

		rt_json_open(j, NULL, '{');
		rt_json_string(j, "name", field->name);
		rt_json_string(j, "type", field->type);
		if (field->count)
			rt_json_int(j, "elements", field->count);
		rt_json_bool(j, "dynamic", field->dynamic);
		rt_json_bool(j, "signed", field->is_signed);
		rt_json_int(j, "offset", field->offset);
		rt_json_int(j, "size", field->size);
		rt_json_close(j, '}');
	}
	rt_json_close(j, ']');
	if (d->print)
		rt_json_string(j, "print", d->print);
}

static void print_json(struct rt_json *j, const struct rt_machine_event *event,
		       const struct details *d)
{
	rt_json_open(j, NULL, '{');
	rt_json_string(j, "name", event->name);
	rt_json_string(j, "kind", rt_machine_kind_name(event->kind));
	if (event->alias)
		rt_json_string(j, "alias", event->alias);
	if (event->detail)
		rt_json_string(j, event->kind == RT_MACHINE_PROBE ? "definition" : "terms",
			       event->detail);
	if (event->form)
		rt_json_bool(j, "form", true);
	if (d)
		print_json_details(j, d);
	rt_json_close(j, '}');
}

static int print_event(void *arg, const struct rt_machine_event *event)
{
	struct listing *l = arg;
	struct details d;

	if (!chosen(l, event))
		return 0;
	if (l->opt->verbose)
		look_up_details(l, event, &d);
	if (l->opt->json)
		print_json(&l->json, event, l->opt->verbose ? &d : NULL);
	else
		print_text(event, l->opt->verbose ? &d : NULL);
	if (l->opt->verbose)
		free_details(&d);
	return 0;
}

/* --- the command ----------------------------------------------------------------- */

static int offer(void *arg, const struct rt_machine_event *event)
{
	struct listing *l = arg;

	rt_nearest_offer(&l->near, event->name);
	if (event->alias)
		rt_nearest_offer(&l->near, event->alias);
	/* The user may have left out the system. */
	if (event->event)
		rt_nearest_offer(&l->near, event->event);
	return 0;
}

static int check_matched(struct listing *l, struct rt_err *err)
{
	struct rt_err ignored;
	char text[256];
	int i;

	for (i = 0; i < l->count; i++) {
		const struct word *word = &l->words[i];

		/* A machine may have no counters at all: that is an answer. */
		if (word->matched || word->is_kind)
			continue;
		rt_nearest_begin(&l->near, word->text);
		rt_machine_each(&l->env, ~0U, offer, l, &ignored);
		if (!strncmp(word->text, "usdt:", 5) || !strncmp(word->text, "uprobe:", 7))
			return rt_err_set(
				err, ENOENT,
				"'%s': events of files are not in the list; 'ringtail list "
				"sdt FILE' names its markers, 'ringtail probe -x FILE -F' its "
				"functions",
				word->text);
		return rt_err_set(err, ENOENT, "no event of this machine is called '%s'%s",
				  word->text, rt_nearest_text(&l->near, text, sizeof(text)));
	}
	return 0;
}

/* The kinds to look at: all, unless every word is a kind. */
static unsigned int kinds_of(const struct listing *l)
{
	unsigned int kinds = 0;
	int i;

	for (i = 0; i < l->count; i++) {
		if (!l->words[i].is_kind)
			return ~0U;
		kinds |= 1U << l->words[i].kind;
	}
	return kinds ? kinds : ~0U;
}

static int print_all(struct listing *l, struct rt_err *err)
{
	int ret;

	if (l->opt->verbose)
		rt_trial_begin(&l->trial, &l->env);
	rt_json_begin(&l->json, stdout);
	if (l->opt->json)
		rt_json_open(&l->json, NULL, '[');
	ret = rt_machine_each(&l->env, kinds_of(l), print_event, l, err);
	if (l->opt->json) {
		rt_json_close(&l->json, ']');
		putchar('\n');
	}
	if (l->opt->verbose)
		rt_trial_end(&l->trial);
	if (!ret)
		ret = check_matched(l, err);
	if (!ret && (fflush(stdout) || ferror(stdout)))
		ret = rt_err_set(err, EIO, "cannot write the output");
	return ret;
}

int rt_list_events(char *const *words, int count, const struct rt_list_options *opt,
		   struct rt_err *err)
{
	struct listing l = { .opt = opt, .count = count };
	int ret;

	if (rt_kernel_env(&l.env))
		return rt_err_set(err, ENOMEM, "out of memory");
	l.words = calloc(count + 1, sizeof(*l.words));
	if (l.words) {
		read_words(&l, words);
		ret = print_all(&l, err);
	} else {
		ret = rt_err_set(err, ENOMEM, "out of memory");
	}
	free(l.words);
	rt_kernel_env_free(&l.env);
	return ret;
}
