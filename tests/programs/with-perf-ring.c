// SPDX-License-Identifier: GPL-2.0
/*
 * with-perf-ring COMMAND…: run the command with a perf event as descriptor 3 that has a ring of 1
 * MB in overwrite mode.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FD = 3, RING_BYTES = 1 << 20 };

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
		.sample_period = 1,
	};
	int fd, status;

	if (argc < 2)
		errx(2, "usage: with-perf-ring COMMAND...");
	/* The event of one CPU: perf maps no ring otherwise. */
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
	if (fd < 0 || dup2(fd, FD) != FD)
		err(1, "perf_event_open");
	/* Mapped read-only, the ring overwrites and never fills. */
	if (mmap(NULL, RING_BYTES + sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, FD, 0) ==
	    MAP_FAILED)
		err(1, "mmap");
	/* The mapping must outlive the command; an exec in this process would end it. */
	switch (fork()) {
	case -1:
		err(1, "fork");
	case 0:
		execvp(argv[1], argv + 1);
		err(127, "%s", argv[1]);
	}
	if (wait(&status) < 0)
		err(1, "wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
