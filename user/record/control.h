/* SPDX-License-Identifier: GPL-2.0 */
/*
 * control.h - commands that another program sends to a running recording, through a FIFO or a
 * descriptor, in the words of perf record --control.
 */
#ifndef RT_RECORD_CONTROL_H
#define RT_RECORD_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum rt_control_command {
	RT_CONTROL_NONE, /* nothing has come */
	RT_CONTROL_ENABLE,
	RT_CONTROL_DISABLE,
	RT_CONTROL_SNAPSHOT,
	RT_CONTROL_PING,
	RT_CONTROL_STOP,
	RT_CONTROL_UNKNOWN, /* the text is in `line` */
};

struct rt_control {
	int commands, ack; /* descriptors; -1: none */
	bool opened;	   /* they belong to us */
	char line[64];
	size_t used; /* bytes of a command that is not complete */
};

/* TEXT is fifo:PATH[,PATH] or fd:N[,N]: where commands come from and answers go to. */
int rt_control_open(struct rt_control *c, const char *text, struct rt_err *err);
/* The next command that has come; does not wait. */
enum rt_control_command rt_control_next(struct rt_control *c);
/* Tell the sender that the last command was carried out. */
void rt_control_ack(struct rt_control *c);
void rt_control_close(struct rt_control *c);

#endif
