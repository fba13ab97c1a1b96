/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sampling.h - counters that make a record every so often: how often, and what each
 * record carries of the stacks.
 */
#ifndef RT_RECORD_SAMPLING_H
#define RT_RECORD_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "events/spec.h"
#include "perfdata/layout.h"

#include <ringtail.h>

#define RT_SAMPLING_FREQUENCY 4000 /* records a second, if nothing is said */
#define RT_SAMPLING_BYTES     8192 /* of the user stack, for DWARF */

/* As typed. */
struct rt_sampling_options {
	uint64_t period;    /* 0: by frequency */
	uint64_t frequency; /* 0: RT_SAMPLING_FREQUENCY, or what the kernel allows */
	uint32_t dwarf;	    /* bytes of the user stack; 0: frame pointers */
};

/* -F: a number or "max"; --call-graph: "fp", "dwarf" or "dwarf,SIZE". */
int rt_sampling_take_frequency(struct rt_sampling_options *opt, const char *text,
			       struct rt_err *err);
int rt_sampling_take_graph(struct rt_sampling_options *opt, const char *text, struct rt_err *err);

/* One event, as the module is to be asked for it. */
struct rt_sampling {
	struct rt_counter counter;
	uint64_t registers; /* of the user side, as bits of perf's numbering */
	uint32_t bytes;
	bool guests;	/* nothing was said about them: left out if that is possible */
	bool no_cycles; /* cpu-clock stands in */
	char name[RT_EVENT_NAME_MAX];
};

void rt_sampling_counter(struct rt_sampling *s, const struct rt_event_spec *spec,
			 const struct rt_sampling_options *opt);
/* What -g adds to rt_event_add.carry of any event that can have the user side. */
uint32_t rt_sampling_stacks(struct rt_sampling *s, enum rt_arch arch,
			    const struct rt_sampling_options *opt);
/* S->registers as the words that rt_event_add.user_registers means. */
uint64_t rt_sampling_words(const struct rt_sampling *s, enum rt_arch arch);
/* The module has refused it: whether something else can be asked for instead. */
bool rt_sampling_instead(struct rt_sampling *s, const struct rt_refusal *refusal);

/* The event in a file: type and how it was sampled, and what its samples carry. */
void rt_sampling_attr(const struct rt_sampling *s, struct rt_attr *attr);
void rt_sampling_attr_stacks(const struct rt_sampling *s, uint32_t carry, struct rt_attr *attr);

/* FROM, words as the module wrote them, into the order of the file. */
void rt_sampling_registers(const struct rt_sampling *s, enum rt_arch arch, const void *from,
			   uint64_t *to);

#endif
