// SPDX-License-Identifier: GPL-2.0
/* The closing lines of a recording: counts that add up, and counts that do not. */
#include <stdlib.h>

#include "record/summary.h"
#include "tap.h"

#define MANY 100

/* What is printed about so many events; free it. */
static char *printed(struct rt_recorded *events, size_t count)
{
	struct rt_summary s = { .events = events, .count = count };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	rt_summary_print(&s, "-", out);
	fclose(out);
	return text;
}

static size_t occurrences(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)); text++)
		n++;
	return n;
}

/* Of a glob only the first are named; an event that was named itself always is. */
static void check_glob(void)
{
	static struct rt_event_spec specs[MANY];
	static struct rt_recorded events[MANY];
	char *text;
	size_t i;

	for (i = 0; i < MANY; i++) {
		specs[i].system = (char *)"probe";
		specs[i].name = (char *)(i < MANY - 1 ? "many" : "named");
		specs[i].kind = RT_SPEC_TRACEPOINT;
		specs[i].globbed = i < MANY - 1;
		events[i].spec = &specs[i];
	}
	text = printed(events, MANY);
	ok(strstr(text, "probe:named\n") != NULL, "behind a glob, an event that was named itself");
	is_int(occurrences(text, "probe:many"), 32, "the first events of a glob are named");
	ok(strstr(text, "never fired: 67 more events of globs\n") != NULL,
	   "the others are counted");
	free(text);
}

/* A watch that was off for a while: with the CPUs, and never "0 lost" alone. */
static void check_off(void)
{
	static struct rt_event_spec spec = { .kind = RT_SPEC_TRACEPOINT };
	static struct rt_recorded event = { .spec = &spec };
	struct rt_off list[] = { { .cpu = 3, .ns = 2500000, .times = 1 },
				 { .cpu = 5, .ns = 1000, .times = 12 } };
	struct rt_summary s = { .events = &event, .count = 1, .off = { list, 2 } };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	spec.system = (char *)"watch";
	spec.name = (char *)"mem";
	event.counts = (struct rt_counts){
		.entered = 1, .written = 1, .off_ns = 2501000, .off_times = 13
	};
	event.counts.missed[RT_MISSED_UNWATCHED] = 15;
	rt_summary_print(&s, "-", out);
	fclose(out);
	ok(strstr(text, "1 events written, 0 filtered out, 0 lost, others not watched; ") != NULL,
	   "the closing line does not say 0 lost alone");
	ok(strstr(text,
		  "not watched, so that accesses could complete: watch:mem was off for at most "
		  "2.500 ms on CPU 3 (1 time), 0.001 ms on CPU 5 (12 times)\n") != NULL,
	   "for how long a watch was off, and where");
	ok(strstr(text, "for a while or at all: at least 2\n") != NULL,
	   "tasks without a register are counted apart");
	free(text);
}

int main(void)
{
	struct rt_event_spec specs[2];
	struct rt_recorded events[2];
	char *text;

	memset(specs, 0, sizeof(specs));
	memset(events, 0, sizeof(events));
	specs[0].system = specs[1].system = (char *)"sched";
	specs[0].name = (char *)"first";
	specs[1].name = (char *)"second";
	specs[0].kind = specs[1].kind = RT_SPEC_TRACEPOINT;
	events[0].spec = &specs[0];
	events[1].spec = &specs[1];
	events[0].counts = (struct rt_counts){ .entered = 10, .written = 5, .filtered = 3 };
	events[0].counts.lost[RT_LOST_FULL] = 2;
	text = printed(events, 2);
	ok(strstr(text, "5 events written, 3 filtered out, 2 lost") != NULL, "the closing line");
	ok(strstr(text, "never fired: sched:second") != NULL, "an event that never fired");
	ok(!strstr(text, "do not add up"), "nothing is said of counts that add up");
	free(text);

	events[1].counts = (struct rt_counts){ .entered = 8, .written = 7 };
	text = printed(events, 2);
	ok(strstr(text, "the counts of sched:second do not add up: 8 entered, 7 written, "
			"0 filtered out, 0 lost") != NULL,
	   "counts that do not, with the event");
	ok(!strstr(text, "sched:first do not"), "and no other event");
	free(text);
	check_glob();
	check_off();
	return tap_done();
}
