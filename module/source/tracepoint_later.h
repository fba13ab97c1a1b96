/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_TRACEPOINT_LATER_H
#define RT_TRACEPOINT_LATER_H

struct list_head;
struct rt_found;

extern const struct rt_source rt_tracepoint_later_source;

/* FOUND, for the events of this source: 0 or -ENOENT. */
int rt_tracepoint_later_next(struct list_head *events, struct rt_found *out);

/* Once, at load and at unload. */
int rt_tracepoint_later_init(void);
void rt_tracepoint_later_exit(void);

#endif
