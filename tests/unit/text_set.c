// SPDX-License-Identifier: GPL-2.0
/* text_set.c - a set of texts, with many of them. */
#include <stdio.h>

#include "base/text_set.h"
#include "tap.h"

enum { MANY = 20000 };

int main(void)
{
	struct rt_text_set set = { 0 };
	int i, added = 0, again = 0, found = 0, others = 0;
	char text[32];

	ok(!rt_text_set_has(&set, "a") && !rt_text_set_has(&set, ""), "an empty set has nothing");
	for (i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "probe:f_%d", i);
		added += rt_text_set_add(&set, text) == 1;
	}
	for (i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "probe:f_%d", i);
		again += rt_text_set_add(&set, text) != 0;
		found += rt_text_set_has(&set, text);
		snprintf(text, sizeof(text), "probe:g_%d", i);
		others += rt_text_set_has(&set, text);
	}
	is_int(added, MANY, "each text is new once");
	is_int(again, 0, "and not a second time");
	is_int(found, MANY, "all are found");
	is_int(others, 0, "others are not");
	is_int(rt_text_set_add(&set, ""), 1, "the empty text is one, too");
	rt_text_set_free(&set);
	ok(!rt_text_set_has(&set, "probe:f_1"), "a freed set is empty");
	return tap_done();
}
