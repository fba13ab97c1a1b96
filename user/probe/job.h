/* SPDX-License-Identifier: GPL-2.0 */
/* job.h - one definition on its way to text; internal: function.c, values.c and translate.c share it. */
#ifndef RT_PROBE_JOB_H
#define RT_PROBE_JOB_H

#include "base/text_set.h"
#include "probe/definition.h"
#include "probe/sources.h"
#include "probe/typed.h"

struct rt_probe_job {
	struct rt_probe_sources *sources;
	const struct rt_probe_def *def;
	const char *module; /* of the function; NULL: the kernel itself */
	char *own_module;   /* from a .ko file */
	struct rt_types *types;
	rt_type_id function;
	bool user;			   /* a program or library */
	struct rt_debuginfo *debug;	   /* NULL: not used */
	const struct rt_code_place *place; /* with debug information: where the probe is */
	bool described;			   /* types and function are set */
	bool unknown;			   /* there is no such function */
	size_t own;   /* functions of that name whose entries the symbols have */
	bool untyped; /* $retval is a register, because its type is not known */
	bool several; /* entries of different symbols: their names tell them apart */
	struct rt_text values;
	struct rt_value_labels labels;
	struct rt_text_set names; /* of the values */
	struct rt_err *err;
};

/*
 * Find the module of the function.  -ENOENT and job->unknown: there is no such function; the parser of
 * -e has the sentence.
 */
int rt_probe_find_module(struct rt_probe_job *j);

/* Find the types of the function, once.  -ENOENT and job->unknown: there is no such function. */
int rt_probe_describe(struct rt_probe_job *j);

/*
 * Refuse an offset that is not the beginning of an instruction, as far as the kernel's code can be
 * read.
 */
int rt_probe_check_offset(struct rt_probe_job *j);

/* The debug information of the definition's module or file. */
int rt_probe_open_debug(struct rt_probe_job *j, struct rt_debuginfo **out, struct rt_err *err);

/*
 * Find the places of the definition in debug information, if it is needed; otherwise OUT stays empty.
 * Sets job->debug if it is used.
 */
int rt_probe_find_places(struct rt_probe_job *j, struct rt_code_places *out);

/*
 * Find the copies of a kernel function that has a symbol, without its own entry: inlined ones, clones and
 * parts if debug information is here, otherwise clones and parts that have symbols.  Sets job->own; and
 * job->debug if OUT comes from there.
 */
int rt_probe_find_copies(struct rt_probe_job *j, struct rt_code_places *out);

/* "part_0" of a place in f.part.0, "isra_0" of one in f.isra.0; "" of any other. */
void rt_probe_copy_suffix(const struct rt_code_place *place, char *out, size_t size);

/* How many places of a definition are probed, and why others are not. */
struct rt_probe_count {
	size_t total, probed;
	size_t own;	/* entries of the function itself */
	size_t entries; /* places that are not inlined */
	size_t inlined; /* no return and no registers there */
	size_t moved;	/* clones and parts, whose registers may hold something else */
	size_t failed;	/* values that cannot be recorded there */
	const char *part;
};

/* Begin to count the places, of which J knows some as symbols only. */
void rt_probe_count_begin(struct rt_probe_count *count, const struct rt_probe_job *j,
			  const struct rt_code_places *places);

/*
 * Whether a place can have what the definition asks for, as far as this follows from what kind of a copy it
 * is.  Otherwise count why not, and set the sentence.
 */
bool rt_probe_copy_fits(struct rt_probe_job *j, const struct rt_code_place *place,
			struct rt_probe_count *count);

/* Count a place that is probed. */
void rt_probe_count_probed(struct rt_probe_count *count, const struct rt_code_place *place);

/* A sentence about places that are not probed, and about parts; NULL: nothing to say, or no memory. */
char *rt_probe_count_note(const struct rt_probe_count *count, const struct rt_probe_job *j);

/* Find a variable by name in debug information, at job->place. */
int rt_probe_locate(struct rt_probe_job *j, const char *name, struct rt_typed *out);

/* Turn a variable's location into a value; -EINVAL if a probe cannot fetch it from there. */
int rt_probe_place_variable(struct rt_probe_job *j, const struct rt_variable *variable,
			    struct rt_typed *out);

/* Append one value of the definition to job->values. */
int rt_probe_write_value(struct rt_probe_job *j, const struct rt_probe_value *v);

#endif
