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

/* Keep what the file has; -1 if there is none. */
int rt_discard_hold(const char *path);
/* Free it, in a thread of its own. */
void rt_discard_free(int held);

#endif
