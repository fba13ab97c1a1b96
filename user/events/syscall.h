/* SPDX-License-Identifier: GPL-2.0 */
/*
 * syscall.h - the events of tracefs' system "syscalls".  To the module these are not tracepoints
 * but system calls, whose values it fetches from the task's registers.
 */
#ifndef RT_EVENTS_SYSCALL_H
#define RT_EVENTS_SYSCALL_H

#include "events/spec.h"

/* Whether SPEC is sys_enter_… or sys_exit_… of the system "syscalls". */
bool rt_syscall_is_enter(const struct rt_event_spec *spec);
bool rt_syscall_is_exit(const struct rt_event_spec *spec);

/*
 * The number of the system call of SPEC, an event sys_enter_… or sys_exit_…, on the architecture that
 * this program was built for; -ENOENT if the program does not know it.  For kernels whose module cannot
 * find it by the name.
 */
int rt_syscall_number(const struct rt_event_spec *spec);

/*
 * Set SPEC's fields to those of FORMAT, the text of its format file, and make the fetch program
 * that stores them in that layout.
 */
int rt_syscall_lay_out(struct rt_event_spec *spec, const char *format, enum rt_arch arch,
		       struct rt_err *err);

#endif
