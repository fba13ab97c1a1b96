// SPDX-License-Identifier: GPL-2.0
/* Threads that read the same debug information at once, each with a handle of its own, find the same. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "types/debuginfo.h"

enum { THREADS = 4, ROUNDS = 3 };

struct known {
	int first;
	const char *second;
};

long types_threads_probed(struct known *known, int n);

__attribute__((noinline)) long types_threads_probed(struct known *known, int n)
{
	return known->first + n;
}

/* What was found, as text. */
struct answer {
	char text[512];
};

static int add_variable(void *arg, const struct rt_variable *variable)
{
	struct answer *answer = arg;
	size_t used = strlen(answer->text);

	snprintf(answer->text + used, sizeof(answer->text) - used, "%s ", variable->name);
	return 0;
}

static void ask(struct answer *out)
{
	struct rt_code_places places = { 0 };
	struct rt_source_lines lines;
	struct rt_debuginfo *d;
	struct rt_err err;

	out->text[0] = 0;
	if (rt_debuginfo_open(&d, "/proc/self/exe", &err))
		return;
	if (!rt_debuginfo_function(d, "types_threads_probed", &places) && places.count == 1)
		rt_debuginfo_variables(d, places.list[0].address, add_variable, out);
	rt_code_places_free(&places);
	if (!rt_debuginfo_source(d, "types_threads_probed", &lines, &err)) {
		struct rt_variable line = { .name = strrchr(lines.file, '/') };

		add_variable(out, &line);
		rt_source_lines_free(&lines);
	}
	rt_debuginfo_close(d);
}

static void *run(void *arg)
{
	struct answer *answers = arg;
	int i;

	for (i = 0; i < ROUNDS; i++)
		ask(&answers[i]);
	return NULL;
}

int main(void)
{
	static struct answer answers[THREADS][ROUNDS];
	pthread_t threads[THREADS];
	struct known known = { 1, "" };
	int i, j, same = 0;

	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, answers[i]))
			return 1;
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	is_str(answers[0][0].text, "known n /types_threads.c ", "what one thread finds");
	for (i = 0; i < THREADS; i++)
		for (j = 0; j < ROUNDS; j++)
			same += !strcmp(answers[i][j].text, answers[0][0].text);
	is_int(same, THREADS * ROUNDS, "all find the same");
	is_int(types_threads_probed(&known, 2), 3, "the function that they looked for");
	return tap_done();
}
