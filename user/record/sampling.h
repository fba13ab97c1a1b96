/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sampling.h - counters that write a record at a period or frequency: the rate, and which stacks
 * each record carries.
 */
#ifndef RT_RECORD_SAMPLING_H
#define RT_RECORD_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "events/spec.h"
#include "perfdata/layout.h"

#include <ringtail.h>

#define RT_SAMPLING_FREQUENCY 4000 /* default samples per second */
#define RT_SAMPLING_BYTES     8192 /* default bytes of user stack, for DWARF */

/* As typed. */
struct rt_sampling_options {
	uint64_t period;    /* 0: use the frequency */
	uint64_t frequency; /* 0: RT_SAMPLING_FREQUENCY, or the kernel's maximum if that is lower */
	uint32_t dwarf;	    /* bytes of the user stack; 0: frame pointers */
	uint64_t registers; /* user registers that were asked for, as bits in perf's numbering */
	bool all_kernel, all_user; /* count only there, whatever the event says */
};

/* -F: a number or "max"; --call-graph: "fp", "dwarf" or "dwarf,SIZE". */
int rt_sampling_take_frequency(struct rt_sampling_options *opt, const char *text,
			       struct rt_err *err);
int rt_sampling_take_graph(struct rt_sampling_options *opt, const char *text, struct rt_err *err);
/* --user-regs: names as perf writes them, in any case; NULL: all. */
int rt_sampling_take_registers(struct rt_sampling_options *opt, enum rt_arch arch, const char *text,
			       struct rt_err *err);

/* One event, in the form in which the module takes it. */
struct rt_sampling {
	struct rt_counter counter;
	uint64_t registers; /* user registers, as bits in perf's numbering */
	uint32_t bytes;
	bool guests;	/* the user did not mention guests: exclude them if possible */
	bool no_cycles; /* cpu-clock replaces cycles */
	char name[RT_EVENT_NAME_MAX];
};

/*
 * Whether the event records stacks, by its terms or else if STACKS; OWN becomes the options that
 * hold for it.
 */
bool rt_sampling_of_event(const struct rt_event_spec *spec, bool stacks,
			  const struct rt_sampling_options *opt, struct rt_sampling_options *own);
/* The most bytes of user stack that a record of any event of the list carries. */
uint32_t rt_sampling_most_bytes(const struct rt_event_list *list, bool stacks,
				const struct rt_sampling_options *opt);

void rt_sampling_counter(struct rt_sampling *s, const struct rt_event_spec *spec,
			 const struct rt_sampling_options *opt);
/*
 * The bits that -g, if STACKS, and --user-regs add to rt_event_add.carry of any event that can record the
 * user side.
 */
uint32_t rt_sampling_carry(struct rt_sampling *s, enum rt_arch arch, bool stacks,
			   const struct rt_sampling_options *opt);
/* All that an unwinder may need, as bits in perf's numbering. */
uint64_t rt_sampling_all_registers(enum rt_arch arch);
/* S->registers as the words that rt_event_add.user_registers selects. */
uint64_t rt_sampling_words(const struct rt_sampling *s, enum rt_arch arch);
/* The other way round: bits in perf's numbering. */
uint64_t rt_sampling_of_words(uint64_t words, enum rt_arch arch);
/* After the module refused the event: change S to a substitute.  False if there is none. */
bool rt_sampling_instead(struct rt_sampling *s, const struct rt_refusal *refusal);

/* Fill in the event's attributes for the file: type, sampling, and what its samples carry. */
void rt_sampling_attr(const struct rt_sampling *s, struct rt_attr *attr);
void rt_sampling_attr_stacks(const struct rt_sampling *s, uint32_t carry, struct rt_attr *attr);

/* Reorder FROM, words as the module wrote them, into the order of the file. */
void rt_sampling_registers(const struct rt_sampling *s, enum rt_arch arch, const void *from,
			   uint64_t *to);

#endif
