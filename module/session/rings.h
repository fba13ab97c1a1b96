/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rings.h - the rings of a session, one for each CPU.
 */
#ifndef RT_RINGS_H
#define RT_RINGS_H

#include <linux/types.h>

struct rt_rings;
struct rt_session;
struct vm_area_struct;

/* Once per session; under its lock. */
int rt_rings_set_up(struct rt_session *session, struct rt_rings *rings);

/* The session has an anchor from now on; under its lock. */
int rt_rings_need_anchor(struct rt_session *session);

/* In rings_size.c: choose the sizes that the caller left open, refuse those that are not possible. */
int rt_rings_choose(struct rt_rings *rings);

/* Close the sub-buffers that are being written; under the session's lock. */
void rt_rings_flush(struct rt_session *session);

/* At the end: first delist the rings; free them when no handler runs any more. */
void rt_rings_delist(struct rt_session *session);
void rt_rings_free(struct rt_session *session);

/* For poll() and mmap(). */
bool rt_rings_ready(struct rt_session *session);
int rt_rings_map(struct rt_session *session, struct vm_area_struct *vma);

int rt_rings_init(void);
void rt_rings_exit(void);

#endif
