// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/wait.h>

#include "session.h"
#include "sessions.h"

static unsigned int sessions_max = 64;
module_param(sessions_max, uint, 0644);
MODULE_PARM_DESC(sessions_max, "sessions that may have rings at once (default: 64)");

/* Held for a few instructions, never while rings are made or freed. */
static DEFINE_MUTEX(lock);
static LIST_HEAD(sessions);
static u32 count;
static const struct rt_session *visited;
static DECLARE_WAIT_QUEUE_HEAD(left);

u32 rt_sessions_count(void)
{
	return READ_ONCE(count);
}

u32 rt_sessions_limit(void)
{
	return READ_ONCE(sessions_max);
}

int rt_sessions_add(struct rt_session *session)
{
	int err = 0;

	if (mutex_lock_killable(&lock))
		return -EINTR;
	if (count >= rt_sessions_limit()) {
		err = -ENOSPC;
	} else {
		list_add_tail(&session->link, &sessions);
		WRITE_ONCE(count, count + 1);
	}
	mutex_unlock(&lock);
	return err;
}

void rt_sessions_remove(struct rt_session *session)
{
	mutex_lock(&lock);
	while (visited == session) {
		mutex_unlock(&lock);
		wait_event(left, READ_ONCE(visited) != session);
		mutex_lock(&lock);
	}
	if (!list_empty(&session->link)) {
		list_del_init(&session->link);
		WRITE_ONCE(count, count - 1);
	}
	mutex_unlock(&lock);
}

void rt_sessions_visit(void (*run)(struct rt_session *session, unsigned int cpu), unsigned int cpu)
{
	struct rt_session *session;

	mutex_lock(&lock);
	list_for_each_entry(session, &sessions, link) {
		WRITE_ONCE(visited, session);
		mutex_unlock(&lock);
		run(session, cpu);
		mutex_lock(&lock);
		/* It is still in the list: rt_sessions_remove() waits. */
		WRITE_ONCE(visited, NULL);
		wake_up_all(&left);
	}
	mutex_unlock(&lock);
}
