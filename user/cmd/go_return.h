/* SPDX-License-Identifier: GPL-2.0 */
/* go_return.h - refuses probes at the return of functions of Go programs. */
#ifndef RT_CMD_GO_RETURN_H
#define RT_CMD_GO_RETURN_H

#include "events/spec.h"

/*
 * -EPERM with a sentence if one of the events would crash a Go program.  FORCE ends it, and may name the option
 * that takes the risk.
 */
int rt_go_return_check(const struct rt_event_list *list, enum rt_arch arch, const char *force,
		       struct rt_err *err);

#endif
