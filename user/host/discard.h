/* SPDX-License-Identifier: GPL-2.0 */
/*
 * discard.h - remove a file while events come.  The kernel frees the blocks of a large file before
 * unlink() or rename() returns, which can take longer than the rings last.  So the file is held open meanwhile, and
 * another thread closes it.
 *
 *	int held = rt_discard_hold(path);
 *	unlink(path);
 *	rt_discard_free(held);
 */
#ifndef RT_HOST_DISCARD_H
#define RT_HOST_DISCARD_H

#include <stdbool.h>

/* Keep what the file has; -1 if there is none. */
int rt_discard_hold(const char *path);
/* Free it, in a thread of its own. */
void rt_discard_free(int held);
/* How many files have been freed. */
unsigned long rt_discard_freed(void);
/*
 * A write has failed because the disk is full: wait until all these files are freed.  True: since there were FREED
 * of them, before that write, some more are, so that another write may succeed.
 */
bool rt_discard_wait(unsigned long freed);

#endif
