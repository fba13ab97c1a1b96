// SPDX-License-Identifier: GPL-2.0
/* key_detail.c - sort keys of samples with more details: callers, cgroups, transactions. */
#include <inttypes.h>
#include <string.h>

#include "process/machine.h"
#include "report/key_list.h"
#include "report/key_text.h"

/* ---- parents ---------------------------------------------------------------------------- */

static bool is_parent(struct rt_report *r, uint32_t func)
{
	const struct rt_profile_func *f = rt_profile_func(r->profile, func);
	struct rt_func_names *names = rt_key_names(r, func);

	if (!names->parent)
		names->parent = f->symbol && !regexec(&r->parent, f->name, 0, NULL, 0) ? 2 : 1;
	return names->parent == 2;
}

/* Like perf, take the first match in the order in which call graphs are printed. */
static uint64_t parent_take(struct rt_report *r, const struct rt_key *key,
			    const struct rt_profile_sample *s)
{
	uint32_t n, found = 0;

	for (n = s->stack; n; n = rt_profile_node(r->profile, n)->caller)
		if (is_parent(r, rt_profile_node(r->profile, n)->func)) {
			found = n;
			if (!r->opt->graph.caller)
				break;
		}
	if (!found)
		return 0;
	found = rt_profile_node(r->profile, found)->func;
	return rt_pool_text(&r->pool, rt_profile_func(r->profile, found)->name);
}

static const char *parent_name(struct rt_report *r, const struct rt_key *key,
			       const struct rt_where *w)
{
	uint32_t name = (uint32_t)rt_key_extra(&r->sums, key, w);

	return name ? rt_pool_get(&r->pool, name) : "[other]";
}

static int parent_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
			const struct rt_where *b)
{
	bool in_a = rt_key_extra(&r->sums, key, a), in_b = rt_key_extra(&r->sums, key, b);

	if (!in_a || !in_b)
		return in_b - in_a;
	return strcmp(parent_name(r, key, a), parent_name(r, key, b));
}

static unsigned int parent_width(struct rt_report *r, const struct rt_key *key,
				 const struct rt_where *w)
{
	return (unsigned int)strlen(parent_name(r, key, w));
}

static void parent_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	rt_key_put(r, parent_name(r, key, w), width, true, out);
}

const struct rt_key_type rt_key_parent = {
	.name = "parent",
	.header = "Parent symbol",
	.take = parent_take,
	.id = rt_key_extra_id,
	.order = parent_order,
	.width = parent_width,
	.text = parent_text,
};

/* ---- cgroups ---------------------------------------------------------------------------- */

static uint64_t cgroup_take(struct rt_report *r, const struct rt_key *key,
			    const struct rt_profile_sample *s)
{
	return s->raw->cgroup;
}

static const char *cgroup_name(struct rt_report *r, const struct rt_key *key,
			       const struct rt_where *w)
{
	uint64_t id = rt_key_extra_id(r, key, w);
	const char *path = rt_cgroups_find(&rt_profile_machine(r->profile)->cgroups, id);

	return path ? path : id ? "unknown" : "N/A";
}

static unsigned int cgroup_width(struct rt_report *r, const struct rt_key *key,
				 const struct rt_where *w)
{
	return (unsigned int)strlen(cgroup_name(r, key, w));
}

static void cgroup_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	rt_key_put_all(r, cgroup_name(r, key, w), out);
}

const struct rt_key_type rt_key_cgroup = {
	.name = "cgroup",
	.header = "Cgroup",
	.take = cgroup_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order,
	.width = cgroup_width,
	.text = cgroup_text,
};

/* ---- transactions ------------------------------------------------------------------------- */

/* The bits of PERF_SAMPLE_TRANSACTION, in the order in which perf prints them. */
static const struct {
	uint64_t bit;
	const char *name;
} transaction_bits[] = {
	{ 1ull << 0, "EL " },	     { 1ull << 1, "TX " },	 { 1ull << 2, "SYNC " },
	{ 1ull << 3, "ASYNC " },     { 1ull << 4, "RETRY " },	 { 1ull << 5, "CON " },
	{ 1ull << 6, "CAP-WRITE " }, { 1ull << 7, "CAP-READ " },
};

#define TRANSACTION_SYNCS (3ull << 2)
#define TRANSACTION_WIDTH 50 /* all names and a code */

static uint64_t transaction_take(struct rt_report *r, const struct rt_key *key,
				 const struct rt_profile_sample *s)
{
	return s->raw->transaction;
}

static unsigned int transaction_width(struct rt_report *r, const struct rt_key *key,
				      const struct rt_where *w)
{
	return rt_key_extra_id(r, key, w) ? TRANSACTION_WIDTH : 0;
}

static void transaction_text(struct rt_report *r, const struct rt_key *key,
			     const struct rt_where *w, unsigned int width, struct rt_text *out)
{
	uint64_t value = rt_key_extra_id(r, key, w);
	size_t start = out->len, i;

	for (i = 0; i < sizeof(transaction_bits) / sizeof(transaction_bits[0]); i++)
		if (value & transaction_bits[i].bit)
			rt_text_str(out, transaction_bits[i].name);
	if (value && !(value & TRANSACTION_SYNCS))
		rt_text_lit(out, "NEITHER ");
	if (value >> 32)
		rt_text_printf(out, ":%" PRIx64, value >> 32);
	if (out->len - start < width)
		rt_text_fill(out, ' ', (int)(width - (out->len - start)));
}

const struct rt_key_type rt_key_transaction = {
	.name = "transaction",
	.header = "Transaction                ",
	.take = transaction_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order_down,
	.width = transaction_width,
	.text = transaction_text,
};
