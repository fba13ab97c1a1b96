/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reading.h - taking and copying sub-buffers on a program's behalf, in rings that cannot be
 * read in place because their writers go round.
 *
 * Called with the session's lock held, which makes the caller the only reader.
 */
#ifndef RT_READING_H
#define RT_READING_H

#include <uapi/ringtail.h>

struct rt_session;

int rt_reading_take(struct rt_session *session, struct rt_take *take, struct rt_refusal *refusal);
int rt_reading_copy(struct rt_session *session, struct rt_copy *copy, struct rt_refusal *refusal);

#endif
