// SPDX-License-Identifier: GPL-2.0
#include "cmd/report_html.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/message.h"
#include "cmd/command.h"
#include "cmd/nothing.h"
#include "cmd/report_html_table.h"
#include "cmd/script_losses.h"
#include "draw/gather.h"

struct page {
	struct rt_html_tables tables;
	struct rt_gather *gather;
};

static int add_sample(void *arg, const struct rt_profile_sample *s, struct rt_gather_into *into,
		      struct rt_err *err)
{
	struct rt_report *r = &((struct page *)arg)->tables.report;
	int ret = rt_report_settle(r, err);

	if (ret)
		return ret;
	r->sums.last = RT_GATHER_NO_SUM;
	into->plain = r->plain;
	ret = r->plain ? rt_report_find(r, s, err) : rt_report_add(r, s, err);
	into->sum = r->sums.last;
	into->filtered = into->sum != RT_GATHER_NO_SUM && r->sums.list[into->sum].filtered;
	return ret;
}

static void add_more(void *arg, uint32_t sum, uint64_t count, uint64_t weight)
{
	rt_report_more(&((struct page *)arg)->tables.report, sum, count, weight);
}

static void get_sum(void *arg, uint32_t i, struct rt_gather_sum *out)
{
	const struct rt_sum *sum = &((struct page *)arg)->tables.report.sums.list[i];

	*out = (struct rt_gather_sum){ sum->event, sum->filtered, sum->comm,
				       sum->func,  sum->stack,	  sum->period };
}

static int put_table(void *arg, const struct rt_perf_event *event, size_t rows, struct rt_text *out,
		     struct rt_err *err)
{
	return rt_html_table_put(&((struct page *)arg)->tables, event, rows, out, err);
}

static void put_slices(void *arg, const struct rt_perf_event *event, uint64_t unit,
		       struct rt_slice_rows *rows)
{
	rt_html_table_slices(&((struct page *)arg)->tables, event, unit, rows);
}

static int write_page(const char *path, struct page *p, bool damaged, struct rt_err *err)
{
	struct rt_gather_page page = {
		.arg = p,
		.sums = p->tables.report.sums.count,
		.sum = get_sum,
		.table = put_table,
		.slices = put_slices,
		.damaged = damaged,
	};
	struct rt_text out;
	int ret;

	rt_text_init(&out);
	ret = rt_gather_write(p->gather, &page, &out, err);
	if (!ret) {
		ret = strcmp(path, "-") ? rt_file_write(path, out.base, out.len) :
					  rt_text_write(&out, STDOUT_FILENO);
		if (ret)
			rt_err_set(err, -ret, "cannot write %s: %s",
				   strcmp(path, "-") ? path : "the output", strerror(-ret));
	}
	rt_text_free(&out);
	return ret;
}

static bool is_empty(const struct rt_report *r)
{
	size_t i;

	for (i = 0; i < r->samples_room; i++)
		if (r->samples[i].unfiltered)
			return false;
	return true;
}

int rt_report_html(struct rt_report_asked *a, struct rt_profile *profile)
{
	struct rt_err err = { "" };
	struct page p = { .gather = NULL };
	struct rt_gather_sums sums = { .arg = &p, .add = add_sample, .more = add_more };
	int read, ret, status = RT_EXIT_FAIL;

	a->report.group = false; /* each event has its own part of the page */
	a->report.keep_ends = true;
	ret = rt_report_open(&p.tables.report, &a->report, profile, &err);
	if (ret)
		status = RT_EXIT_USAGE;
	if (!ret && !(p.gather = rt_gather_new(profile, &sums)))
		ret = rt_err_set(&err, ENOMEM, "out of memory");
	if (!ret) {
		rt_profile_on_record(profile, rt_gather_record, p.gather);
		read = rt_profile_read(profile, rt_gather_sample, p.gather, &err);
		if (read)
			rt_err_print(&err);
		else
			status = RT_EXIT_OK;
		rt_profile_on_record(profile, NULL, NULL);
		ret = rt_gather_finish(p.gather) ? write_page(a->html, &p, read, &err) :
						   rt_err_set(&err, ENOMEM, "out of memory");
		if (ret)
			status = RT_EXIT_FAIL;
	}
	if (ret)
		rt_err_print(&err);
	else if (!a->report.quiet && strcmp(a->html, "-"))
		fprintf(stderr, "wrote %s\n", a->html);
	if (!ret && is_empty(&p.tables.report))
		rt_nothing_say(rt_profile_reader(profile),
			       &(struct rt_nothing_options){ .want = &a->want,
							     .symbols = a->symbols,
							     .objects = a->objects });
	rt_gather_free(p.gather);
	rt_html_tables_free(&p.tables);
	rt_script_say_losses(rt_profile_reader(profile));
	return status;
}
