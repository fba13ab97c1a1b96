/* SPDX-License-Identifier: GPL-2.0 */
/*
 * keys.h - sort keys and columns.
 *
 * A key has a value for each line of a table.  Some values belong to the sample (command, CPU, the
 * fields of a tracepoint); they are taken while the recording is read.  The others belong to a
 * function, and with --children each function of a stack has its own.
 */
#ifndef RT_REPORT_KEYS_H
#define RT_REPORT_KEYS_H

#include "base/error.h"
#include "base/text.h"
#include "profile/profile.h"
#include "report/sums.h"

struct rt_report;
struct rt_key;

/* What a line stands for. */
struct rt_where {
	uint32_t sum; /* the first */
	uint32_t func;
	uint64_t address; /* in the object; of a caller: the raw address, as perf */
	char level;	  /* 'k', '.', … */
	uint64_t inside;  /* in the object */
};

struct rt_key_type {
	const char *name;
	const char *header;
	unsigned int min_width;
	int which;		    /* of several values that the type can show */
	unsigned int mask;	    /* of bits, if it shows bits */
	bool of_thread, of_address; /* what sums must be told apart by */
	/* The value of a sample; NULL: the value depends on the function. */
	uint64_t (*take)(struct rt_report *r, const struct rt_key *key,
			 const struct rt_profile_sample *s);
	/* Two lines with equal ids have the same value. */
	uint64_t (*id)(struct rt_report *r, const struct rt_key *key, const struct rt_where *w);
	/* Which comes first in a table: negative, zero or positive. */
	int (*order)(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
		     const struct rt_where *b);
	/* The columns that the value needs. */
	unsigned int (*width)(struct rt_report *r, const struct rt_key *key,
			      const struct rt_where *w);
	void (*text)(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		     unsigned int width, struct rt_text *out);
};

struct rt_key {
	const struct rt_key_type *type;
	const char *header;
	bool elided;			   /* not shown: a filter leaves only one value */
	int slot;			   /* in rt_sum's extra values; -1: none */
	const struct rt_perf_event *event; /* of a field of one tracepoint, else NULL */
	struct tep_format_field *field;
};

/* What a column shows of the sums of a line. */
enum rt_column_kind {
	RT_COL_KEY,
	RT_COL_SELF,
	RT_COL_CHILDREN,
	RT_COL_SYSTEM,
	RT_COL_USER,
	RT_COL_GUEST_SYSTEM,
	RT_COL_GUEST_USER,
	RT_COL_SAMPLES,
	RT_COL_PERIODS,
};

struct rt_column {
	enum rt_column_kind kind;
	struct rt_key *key;
	bool sorted; /* lines are sorted by it */
	bool shown;
	unsigned int level; /* --hierarchy */
};

#define RT_COLUMNS_MAX 64

struct rt_columns {
	struct rt_column list[RT_COLUMNS_MAX]; /* in sorting order */
	size_t count;
	size_t shown[RT_COLUMNS_MAX]; /* in printing order */
	size_t shown_count;
	struct rt_key *keys[RT_COLUMNS_MAX]; /* that make lines different */
	size_t key_count;
	size_t extra_count;
	bool by_thread, by_address;
	bool has_object, has_symbol;
	bool symbol_first; /* --sort sym…: call graphs do not repeat the function */
};

/* Parse --sort and --fields. */
int rt_columns_make(struct rt_report *r, struct rt_err *err);
void rt_columns_free(struct rt_columns *c);
/* Whether --parent matches a caller of the samples of a sum. */
bool rt_columns_has_parent(const struct rt_report *r, uint32_t sum);
/* Append the sort order of --mem-mode. */
void rt_columns_order(const struct rt_report *r, struct rt_text *out);

/* Names that are derived from a function, made once (key_text.h). */
struct rt_func_names {
	uint32_t object; /* in the pool; 0: not made yet */
	uint32_t symbol;
	uint32_t inlined; /* of an inlined function: its name, whatever contains it */
	uint8_t parent;	  /* 0: not known yet, 1: --parent does not match it, 2: it does */
};

static inline uint64_t rt_key_extra(const struct rt_sums *sums, const struct rt_key *key,
				    const struct rt_where *w)
{
	return rt_sums_extra(sums, w->sum, key->slot);
}

#endif
