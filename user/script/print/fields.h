/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fields.h - which fields of an event `script` prints: perf's names, perf's defaults for each type
 * of event, perf's -F.
 */
#ifndef RT_SCRIPT_PRINT_FIELDS_H
#define RT_SCRIPT_PRINT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "perfdata/read/reader.h"

#define RT_COLUMN_COMM		 (1ull << 0)
#define RT_COLUMN_TID		 (1ull << 1)
#define RT_COLUMN_PID		 (1ull << 2)
#define RT_COLUMN_TIME		 (1ull << 3)
#define RT_COLUMN_CPU		 (1ull << 4)
#define RT_COLUMN_EVENT		 (1ull << 5)
#define RT_COLUMN_TRACE		 (1ull << 6)
#define RT_COLUMN_IP		 (1ull << 7)
#define RT_COLUMN_SYM		 (1ull << 8)
#define RT_COLUMN_DSO		 (1ull << 9)
#define RT_COLUMN_ADDR		 (1ull << 10)
#define RT_COLUMN_SYMOFF	 (1ull << 11)
#define RT_COLUMN_SRCLINE	 (1ull << 12)
#define RT_COLUMN_PERIOD	 (1ull << 13)
#define RT_COLUMN_IREGS		 (1ull << 14)
#define RT_COLUMN_UREGS		 (1ull << 15)
#define RT_COLUMN_BRSTACK	 (1ull << 16)
#define RT_COLUMN_BRSTACKSYM	 (1ull << 17)
#define RT_COLUMN_BRSTACKOFF	 (1ull << 18)
#define RT_COLUMN_DATA_SRC	 (1ull << 19)
#define RT_COLUMN_WEIGHT	 (1ull << 20)
#define RT_COLUMN_BPF_OUTPUT	 (1ull << 21)
#define RT_COLUMN_INSN		 (1ull << 22)
#define RT_COLUMN_INSNLEN	 (1ull << 23)
#define RT_COLUMN_SYNTH		 (1ull << 24)
#define RT_COLUMN_PHYS_ADDR	 (1ull << 25)
#define RT_COLUMN_MISC		 (1ull << 26)
#define RT_COLUMN_IPC		 (1ull << 27)
#define RT_COLUMN_TOD		 (1ull << 28)
#define RT_COLUMN_DATA_PAGE_SIZE (1ull << 29)
#define RT_COLUMN_CODE_PAGE_SIZE (1ull << 30)
#define RT_COLUMN_INS_LAT	 (1ull << 31)
#define RT_COLUMN_MACHINE_PID	 (1ull << 32)
#define RT_COLUMN_VCPU		 (1ull << 33)
#define RT_COLUMN_SRCCODE	 (1ull << 34)
#define RT_COLUMN_CONTEXT	 (1ull << 35) /* ringtail's own: see context.c */

/* Fields that describe an address; they may be printed for every frame. */
#define RT_COLUMN_ADDRESS_PARTS \
	(RT_COLUMN_IP | RT_COLUMN_SYM | RT_COLUMN_SYMOFF | RT_COLUMN_DSO | RT_COLUMN_SRCLINE)

/* perf keeps a set of fields for each type of event; two types are its own. */
enum { RT_FIELDS_SYNTH = 6, RT_FIELDS_OTHER, RT_FIELDS_TYPES };

struct rt_fields_of {
	uint64_t fields;
	uint64_t invalid;    /* fields that this type cannot have */
	uint64_t asked;	     /* named by the user: missing data is an error */
	uint64_t taken_away; /* removed by the user */
	bool user_set, for_all;
};

struct rt_fields {
	struct rt_fields_of of[RT_FIELDS_TYPES];
	bool flags;	   /* the pseudo-field "flags" */
	bool no_callchain; /* -G */
	bool callchain;	   /* print chains below the line; set by rt_fields_check() */
};

void rt_fields_init(struct rt_fields *f);

/* For JSON and CSV: add the context of tracepoints, unless -F names the fields. */
void rt_fields_add_context(struct rt_fields *f);

/* Whether any kind of event has one of these columns. */
bool rt_fields_has(const struct rt_fields *f, uint64_t columns);

/* Parse one -F. */
int rt_fields_parse(struct rt_fields *f, const char *arg, struct rt_err *err);

/*
 * Adapt the fields to a file: remove defaults that its events did not record; fail if the user
 * named such a field.
 */
int rt_fields_check(struct rt_fields *f, const struct rt_reader *reader, struct rt_err *err);
/* The same for one event that a pipe has just announced. */
int rt_fields_check_event(struct rt_fields *f, const struct rt_reader *reader,
			  const struct rt_perf_event *event, struct rt_err *err);

#define RT_TYPE_SYNTH 0x80000000u /* perf's own types, beyond the kernel's */

static inline unsigned int rt_fields_type(uint32_t attr_type)
{
	if (attr_type == RT_TYPE_SYNTH)
		return RT_FIELDS_SYNTH;
	return attr_type <= RT_TYPE_BREAKPOINT ? attr_type : RT_FIELDS_OTHER;
}

static inline uint64_t rt_fields_of_event(const struct rt_fields *f,
					  const struct rt_perf_event *event)
{
	return f->of[rt_fields_type(event->attr.type)].fields;
}

/* The names, comma-separated, for --help. */
const char *rt_fields_names(void);

#endif
