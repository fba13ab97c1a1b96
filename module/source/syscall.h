/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_SYSCALL_H
#define RT_SYSCALL_H

extern const struct rt_source rt_syscall_enter_source;
extern const struct rt_source rt_syscall_exit_source;

#endif
