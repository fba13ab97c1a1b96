// SPDX-License-Identifier: GPL-2.0
/*
 * hold-memory LEAVE: take memory until the machine has no more than LEAVE megabytes available, write the number of
 * megabytes taken to standard output, and keep them until killed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static long available(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[256];
	long kb = -1;

	while (f && fgets(line, sizeof(line), f) && sscanf(line, "MemAvailable: %ld", &kb) != 1)
		;
	if (f)
		fclose(f);
	return kb / 1024;
}

int main(int argc, char **argv)
{
	long leave = argc > 1 ? atol(argv[1]) : 64, taken = 0;
	char *memory;

	while (available() > leave) {
		memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
		if (memory == MAP_FAILED)
			return 1;
		memset(memory, 1, 1 << 20);
		taken++;
	}
	printf("%ld\n", taken);
	fflush(stdout);
	for (;;)
		pause();
}
