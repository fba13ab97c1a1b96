/* SPDX-License-Identifier: GPL-2.0 */
/*
 * host.h - facts about this machine, each read in one place.
 *
 * Every function of this folder takes a struct rt_host, so that tests can replace /proc, /sys,
 * /boot and /lib with a directory of files.  NULL stands for the machine that runs the program.
 * This folder knows nothing about recordings.
 *
 * May use: base, arch; libelf, libdw.
 */
#ifndef RT_HOST_HOST_H
#define RT_HOST_HOST_H

#include <limits.h>
#include <stdbool.h>

enum { RT_HOST_ROOT_MAX = PATH_MAX / 2 };

struct rt_host {
	const char *root;    /* prefix of every path; NULL or "": this machine's own files */
	const char *release; /* as `uname -r` prints it; NULL: the running kernel's */
};

/* Write a path below the root to BUF. */
const char *rt_host_path(const struct rt_host *host, char buf[PATH_MAX], const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The kernel's release; the machine and the node as `uname -m` and `uname -n` print them. */
const char *rt_host_release(const struct rt_host *host);
const char *rt_host_machine(void);
const char *rt_host_node(void);

/* Whether the running kernel was built without support for modules. */
bool rt_host_moduleless(const struct rt_host *host);

#endif
