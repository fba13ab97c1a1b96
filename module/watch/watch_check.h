/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_check.h - what can be watched: access, length and alignment that the hardware supports,
 * and no memory that our own handlers write.
 */
#ifndef RT_WATCH_CHECK_H
#define RT_WATCH_CHECK_H

#include <linux/stddef.h>

#include <uapi/ringtail.h>

struct rt_event;

#define rt_watch_refuse(refusal, why, member, what)                       \
	do {                                                              \
		(refusal)->reason = (why);                                \
		(refusal)->field = offsetof(struct rt_event_add, member); \
		(refusal)->detail = (what);                               \
	} while (0)

/* 0, or a negative errno with *REFUSAL filled. */
int rt_watch_check(const struct rt_event *event, const struct rt_event_add *add,
		   struct rt_refusal *refusal);

#endif
