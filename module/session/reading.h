/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reading.h - TAKE and COPY: taking and copying sub-buffers of rings that a program cannot read in
 * place because the writers overwrite them.
 *
 * Call with the session's lock held: the ring then has one reader.
 */
#ifndef RT_READING_H
#define RT_READING_H

#include <uapi/ringtail.h>

struct rt_session;

int rt_reading_take(struct rt_session *session, struct rt_take *take, struct rt_refusal *refusal);
int rt_reading_copy(struct rt_session *session, struct rt_copy *copy, struct rt_refusal *refusal);

#endif
