/* SPDX-License-Identifier: GPL-2.0 */
/*
 * spec.h - the events that a user gives with `-e`: one struct rt_event_spec per event.
 *
 * docs/events.md has the grammar.  The parser asks about its surroundings (which tracepoints exist,
 * where a symbol is) only through struct rt_event_env, so it also works for another machine and in
 * tests.
 *
 * This folder: the languages of -e and --filter: parsing, layouts of records, fetch and filter
 * programs.  May use: base, host, arch, abi, uapi, module/program.
 */
#ifndef RT_EVENTS_SPEC_H
#define RT_EVENTS_SPEC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <ringtail.h>

#include "base/error.h"
#include "base/text_set.h"
#include "arch/register_names.h"
#include "host/ksyms.h"

enum rt_event_kind {
	RT_SPEC_COUNTER,    /* attr: hardware, cache, raw, software, sysfs PMU */
	RT_SPEC_TRACEPOINT, /* system, name */
	RT_SPEC_KPROBE,	    /* module, symbol + offset or address */
	RT_SPEC_KRETPROBE,
	RT_SPEC_UPROBE, /* path, symbol + offset; address is the offset in the file */
	RT_SPEC_URETPROBE,
	RT_SPEC_USDT,  /* only while it is parsed: its places become uprobes */
	RT_SPEC_WATCH, /* address, length, access */
};

/* Which stacks the terms of an event ask for. */
enum rt_event_graph {
	RT_GRAPH_COMMON, /* as the options of the recording say */
	RT_GRAPH_NONE,
	RT_GRAPH_FP,
	RT_GRAPH_DWARF,
};

/* How a field is printed. */
enum rt_field_show {
	RT_SHOW_HEX,
	RT_SHOW_UNSIGNED,
	RT_SHOW_SIGNED,
	RT_SHOW_CHAR,
	RT_SHOW_SYMBOL,
	RT_SHOW_STRING,
	RT_SHOW_ACCESS, /* RT_ACCESS_*: r, w, rw */
	RT_SHOW_WATCH,	/* RT_WATCH_* */
	RT_SHOW_FLOAT,	/* its bits are a floating-point number */
	RT_SHOW_NAMES,	/* by the names of its numbers */
	RT_SHOW_BIG,	/* its bytes are a big-endian number */
};

/*
 * A field of the record, as in the kernel's event formats.  Offsets count from the start of the
 * record; the event's own fields begin at RT_FIELD_BASE.
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
	char *names;   /* RT_SHOW_NAMES: for __print_symbolic(), { 0x1, "A" }, … */
	int fault_bit; /* in the record's fault mask; -1: reading it cannot fail */
	/*
	 * The instructions of the fetch program that compute the value, so that a filter can test
	 * it before the record exists; value_count 0: there are none.
	 */
	uint16_t value_first;
	uint16_t value_count;
};

struct rt_field_list {
	struct rt_field *fields;
	size_t count;
	uint32_t fixed; /* record offset of the end of the fixed part */
};

/* Instructions, followed by text. */
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
	char *alias;  /* from the term name=, or NULL */
	int group;    /* 0: none; events of one {…} share a number, the leader comes first */
	bool globbed; /* from a glob, or one of several places of a probe */
	bool later;   /* system and name are globs for tracepoints of modules, also of later ones */
	unsigned int left_out; /* globbed only: RT_REFUSED_*, why it is not recorded; 0: recorded */

	/* Complete for a counter; otherwise only modifiers and terms are set. */
	struct perf_event_attr attr;
	enum rt_event_graph graph;
	uint32_t stack_bytes; /* RT_GRAPH_DWARF: bytes of user stack; 0: the default */

	/* Probes and watches. */
	char *module; /* NULL: any; `MOD:SYM` */
	char *file;   /* source file of the function, as typed: `FILE.c:SYM`; or NULL */
	char *symbol; /* NULL: given by address */
	bool placed;  /* several functions have this name: use the address */
	uint64_t address;
	uint64_t offset;
	char *path;	    /* of a user probe, as typed */
	int fd;		    /* that file; it belongs to the env */
	uint64_t semaphore; /* offset in that file; 0: none */
	bool go;	    /* that file is a Go program */
	uint32_t length;    /* of a watch */
	uint32_t access;    /* RT_ACCESS_* */
	uint32_t copies;    /* RT_WATCHPOINT_*: of a per-CPU variable */
	uint32_t copy;	    /* RT_WATCHPOINT_ONE_CPU: that CPU */

	/* Probes and watches: the record's fields and the program that fetches them. */
	struct rt_field_list fields;
	struct rt_program_text fetch;
	struct rt_field *faults; /* one of the fields; NULL: nothing can fault */
};

struct rt_event_list {
	struct rt_event_spec *specs;
	size_t count, room;
	int groups;
	/* Notes for the user; they are not errors. */
	char **notes;
	size_t note_count;
	/* "system:name" of the first `named` specs, for the parser. */
	struct rt_text_set names;
	size_t named;
	bool copies; /* what is being parsed has probes at the clones and parts of its function, too */
};

/* A place in a file of user code: SYMBOL + OFFSET or, without a symbol, an offset in the file. */
struct rt_user_query {
	const char *path;
	const char *symbol;
	uint64_t offset;
	bool returns;
};

/* Free `offsets` and `group`; the descriptor belongs to the env. */
struct rt_user_places {
	int fd;
	char *group;	   /* "probe_libc", as perf names it */
	uint64_t *offsets; /* in the file; several functions may have one name */
	size_t count;
	bool go; /* a Go program */
};

/* A marker (USDT) in a file of user code.  Offsets are in the file. */
struct rt_user_marker {
	const char *provider, *name;
	const char *args; /* "-4@%edi 8@-8(%rbp)" */
	uint64_t offset;
	uint64_t semaphore; /* 0: none */
};

/* The names of a value's numbers: the enumerators of its type. */
struct rt_value_label {
	char *value; /* its name */
	char *names; /* for __print_symbolic(): { 0x1, "A" }, … */
};

struct rt_value_labels {
	struct rt_value_label *list;
	size_t count;
};

void rt_value_labels_free(struct rt_value_labels *labels);

/* An event that was written with the names of variables, in the syntax of -e. */
struct rt_translated {
	char *text;	     /* kprobe:… */
	char *system, *name; /* of the event; NULL: they follow from the text */
	char *suffix;	     /* of the name, "part_0": a clone or part of a function; NULL: none */
	struct rt_value_labels labels;
};

struct rt_translation {
	struct rt_translated *list;
	size_t count;
	char *note; /* for the user; NULL: nothing to say */
};

void rt_translation_free(struct rt_translation *translation);

/* What the parser can ask.  Any of the functions may be NULL. */
typedef int rt_kept_probe_each(void *arg, const char *group, const char *name,
			       const char *definition);

struct rt_event_env {
	enum rt_arch arch;
	void *data;
	/* Call each(arg, system, name) for every tracepoint until it returns non-zero. */
	int (*tracepoints)(void *data, int (*each)(void *arg, const char *system, const char *name),
			   void *arg);
	/*
	 * Call each(arg, module, name) for every function that ftrace can trace until it returns
	 * non-zero; MODULE is "vmlinux" for the kernel itself.  That value, or a negative errno if
	 * the list cannot be read.
	 */
	int (*functions)(void *data, int (*each)(void *arg, const char *module, const char *name),
			 void *arg);
	/* The functions of the kernel and its modules; NULL if unknown. */
	struct rt_ksyms *(*ksyms)(void *data);
	/* Whether the source of SYM is FILE: 1 or 0; -ENOENT if there is no debug information. */
	int (*in_file)(void *data, const struct rt_ksym *sym, const char *file);
	/*
	 * The address of the variable or function SYMBOL; MODULE may be NULL.  0 or a negative
	 * errno.
	 */
	int (*symbol)(void *data, const char *module, const char *symbol, uint64_t *start,
		      uint64_t *end);
	/*
	 * The address of VARIABLE if symbol() does not know it; see rt_variable_find() in
	 * symbols/kernel/variable.h.
	 */
	int (*variable)(void *data, const char *module, const char *variable, uint64_t *address,
			struct rt_err *why);
	/* The text range of a module. */
	int (*module)(void *data, const char *module, uint64_t *start, uint64_t *end);
	/* The name of the module in a .ko file, or NULL with *ERR set; the caller frees it. */
	char *(*module_file)(void *data, const char *path, struct rt_err *err);
	/*
	 * The definition of the probe GROUP:NAME in the syntax of `-e` (kprobe:…, uprobe:…), or
	 * NULL; the caller frees it.  A name may have several, one for each place: the NTH, from 0 on.
	 */
	char *(*probe)(void *data, const char *group, const char *name, size_t nth);
	/*
	 * Call each(arg, group, name, definition) for every probe that `ringtail probe` keeps until it
	 * returns non-zero, and return that value; 0 at the end, also if there are none.
	 */
	int (*kept)(void *data, rt_kept_probe_each *each, void *arg);
	/*
	 * Translate an event that `ringtail probe` keeps, or probe:DEFINITION, which names variables.
	 * 0; -ENOENT if TEXT is neither; another negative errno with *ERR set.
	 */
	int (*translate)(void *data, const char *text, struct rt_translation *out,
			 struct rt_err *err);
	/* Open the file of a user probe and find the places; 0 or a negative errno with *ERR set. */
	int (*user)(void *data, const struct rt_user_query *query, struct rt_user_places *out,
		    struct rt_err *err);
	/* Call each(arg, marker) for every marker of the file until it returns non-zero. */
	int (*markers)(void *data, const char *path,
		       int (*each)(void *arg, const struct rt_user_marker *marker), void *arg,
		       struct rt_err *err);
	/*
	 * The path of the installed program or library NAME, which the caller frees; -ENOENT if there is
	 * none, another negative errno with *ERR set.
	 */
	int (*installed)(void *data, const char *name, char **path, struct rt_err *err);
	const char *sysfs; /* NULL: /sys */
};

/* Set up ENV for this machine: its architecture and tracefs' tracepoints; no symbols or probes. */
void rt_event_env_local(struct rt_event_env *env);

/*
 * Parse the argument of one `-e`: events separated by commas, with globs expanded.  Append them to
 * LIST, which the caller zeroes at first.  On error LIST does not change.
 */
int rt_event_parse(struct rt_event_list *list, const char *text, const struct rt_event_env *env,
		   struct rt_err *err);
void rt_event_list_free(struct rt_event_list *list);

static inline bool rt_event_is_user(const struct rt_event_spec *spec)
{
	return spec->kind == RT_SPEC_UPROBE || spec->kind == RT_SPEC_URETPROBE;
}

/* Whether it is a probe at the return of a function. */
static inline bool rt_event_returns(const struct rt_event_spec *spec)
{
	return spec->kind == RT_SPEC_KRETPROBE || spec->kind == RT_SPEC_URETPROBE;
}

/*
 * Parse a filter over FIELDS (and over the values of SPEC's fetch program, unless SPEC is NULL).
 * Free *OUT with rt_program_text_free().
 */
int rt_event_filter(const char *expression, const struct rt_field_list *fields,
		    const struct rt_event_spec *spec, const struct rt_event_env *env,
		    struct rt_program_text *out, struct rt_err *err);
void rt_program_text_free(struct rt_program_text *program);

/* Describe the event in the language of tracefs' `format` files; the caller frees the text. */
char *rt_event_format_text(const struct rt_event_spec *spec, unsigned int id);

/* Parse the fields of such a text, without the common ones; free with rt_field_list_free(). */
int rt_field_list_parse(struct rt_field_list *list, const char *format, struct rt_err *err);
void rt_field_list_free(struct rt_field_list *list);

/* Print one line per instruction. */
void rt_program_print(FILE *out, const struct rt_insn *slots, unsigned int code, unsigned int text,
		      enum rt_arch arch);

#endif
