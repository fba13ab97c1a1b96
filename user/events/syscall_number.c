// SPDX-License-Identifier: GPL-2.0
/*
 * syscall_number.c - the numbers of system calls, from the headers that the program was built with.
 * A number never changes its meaning, so the table is right for every kernel.
 */
#include "events/syscall.h"

#include <errno.h>
#include <string.h>
#include <asm/unistd.h>

static const struct {
	const char *name;
	int number;
} calls[] = {
#include "syscalls.inc"
};

/* tracefs names a call after the function that implements it; these functions have other names. */
static const struct {
	const char *function;
	const char *call;
} renamed[] = {
	{ "fadvise64_64", "fadvise64" }, { "newfstat", "fstat" }, { "newlstat", "lstat" },
	{ "newstat", "stat" },		 { "newuname", "uname" }, { "sendfile64", "sendfile" },
	{ "sysctl", "_sysctl" },	 { "umount", "umount2" },
};

int rt_syscall_number(const struct rt_event_spec *spec)
{
	const char *name = spec->name;
	size_t i;

	if (rt_syscall_is_enter(spec))
		name += strlen("sys_enter_");
	else if (rt_syscall_is_exit(spec))
		name += strlen("sys_exit_");
	else
		return -ENOENT;
	for (i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++)
		if (!strcmp(renamed[i].function, name))
			name = renamed[i].call;
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].name, name))
			return calls[i].number;
	return -ENOENT;
}
