/* SPDX-License-Identifier: GPL-2.0 */
/*
 * parser.h - what the parts of the parser of events share: list.c has lists and groups, event.c
 * one event.
 */
#ifndef RT_EVENTS_PARSER_H
#define RT_EVENTS_PARSER_H

#include "events/spec.h"

struct rt_scan;

struct rt_event_parser {
	struct rt_event_list *list;
	const struct rt_event_env *env;
	struct rt_err *err;
	int group;
	const char *whole;     /* the argument of -e, for errors that are not in one event */
	const char *modifiers; /* of the group, behind its ':' in WHOLE; NULL: none */
	size_t modifiers_size;
	/* The name under which the next events were defined; NULL: they make their own. */
	const char *as_system, *as_name;
	bool by_address; /* place probes of the kernel itself by address: looking up names is slow */
};

/* Append what TEXT, without commas around it, stands for. */
int rt_event_parse_one(struct rt_event_parser *p, const char *text);

/* Take the name of a definition.  Give several probes of one function different names: f, f_1, f_2. */
int rt_event_make_name(const struct rt_event_parser *p, struct rt_event_spec *spec);

/* Append a note for the user; takes ownership of NOTE, which may be NULL. */
int rt_event_note(struct rt_event_parser *p, char *note);

/* Append SPEC; takes ownership of what it holds, also on failure. */
int rt_event_append(struct rt_event_parser *p, struct rt_event_spec *spec);

/* Parse the text behind its first SKIP characters, without finding its places yet. */
int rt_event_parse_text(struct rt_event_parser *p, const char *text, size_t skip,
			enum rt_event_kind kind, struct rt_event_spec *spec);

/* Append one probe for each place that the text stands for. */
int rt_event_parse_probe(struct rt_event_parser *p, const char *text, size_t skip,
			 enum rt_event_kind kind);

/*
 * If the function of a kernel probe is a glob, the length of its word, else 0; and append one probe for
 * each function that matches.
 */
size_t rt_function_glob(const char *text, size_t skip, enum rt_event_kind kind);
int rt_function_glob_parse(struct rt_event_parser *p, const char *text, size_t skip,
			   enum rt_event_kind kind);

/* Append what env->translate() makes of the text; -ENOENT: nothing. */
int rt_event_parse_translated(struct rt_event_parser *p, const char *text);

/* Append one user probe for each place in its file, or one for each marker of that name. */
int rt_user_parse(struct rt_event_parser *p, const char *text, size_t skip,
		  enum rt_event_kind kind);
int rt_marker_parse(struct rt_event_parser *p, const char *text, size_t skip);

/*
 * probe_FILE:FUNCTION and sdt_PROVIDER:MARKER, which perf would want to be defined first: append them if
 * such a program or library is installed; -ENOENT: there is none.
 */
int rt_installed_parse(struct rt_event_parser *p, const char *system, const char *name);

/* Append the rest of later:SYSTEM:NAME, both globs. */
int rt_later_parse(struct rt_event_parser *p, struct rt_scan *scan, struct rt_event_spec *spec);

/* Tell the user something; takes ownership of NOTE, which may be NULL. */
int rt_event_note(struct rt_event_parser *p, char *note);

void rt_event_spec_free(struct rt_event_spec *spec);

#endif
