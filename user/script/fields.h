/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fields.h - which fields of an event `script` prints: perf's names, perf's defaults
 * for each type of event, perf's -F.
 */
#ifndef RT_SCRIPT_FIELDS_H
#define RT_SCRIPT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "perfdata/reader.h"

#define RT_FIELD_COMM		(1ull << 0)
#define RT_FIELD_TID		(1ull << 1)
#define RT_FIELD_PID		(1ull << 2)
#define RT_FIELD_TIME		(1ull << 3)
#define RT_FIELD_CPU		(1ull << 4)
#define RT_FIELD_EVENT		(1ull << 5)
#define RT_FIELD_TRACE		(1ull << 6)
#define RT_FIELD_IP		(1ull << 7)
#define RT_FIELD_SYM		(1ull << 8)
#define RT_FIELD_DSO		(1ull << 9)
#define RT_FIELD_ADDR		(1ull << 10)
#define RT_FIELD_SYMOFF		(1ull << 11)
#define RT_FIELD_SRCLINE	(1ull << 12)
#define RT_FIELD_PERIOD		(1ull << 13)
#define RT_FIELD_IREGS		(1ull << 14)
#define RT_FIELD_UREGS		(1ull << 15)
#define RT_FIELD_BRSTACK	(1ull << 16)
#define RT_FIELD_BRSTACKSYM	(1ull << 17)
#define RT_FIELD_BRSTACKOFF	(1ull << 18)
#define RT_FIELD_DATA_SRC	(1ull << 19)
#define RT_FIELD_WEIGHT		(1ull << 20)
#define RT_FIELD_BPF_OUTPUT	(1ull << 21)
#define RT_FIELD_INSN		(1ull << 22)
#define RT_FIELD_INSNLEN	(1ull << 23)
#define RT_FIELD_SYNTH		(1ull << 24)
#define RT_FIELD_PHYS_ADDR	(1ull << 25)
#define RT_FIELD_MISC		(1ull << 26)
#define RT_FIELD_IPC		(1ull << 27)
#define RT_FIELD_TOD		(1ull << 28)
#define RT_FIELD_DATA_PAGE_SIZE (1ull << 29)
#define RT_FIELD_CODE_PAGE_SIZE (1ull << 30)
#define RT_FIELD_INS_LAT	(1ull << 31)
#define RT_FIELD_MACHINE_PID	(1ull << 32)
#define RT_FIELD_VCPU		(1ull << 33)
#define RT_FIELD_SRCCODE	(1ull << 34)

/* Those that say what an address is: they may be asked of every frame. */
#define RT_FIELD_ADDRESS_PARTS \
	(RT_FIELD_IP | RT_FIELD_SYM | RT_FIELD_SYMOFF | RT_FIELD_DSO | RT_FIELD_SRCLINE)

/* perf keeps a set of fields for each type of event; two types are its own. */
enum { RT_FIELDS_SYNTH = 6, RT_FIELDS_OTHER, RT_FIELDS_TYPES };

struct rt_fields_of {
	uint64_t fields;
	uint64_t invalid;    /* make no sense for this type */
	uint64_t asked;	     /* named by the user: missing data is an error */
	uint64_t taken_away; /* by the user */
	bool user_set, for_all;
};

struct rt_fields {
	struct rt_fields_of of[RT_FIELDS_TYPES];
	bool flags;	   /* the pseudo-field "flags" */
	bool no_callchain; /* -G */
	bool callchain;	   /* chains are printed as such; settled by rt_fields_check() */
};

void rt_fields_init(struct rt_fields *f);

/* One -F. */
int rt_fields_parse(struct rt_fields *f, const char *arg, struct rt_err *err);

/*
 * Fit the fields to a file: what its events did not record is taken off the
 * defaults, and is an error when it was asked for by name.
 */
int rt_fields_check(struct rt_fields *f, const struct rt_reader *reader, struct rt_err *err);
/* The same for one event that a pipe just announced. */
int rt_fields_check_event(struct rt_fields *f, const struct rt_reader *reader,
			  const struct rt_event *event, struct rt_err *err);

#define RT_TYPE_SYNTH 0x80000000u /* perf's own, above all the kernel's */

static inline unsigned int rt_fields_type(uint32_t attr_type)
{
	if (attr_type == RT_TYPE_SYNTH)
		return RT_FIELDS_SYNTH;
	return attr_type <= RT_TYPE_BREAKPOINT ? attr_type : RT_FIELDS_OTHER;
}

static inline uint64_t rt_fields_of_event(const struct rt_fields *f, const struct rt_event *event)
{
	return f->of[rt_fields_type(event->attr.type)].fields;
}

/* The names, comma-separated, for --help. */
const char *rt_fields_names(void);

#endif
