/* SPDX-License-Identifier: GPL-2.0 */
/*
 * release.h - was the module built for the kernel that runs?
 *
 * A kernel with symbol versions loads a module of another release as long as the symbols agree,
 * and tools like weak-modules rely on it.  This module also depends on what its compile probes
 * found and on private structs, which no symbol version covers.
 */
#ifndef RT_RELEASE_H
#define RT_RELEASE_H

/* 0, or -ENOEXEC after a line in the kernel's log. */
int rt_release_check(void);

#endif
