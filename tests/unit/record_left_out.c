// SPDX-License-Identifier: GPL-2.0
/* record_left_out.c - the message about matching tracepoints that cannot be recorded. */
#include <errno.h>
#include <stdlib.h>

#include <uapi/ringtail.h>

#include "record/left_out.h"
#include "tap.h"

enum { COUNT = 16 };

static char names[COUNT][8];
static struct rt_event_spec specs[COUNT];
static struct rt_event_list list = { .specs = specs };

static void put(const char *text, bool globbed, unsigned int left_out)
{
	struct rt_event_spec *spec = &specs[list.count];

	snprintf(names[list.count], sizeof(names[0]), "e%zu", list.count);
	spec->text = (char *)text;
	spec->system = (char *)"s";
	spec->name = names[list.count++];
	spec->globbed = globbed;
	spec->left_out = left_out;
}

static void begin(void)
{
	list.count = 0;
}

static void is_line(size_t *at, const char *want, const char *what)
{
	char *line = rt_left_out_line(&list, at);

	is_str(line ? line : "none", want, "%s", what);
	free(line);
}

int main(void)
{
	struct rt_event_spec named = { 0 }, globbed = { .globbed = true };
	struct rt_err err;
	size_t at;
	int i;

	ok(rt_left_out_may(&globbed, RT_REFUSED_NOT_NATIVE), "one of a glob may be left out");
	ok(!rt_left_out_may(&named, RT_REFUSED_NOT_NATIVE), "one that was named may not");
	ok(!rt_left_out_may(&globbed, RT_REFUSED_LOCKDOWN), "nor for what concerns all");

	begin();
	put("s:e0", false, 0);
	put("s:*", true, 0);
	put("s:*", true, RT_REFUSED_NOT_NATIVE);
	put("t:*", true, RT_REFUSED_NO_TRACEPOINT);
	put("t:*", true, RT_REFUSED_NOT_NATIVE);
	put("t:*", true, 0);
	put("u:*", true, 0);
	is_int(rt_left_out_check(&list, &err), 0, "something is left of each");
	at = 0;
	is_line(&at, "'s:*': 1 of 2 left out: s:e2 (the module was built without their headers)",
		"one");
	is_line(&at,
		"'t:*': 2 of 3 left out: s:e4 (the module was built without their headers) s:e3 "
		"(they are of modules from outside the kernel's tree)",
		"for different reasons");
	is_line(&at, "none", "no others");

	begin();
	for (i = 0; i < 10; i++)
		put("s:*", true, RT_REFUSED_NOT_NATIVE);
	put("s:*", true, 0);
	at = 0;
	is_line(&at,
		"'s:*': 10 of 11 left out: s:e0 s:e1 s:e2 s:e3 s:e4 s:e5 s:e6 s:e7 and 2 more "
		"(the module was built without their headers)",
		"many");

	begin();
	put("s:e0", false, 0);
	put("t:*", true, RT_REFUSED_NOT_NATIVE);
	put("t:*", true, RT_REFUSED_NOT_NATIVE);
	is_int(rt_left_out_check(&list, &err), -EOPNOTSUPP, "nothing is left of one");
	is_str(err.text,
	       "'t:*': none of the 2 events can be recorded: the module was built without "
	       "their headers",
	       "and that is said");
	return tap_done();
}
