/* SPDX-License-Identifier: GPL-2.0 */
/*
 * privilege.h - who may trace the kernel.
 */
#ifndef RT_PRIVILEGE_H
#define RT_PRIVILEGE_H

/* 0 if the current task may trace the kernel, else a negative errno.  May sleep. */
int rt_privilege_check(void);

#endif
