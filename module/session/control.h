/* SPDX-License-Identifier: GPL-2.0 */
/* control.h - the calls of a session. */
#ifndef RT_CONTROL_H
#define RT_CONTROL_H

#include <linux/compiler.h>

struct rt_session;

/* An ioctl; -ENOTTY for an unknown number. */
int rt_session_call(struct rt_session *session, unsigned int number, void __user *argument);

#endif
