// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "script/print/fields.h"
#include "tap.h"

static struct rt_fields f;
static struct rt_err err;

static int parse(const char *arg)
{
	rt_fields_init(&f);
	return rt_fields_parse(&f, arg, &err);
}

int main(void)
{
	const uint64_t all =
		RT_COLUMN_COMM | RT_COLUMN_TID | RT_COLUMN_CPU | RT_COLUMN_TIME | RT_COLUMN_EVENT;
	const uint64_t where = RT_COLUMN_IP | RT_COLUMN_SYM | RT_COLUMN_SYMOFF | RT_COLUMN_DSO;

	rt_fields_init(&f);
	ok(f.of[RT_TYPE_HARDWARE].fields == (all | where | RT_COLUMN_PERIOD),
	   "the default of hardware events");
	ok(f.of[RT_TYPE_TRACEPOINT].fields == (all | RT_COLUMN_TRACE),
	   "the default of tracepoints");

	is_int(parse("comm,ip"), 0, "a list");
	ok(f.of[RT_TYPE_HARDWARE].fields == (RT_COLUMN_COMM | RT_COLUMN_IP) &&
		   f.of[RT_TYPE_TRACEPOINT].fields == (RT_COLUMN_COMM | RT_COLUMN_IP),
	   "is the same for all types");
	is_int(parse("trace"), 0, "a field of one type only");
	ok(!f.of[RT_TYPE_HARDWARE].fields && f.of[RT_TYPE_TRACEPOINT].fields == RT_COLUMN_TRACE,
	   "is taken where it can be");
	is_int(parse("+srcline,-time"), 0, "changes");
	ok(f.of[RT_TYPE_SOFTWARE].fields & RT_COLUMN_SRCLINE &&
		   !(f.of[RT_TYPE_SOFTWARE].fields & RT_COLUMN_TIME) &&
		   f.of[RT_TYPE_SOFTWARE].fields & RT_COLUMN_COMM,
	   "leave the rest as it is");
	is_int(parse("sw:ip,sym"), 0, "a type in front");
	ok(f.of[RT_TYPE_SOFTWARE].fields == (RT_COLUMN_IP | RT_COLUMN_SYM) &&
		   f.of[RT_TYPE_HARDWARE].fields == (all | where | RT_COLUMN_PERIOD),
	   "concerns that type only");
	is_int(parse("comm,bpf-output"), 0, "a name with a minus in it");
	ok(f.of[RT_TYPE_SOFTWARE].fields == (RT_COLUMN_COMM | RT_COLUMN_BPF_OUTPUT),
	   "is no change");
	is_int(parse("+flags"), 0, "flags");
	ok(f.flags, "are on");

	is_int(parse("comm,+ip"), -EINVAL, "a list and changes");
	is_int(parse("+ip,comm"), -EINVAL, "changes and a list");
	is_int(parse("nonsense"), -EINVAL, "an unknown field");
	is_int(parse("xx:comm"), -EINVAL, "an unknown type");
	is_int(parse("hw:trace"), -EINVAL, "a field that the type cannot have");
	is_int(parse(""), -EINVAL, "nothing");
	is_int(parse("metric"), -EINVAL, "a field only perf has");
	ok(strstr(err.text, "perf script"), "is said so");
	is_int(rt_fields_type(RT_TYPE_BREAKPOINT), RT_TYPE_BREAKPOINT, "a type of the kernel's");
	is_int(rt_fields_type(17), RT_FIELDS_OTHER, "a PMU's own type");
	is_int(rt_fields_type(0x80000000u), RT_FIELDS_SYNTH, "perf's own type");
	return tap_done();
}
