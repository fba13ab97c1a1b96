// SPDX-License-Identifier: GPL-2.0
/* btf_parse FILE - the seconds that opening a file of BTF takes with libbpf and with ringtail, in turns; the best. */
#include <bpf/btf.h>
#include <stdio.h>
#include <time.h>

#include "types/btf.h"

enum { TURNS = 15 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static double with_libbpf(const char *path)
{
	double from = now();
	struct btf *btf = btf__parse(path, NULL);

	if (!btf)
		return -1;
	from = now() - from;
	btf__free(btf);
	return from;
}

static double with_ringtail(const char *path)
{
	struct rt_types *types;
	struct rt_err err;
	double from = now();

	if (rt_btf_open_file(&types, path, NULL, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	from = now() - from;
	rt_types_close(types);
	return from;
}

int main(int argc, char **argv)
{
	double theirs = 1e9, ours = 1e9, took;
	int i;

	if (argc != 2)
		return 2;
	for (i = 0; i < TURNS; i++) {
		took = with_libbpf(argv[1]);
		if (took < 0)
			return 1;
		theirs = took < theirs ? took : theirs;
		took = with_ringtail(argv[1]);
		if (took < 0)
			return 1;
		ours = took < ours ? took : ours;
	}
	printf("%.6f %.6f\n", theirs, ours);
	return 0;
}
