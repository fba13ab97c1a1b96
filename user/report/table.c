// SPDX-License-Identifier: GPL-2.0
#include "report/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/large.h"
#include "report/table_make.h"

static bool wants_shares(const struct rt_report_options *opt)
{
	return !opt->keep_ends && opt->stacks && opt->graph.style != RT_GRAPH_NONE;
}

static void add_share(struct rt_report_table *t, struct rt_line *l, uint32_t sum, uint32_t node)
{
	struct rt_share *share;

	if (t->share_count == t->share_room) {
		uint32_t room = t->share_room ? 2 * t->share_room : 8 * t->r->sums.count;
		void *shares = realloc(t->shares, room * sizeof(*t->shares));

		if (!shares) {
			t->failed = true;
			return;
		}
		t->shares = shares;
		t->share_room = room;
	}
	share = &t->shares[t->share_count++];
	*share = (struct rt_share){ sum, node, 0 };
	if (l->last_share)
		t->shares[l->last_share - 1].next = t->share_count;
	else
		l->shares = t->share_count;
	l->last_share = t->share_count;
}

/* Remember that the sum belongs to the line, at NODE, and at DEPTH in its stack. */
static void link_sum(struct rt_report_table *t, struct rt_line *l, uint32_t sum, uint32_t node,
		     size_t depth)
{
	if (wants_shares(t->r->opt))
		add_share(t, l, sum, node);
	if (depth > l->max_depth)
		l->max_depth = (uint32_t)depth;
}

static void add_stat(struct rt_stat *stat, const struct rt_sum *sum, char level)
{
	stat->period += sum->period;
	stat->count += sum->count;
	if (level == 'k')
		stat->system += sum->period;
	else if (level == '.')
		stat->user += sum->period;
}

/* ---- one sum ------------------------------------------------------------------------- */

char rt_sum_level(const struct rt_sum *sum)
{
	switch (sum->cpumode) {
	case RT_MISC_KERNEL:
		return 'k';
	case RT_MISC_USER:
		return '.';
	default:
		return 'H';
	}
}

bool rt_table_push(struct rt_report_table *t, size_t n, uint32_t node)
{
	if (n == t->path_room) {
		size_t room = t->path_room ? 2 * t->path_room : 256;
		void *path = realloc(t->path, room * sizeof(*t->path));

		if (!path) {
			t->failed = true;
			return false;
		}
		t->path = path;
		t->path_room = room;
	}
	t->path[n] = node;
	return true;
}

/* The nodes of a stack in t->path, innermost first; returns how many. */
static size_t find_path(struct rt_report_table *t, uint32_t stack)
{
	size_t n = 0;

	for (; stack; stack = rt_profile_node(t->r->profile, stack)->caller)
		if (!rt_table_push(t, n++, stack))
			return 0;
	return n;
}

/* Add the sum to the callers of its function, the first N nodes of t->path, each line once. */
static void add_callers(struct rt_report_table *t, uint32_t i, size_t n, size_t member)
{
	const struct rt_sum *sum = &t->r->sums.list[i];
	bool caller = t->r->opt->graph.caller;
	uint64_t group = (uintptr_t)sum->comm;
	char level = rt_sum_level(sum);
	size_t k;

	for (k = 0; k < n; k++) {
		uint32_t at = t->path[caller ? n - 1 - k : k];
		const struct rt_profile_node *node = rt_profile_node(t->r->profile, at);
		struct rt_table_memo room, *memo = rt_table_recall(t, node->func, group, &room);
		struct rt_line *l;

		/* Like perf, keep the level of the frame before if nothing is mapped here. */
		if (memo->level)
			level = memo->level;
		l = rt_table_caller_line(t, memo,
					 &(struct rt_where){ i, node->func, node->ip, level,
							     node->address });
		if (!l)
			return;
		if (l->touched == i + 1)
			continue;
		l->touched = i + 1;
		add_stat(&l->stat[t->members + member], sum, level);
		if (!member)
			link_sum(t, l, i, at, n - k);
	}
}

struct rt_line *rt_table_add_own(struct rt_report_table *t, uint32_t i, uint64_t group,
				 size_t member)
{
	const struct rt_report_options *opt = t->r->opt;
	const struct rt_sum *sum = &t->r->sums.list[i];
	char level = rt_sum_level(sum);
	struct rt_where w = { i, sum->func, sum->address, level, sum->address };
	bool zoomed = t->r->leave_out && t->r->leave_out(t->r->leave_out_arg, sum);
	bool left_out = zoomed || (opt->exclude_other && !rt_columns_has_parent(t->r, i));
	struct rt_table_memo room;
	struct rt_line *l;

	if (!opt->relative || !(sum->filtered || left_out)) {
		t->total[member] += sum->period;
		/* Like perf: what --exclude-other leaves out counts for the least share of a branch. */
		if (!member && !zoomed)
			t->graph_total += sum->period;
	}
	if (!member)
		t->all += sum->period;
	/* perf adds such samples to lines, and hides a line if the first one is such a sample. */
	if (left_out || (sum->filtered && !opt->compat))
		return NULL;
	l = rt_table_own_line(t, rt_table_recall(t, w.func, group, &room), &w);
	if (!l)
		return NULL;
	add_stat(&l->stat[member], sum, level);
	return l;
}

static void add_sum(struct rt_report_table *t, uint32_t i, size_t member)
{
	const struct rt_report_options *opt = t->r->opt;
	const struct rt_sum *sum = &t->r->sums.list[i];
	struct rt_line *l = rt_table_add_own(t, i, (uintptr_t)sum->comm, member);
	size_t depth;

	if (!l)
		return;
	l->touched = i + 1;
	if (opt->children)
		add_stat(&l->stat[t->members + member], sum, rt_sum_level(sum));
	depth = wants_shares(opt) || opt->children ? find_path(t, sum->stack) : 0;
	if (!member)
		link_sum(t, l, i, 0, depth);
	if (opt->stacks && opt->children)
		add_callers(t, i, depth, member);
}

/* ---- the table ------------------------------------------------------------------------- */

double rt_line_percent(const struct rt_report_table *t, const struct rt_line *l)
{
	return t->total[0] ? (double)rt_line_all(t, l)->period * 100.0 / (double)t->total[0] : 0;
}

/* --symbol-filter chooses lines, not samples. */
static void filter_lines(struct rt_report_table *t)
{
	uint32_t i;

	for (i = 0; i < t->count; i++) {
		const char *name = rt_profile_func(t->r->profile, t->lines[i]->where.func)->name;

		if (!name || !strstr(name, t->r->opt->symbol_part))
			t->lines[i]->filtered = true;
	}
}

/* What perf takes as the total of the samples that the filters keep. */
static void total_of_lines(struct rt_report_table *t)
{
	uint32_t i;
	size_t m;

	for (m = 0; m < t->members; m++)
		for (t->total[m] = 0, i = 0; i < t->count; i++)
			if (!t->lines[i]->filtered)
				t->total[m] += t->lines[i]->stat[m].period;
}

int rt_table_make(struct rt_report_table *t, struct rt_report *r,
		  const struct rt_perf_event **events, size_t members, struct rt_err *err)
{
	bool all = members == 1 && !wants_shares(r->opt);
	uint32_t i;
	size_t m;

	memset(t, 0, sizeof(*t));
	t->r = r;
	t->events = events;
	t->members = members;
	t->total = calloc(members, sizeof(*t->total));
	if (!t->total)
		return rt_err_set(err, ENOMEM, "out of memory");
	if (r->opt->children && !r->columns.by_address &&
	    (all || (!r->columns.extra_count && !r->columns.by_thread)))
		t->memo = rt_large_table(rt_profile_func_count(r->profile) + 1, sizeof(*t->memo));
	if (all)
		rt_table_add_all(t);
	for (i = 0; !all && i < r->sums.count; i++)
		for (m = 0; m < members; m++)
			if (r->sums.list[i].event == events[m]->index)
				add_sum(t, i, m);
	free(t->memo);
	t->memo = NULL;
	if (r->opt->symbol_part)
		filter_lines(t);
	if (r->opt->relative && r->opt->compat)
		total_of_lines(t);
	if (t->failed)
		return rt_err_set(err, ENOMEM, "out of memory");
	return 0;
}

void rt_table_free(struct rt_report_table *t)
{
	rt_arena_free(&t->arena);
	rt_index_free(&t->index);
	free(t->lines);
	free(t->shares);
	free(t->places);
	free(t->ends);
	free(t->total);
	free(t->path);
}
