// SPDX-License-Identifier: GPL-2.0
/* draw_number - percentages are those of printf("%.2f%%"), which report --stdio prints. */
#include <stdio.h>
#include <stdlib.h>

#include "draw/number.h"
#include "tap.h"

#define ROUNDS 1000000

static int differs(struct rt_text *t, double part, double whole)
{
	char want[64];

	snprintf(want, sizeof(want), "%.2f%%", whole > 0 ? part * 100 / whole : 0.0);
	rt_text_reset(t);
	rt_number_percent(t, part, whole);
	rt_text_char(t, '\0');
	return strcmp(t->base, want) != 0;
}

int main(void)
{
	int i, random = 0, middle = 0;
	struct rt_text t;

	rt_text_init(&t);
	for (i = 0; i < ROUNDS; i++)
		random += differs(&t, rand(), rand());
	for (i = 0; i <= 100000; i++)
		middle += differs(&t, i, 100000) + differs(&t, i, 20000) + differs(&t, i, 8192);
	is_int(random, 0, "%d random shares", ROUNDS);
	is_int(middle, 0, "shares in the middle between two numbers");
	is_int(differs(&t, 5, 0) + differs(&t, 0, 7) + differs(&t, 1e30, 1), 0, "extremes");
	rt_text_free(&t);
	return tap_done();
}
