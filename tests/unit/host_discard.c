// SPDX-License-Identifier: GPL-2.0
/*
 * host_discard.c - files that another thread frees: whoever waits for it finds them freed, and is told so once.
 */
#include <fcntl.h>
#include <unistd.h>

#include "host/discard.h"
#include "tap.h"

enum { ROUNDS = 2000 };

/* The last writer of a pipe stands for a file: its reader sees when it is closed. */
static bool is_freed(int reader)
{
	char byte;

	return read(reader, &byte, 1) == 0;
}

static void pipes(void)
{
	unsigned long before;
	int early = 0, untold = 0, told_again = 0, round, ends[2];

	for (round = 0; round < ROUNDS; round++) {
		if (pipe2(ends, O_NONBLOCK | O_CLOEXEC)) {
			ok(false, "a pipe");
			return;
		}
		before = rt_discard_freed();
		rt_discard_free(ends[1]);
		untold += !rt_discard_wait(before);
		early += !is_freed(ends[0]);
		told_again += rt_discard_wait(rt_discard_freed());
		close(ends[0]);
	}
	is_int(early, 0, "after the wait all are freed");
	is_int(untold, 0, "and the caller is told that some were");
	is_int(told_again, 0, "but not that more were");
	is_int(rt_discard_freed(), (unsigned long)ROUNDS, "each is counted");
}

static void missing(void)
{
	unsigned long before = rt_discard_freed();

	is_int(rt_discard_hold("/tmp/no such file, nor directory/of this name"), -1,
	       "no file: nothing is held");
	rt_discard_free(-1);
	is_int(rt_discard_wait(before), false, "nor freed");
}

int main(void)
{
	pipes();
	missing();
	return tap_done();
}
