// SPDX-License-Identifier: GPL-2.0
/*
 * rt-clock - what time it is by the clock of the records, and a signal at that moment.
 *
 *   rt-clock               prints the time in seconds
 *   rt-clock SIGNAL PID    reads the clock, sends the signal, prints the time
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	if (argc == 3 && kill(atoi(argv[2]), atoi(argv[1]))) {
		perror("rt-clock");
		return 1;
	}
	printf("%lld.%06ld\n", (long long)t.tv_sec, t.tv_nsec / 1000);
	return 0;
}
