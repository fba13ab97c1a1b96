/* SPDX-License-Identifier: GPL-2.0 */
/* running.h - the programs and libraries that processes run at this moment. */
#ifndef RT_RECORD_RUNNING_H
#define RT_RECORD_RUNNING_H

/*
 * Call each(arg, path) for every file from which a process executes code, until it returns non-zero:
 * 0, that value, or -ENOMEM.  The path of a process in another mount namespace begins with
 * /proc/PID/root.  Left out: files that were deleted, and processes that this user may not look at.
 * A file comes once for each process.
 */
int rt_running_each(int (*each)(void *arg, const char *path), void *arg);

#endif
