// SPDX-License-Identifier: GPL-2.0
/*
 * rt_bench_drain N - what it costs a recorder to write N events.
 *
 * A recorder starts this program.  It makes N system calls, waits until the recorder has written them,
 * and prints the time that the recorder has run meanwhile, in nanoseconds for an event.  The same time
 * without system calls is subtracted.  In a guest that executes one instruction per nanosecond, this is
 * the number of instructions.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SETTLE 4 /* seconds; a recorder writes what it has at least once a second */

/* How long all threads of PID have run. */
static unsigned long long run_time(pid_t pid)
{
	unsigned long long sum = 0, ns;
	char path[300];
	struct dirent *d;
	DIR *dir;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%d/task/%s/schedstat", pid, d->d_name);
		f = d->d_name[0] == '.' ? NULL : fopen(path, "r");
		if (f && fscanf(f, "%llu", &ns) == 1)
			sum += ns;
		if (f)
			fclose(f);
	}
	if (dir)
		closedir(dir);
	return sum;
}

static unsigned long long spent(pid_t pid, long calls)
{
	unsigned long long before = run_time(pid);

	while (calls--)
		syscall(SYS_getppid);
	sleep(SETTLE);
	return run_time(pid) - before;
}

int main(int argc, char **argv)
{
	long calls = argc > 1 ? atol(argv[1]) : 0;
	unsigned long long idle, busy;
	pid_t recorder = getppid();

	if (calls <= 0) {
		fprintf(stderr, "usage: rt_bench_drain N\n");
		return 2;
	}
	sleep(SETTLE);
	idle = spent(recorder, 0);
	busy = spent(recorder, calls);
	printf("%llu %.1f\n", idle, ((double)busy - idle) / calls);
	return 0;
}
