/* SPDX-License-Identifier: GPL-2.0 */
/*
 * spec.h - what a user means by `-e`: one struct rt_event_spec an event.
 *
 * The grammar is in docs/events.md.  Parsing asks its surroundings (which
 * tracepoints exist, where a symbol is) only through struct rt_event_env, so it
 * also works for another machine, and in tests.
 */
#ifndef RT_EVENTS_SPEC_H
#define RT_EVENTS_SPEC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <ringtail.h>

#include "base/error.h"
#include "events/registers.h"

enum rt_event_kind {
	RT_EVENT_COUNTER,    /* attr: hardware, cache, raw, software, sysfs PMU */
	RT_EVENT_TRACEPOINT, /* system, name */
	RT_EVENT_KPROBE,     /* module, symbol + offset or address */
	RT_EVENT_KRETPROBE,
	RT_EVENT_UPROBE, /* path, symbol + offset or file offset (address) */
	RT_EVENT_URETPROBE,
	RT_EVENT_WATCH, /* address, length, access */
};

/* How a field is shown. */
enum rt_field_show {
	RT_SHOW_HEX,
	RT_SHOW_UNSIGNED,
	RT_SHOW_SIGNED,
	RT_SHOW_CHAR,
	RT_SHOW_SYMBOL,
	RT_SHOW_STRING,
	RT_SHOW_ACCESS, /* RT_ACCESS_*: r, w, rw */
	RT_SHOW_WATCH,	/* RT_WATCH_* */
};

/*
 * A field of the record, as in the kernel's event formats.  Offsets count from
 * the record's start: the event's own fields begin at RT_FIELD_BASE.
 */
struct rt_field {
	char *name;
	char *type; /* C type in the format text, without array brackets: "u64", "char" */
	uint32_t offset;
	uint32_t size;	/* in the fixed part, all elements; 4 for dynamic data */
	uint32_t count; /* elements of an array; 0: not one */
	bool is_signed;
	bool is_string;
	bool dynamic; /* __data_loc: the fixed part holds length << 16 | offset */
	bool hidden;  /* not in the print format (address, fault mask) */
	bool is_dev;  /* a dev_t: filters take major:minor for it */
	enum rt_field_show show;
	int fault_bit; /* of the record's fault mask; -1: reading it cannot fail */
	/* The instructions of the fetch program that give its value, so that a
	 * filter can look before there is a record; value_count 0: there are none. */
	uint16_t value_first;
	uint16_t value_count;
};

struct rt_field_list {
	struct rt_field *fields;
	size_t count;
	uint32_t fixed; /* the record offset where they end */
};

/* Instructions and, behind them, text. */
struct rt_program_text {
	struct rt_insn *slots;
	uint16_t code;
	uint16_t text;
};

struct rt_event_spec {
	enum rt_event_kind kind;
	char *text;   /* as typed */
	char *system; /* "sched", "probe", "watch"; NULL for a counter */
	char *name;   /* "sched_switch", "tcp_sendmsg", "cycles:k" */
	char *alias;  /* what the term name= says it is to be called, or NULL */
	int group;    /* 0: none; events of one {…} share a number, the leader comes first */
	bool globbed; /* one of those that a glob matches */
	unsigned int left_out; /* of these: RT_REFUSED_*, why it is not recorded; 0: it is */

	/* Always valid for a counter; else what modifiers and terms said. */
	struct perf_event_attr attr;

	/* Probes and watches. */
	char *module; /* NULL: any; `MOD:SYM` */
	char *path;   /* of a user probe */
	char *symbol; /* NULL: by address */
	uint64_t address;
	uint64_t offset;
	uint32_t length; /* of a watch */
	uint32_t access; /* RT_ACCESS_* */

	/* Probes and watches: what is recorded and how. */
	struct rt_field_list fields;
	struct rt_program_text fetch;
	struct rt_field *faults; /* among the fields; NULL: nothing here can fault */
};

struct rt_event_list {
	struct rt_event_spec *specs;
	size_t count;
	int groups;
};

/* What the parser may ask.  Any of the functions may be NULL. */
struct rt_event_env {
	enum rt_arch arch;
	void *data;
	/* Call each(arg, system, name) for every tracepoint until it returns non-zero. */
	int (*tracepoints)(void *data, int (*each)(void *arg, const char *system, const char *name),
			   void *arg);
	/* Where SYMBOL is; MODULE may be NULL.  0 or a negative errno. */
	int (*symbol)(void *data, const char *module, const char *symbol, uint64_t *start,
		      uint64_t *end);
	/* The text range of a module. */
	int (*module)(void *data, const char *module, uint64_t *start, uint64_t *end);
	/* The name of the module in a .ko file, to be freed; or NULL with *ERR set. */
	char *(*module_file)(void *data, const char *path, struct rt_err *err);
	/* The definition of the probe GROUP:NAME as for `-e` (kprobe:…), to be freed; or NULL. */
	char *(*probe)(void *data, const char *group, const char *name);
	const char *sysfs; /* NULL: /sys */
};

/* The machine at hand: its architecture, tracefs for tracepoints; no symbols, no probes. */
void rt_event_env_local(struct rt_event_env *env);

/*
 * Parse what follows one `-e`: events separated by commas, globs expanded, and
 * append them to LIST, which starts out zeroed.  On error LIST is as before.
 */
int rt_event_parse(struct rt_event_list *list, const char *text, const struct rt_event_env *env,
		   struct rt_err *err);
void rt_event_list_free(struct rt_event_list *list);

/*
 * Parse a filter over FIELDS (and over the values of SPEC's fetch program,
 * unless SPEC is NULL).  *OUT is freed by rt_program_text_free().
 */
int rt_event_filter(const char *expression, const struct rt_field_list *fields,
		    const struct rt_event_spec *spec, const struct rt_event_env *env,
		    struct rt_program_text *out, struct rt_err *err);
void rt_program_text_free(struct rt_program_text *program);

/* The event's description in the words of tracefs' `format` files; to be freed. */
char *rt_event_format_text(const struct rt_event_spec *spec, unsigned int id);

/* The fields of such a text, common ones left out; freed by rt_field_list_free(). */
int rt_field_list_parse(struct rt_field_list *list, const char *format, struct rt_err *err);
void rt_field_list_free(struct rt_field_list *list);

/* One line an instruction, for people. */
void rt_program_print(FILE *out, const struct rt_insn *slots, unsigned int code, unsigned int text,
		      enum rt_arch arch);

/* A sentence for RT_REFUSED_*. */
const char *rt_program_reason(unsigned int reason);

#endif
