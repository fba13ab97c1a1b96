// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "process/timespan.h"
#include "tap.h"

#define S 1000000000ull

static struct rt_timespans t;
static struct rt_err err;

static int parse(const char *text, bool relative)
{
	rt_timespans_free(&t);
	return rt_timespans_parse(&t, text, 100 * S, 200 * S, relative, &err);
}

static bool is_span(unsigned int i, uint64_t start, uint64_t end)
{
	return i < t.count && t.list[i].start == start && t.list[i].end == end;
}

int main(void)
{
	ok(rt_timespans_want(&t, 5), "without --time everything is wanted");
	is_int(parse("1.5,2", false), 0, "from, to");
	ok(is_span(0, 3 * S / 2, 2 * S), "in nanoseconds");
	ok(!rt_timespans_want(&t, 3 * S / 2 - 1) && rt_timespans_want(&t, 3 * S / 2) &&
		   rt_timespans_want(&t, 2 * S) && !rt_timespans_want(&t, 2 * S + 1),
	   "both ends included");
	ok(rt_timespans_want(&t, 0), "a record without a time is wanted");
	is_int(parse("1.000000001,", false), 0, "open end");
	ok(is_span(0, S + 1, 0) && rt_timespans_want(&t, 999 * S), "reaches to the end");
	is_int(parse(",2", false), 0, "open start");
	ok(is_span(0, 0, 2 * S) && rt_timespans_want(&t, 1), "reaches from the start");
	is_int(parse("1,2 4,5", false), 0, "several");
	ok(t.count == 2 && rt_timespans_want(&t, S) && !rt_timespans_want(&t, 3 * S) &&
		   rt_timespans_want(&t, 4 * S),
	   "with a gap");
	is_int(parse("1,2", true), 0, "relative");
	ok(is_span(0, 101 * S, 102 * S), "counts from the first sample");
	is_int(parse("1,", true), 0, "relative with an open end");
	ok(is_span(0, 101 * S, 0), "stays open");
	is_int(parse("10%/2", false), 0, "a slice");
	ok(is_span(0, 110 * S, 120 * S - 1), "is the second tenth");
	is_int(parse("0%-10%,90%-100%", false), 0, "ranges by percent");
	ok(is_span(0, 100 * S, 110 * S - 1) && is_span(1, 190 * S, 200 * S), "the last one whole");
	is_int(parse("50%", false), 0, "one percentage");
	ok(is_span(0, 100 * S, 150 * S - 1), "is the first part");

	is_int(parse("later", false), -EINVAL, "no time");
	is_int(parse("5,1", false), -EINVAL, "backward");
	is_int(parse("1,3 2,4", false), -EINVAL, "overlapping");
	is_int(parse("1", false), -EINVAL, "no comma");
	is_int(parse("1,2x", false), -EINVAL, "something behind");
	is_int(parse("1.0000000001,2", false), -EINVAL, "too many decimals");
	is_int(parse("99999999999999,", false), -EINVAL, "too far away");
	is_int(parse("10%/0", false), -EINVAL, "slice zero");
	is_int(parse("10%/11", false), -EINVAL, "a slice beyond the end");
	is_int(parse("0%-110%", false), -EINVAL, "more than all");
	is_int(rt_timespans_parse(&t, "10%/1", 0, 0, false, &err), -EINVAL,
	       "percent of an unknown length");
	rt_timespans_free(&t);
	return tap_done();
}
