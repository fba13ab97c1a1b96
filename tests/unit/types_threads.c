// SPDX-License-Identifier: GPL-2.0
/* Threads that read the same debug information at once find the same, with one handle or one for each. */
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

static struct rt_debuginfo *shared;

static void ask(struct answer *out)
{
	struct rt_code_places places = { 0 };
	struct rt_debuginfo *d = shared;
	struct rt_source_lines lines;
	struct rt_err err;

	out->text[0] = 0;
	if (!d && rt_debuginfo_open(&d, "/proc/self/exe", &err))
		return;
	if (!rt_debuginfo_function(d, "types_threads_probed", &places) && places.count == 1)
		rt_debuginfo_variables(d, places.list[0].address, add_variable, out);
	rt_code_places_free(&places);
	if (!rt_debuginfo_source(d, "types_threads_probed", &lines, &err)) {
		struct rt_variable line = { .name = strrchr(lines.file, '/') };

		add_variable(out, &line);
		rt_source_lines_free(&lines);
	}
	if (!shared)
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

static void compare(const char *how)
{
	static struct answer answers[THREADS][ROUNDS];
	pthread_t threads[THREADS];
	int i, j, started, same = 0;

	memset(answers, 0, sizeof(answers));
	for (started = 0; started < THREADS; started++)
		if (pthread_create(&threads[started], NULL, run, answers[started]))
			break;
	for (i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	is_str(answers[0][0].text, "known n /types_threads.c ", "%s: what one thread finds", how);
	for (i = 0; i < THREADS; i++)
		for (j = 0; j < ROUNDS; j++)
			same += !strcmp(answers[i][j].text, answers[0][0].text);
	is_int(same, THREADS * ROUNDS, "%s: all find the same", how);
}

int main(void)
{
	struct known known = { 1, "" };
	struct rt_err err;

	compare("a handle for each thread");
	ok(!rt_debuginfo_open(&shared, "/proc/self/exe", &err), "one handle for all");
	compare("one handle");
	rt_debuginfo_close(shared);
	is_int(types_threads_probed(&known, 2), 3, "the function that they looked for");
	return tap_done();
}
