/* SPDX-License-Identifier: GPL-2.0 */
/*
 * syscall.h - the events of tracefs' system "syscalls": no tracepoints to the module, but
 * system calls whose values are fetched from the registers of the task.
 */
#ifndef RT_EVENTS_SYSCALL_H
#define RT_EVENTS_SYSCALL_H

#include "events/spec.h"

/* Whether SPEC is sys_enter_… or sys_exit_… of the system "syscalls". */
bool rt_syscall_is_enter(const struct rt_event_spec *spec);
bool rt_syscall_is_exit(const struct rt_event_spec *spec);

/*
 * Give SPEC, one of these, the fields that FORMAT, the text of its format file, describes,
 * and the fetch program that lays them out just so.
 */
int rt_syscall_lay_out(struct rt_event_spec *spec, const char *format, enum rt_arch arch,
		       struct rt_err *err);

#endif
