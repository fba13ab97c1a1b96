// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/kref.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/uuid.h>

#include <uapi/ringtail.h>

#include "anchor/anchor.h"
#include "kernel/boot.h"
#include "lifetime.h"
#include "rings.h"
#include "session.h"
#include "side.h"
#include "source/uprobe_worker.h"
#include "sources.h"

static void free_tables(struct rt_session *session)
{
	rt_channel_free(&session->channel);
	free_cpumask_var(session->asked);
	kvfree(session->buffer);
	kvfree(session->side_buffer);
	kfree(session);
}

struct rt_session *rt_session_new(void)
{
	struct rt_session *session;

	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session)
		return NULL;
	if (rt_channel_init(&session->channel)) {
		kfree(session);
		return NULL;
	}
	session->buffer = kvcalloc(nr_cpu_ids, sizeof(*session->buffer), GFP_KERNEL_ACCOUNT);
	session->side_buffer =
		kvcalloc(nr_cpu_ids, sizeof(*session->side_buffer), GFP_KERNEL_ACCOUNT);
	if (!zalloc_cpumask_var(&session->asked, GFP_KERNEL_ACCOUNT) || !session->buffer ||
	    !session->side_buffer) {
		free_tables(session);
		return NULL;
	}
	kref_init(&session->references);
	mutex_init(&session->lock);
	init_waitqueue_head(&session->wait);
	INIT_LIST_HEAD(&session->link);
	INIT_LIST_HEAD(&session->listening);
	INIT_LIST_HEAD(&session->pin.link);
	rt_event_set_init(&session->events, &session->channel, rt_sources);
	generate_random_uuid(session->uuid);
	memcpy(session->boot_id, rt_boot_id(), sizeof(session->boot_id));
	if (task_active_pid_ns(current) != &init_pid_ns)
		session->channel.pids = get_pid_ns(task_active_pid_ns(current));
	return session;
}

/* Nothing is armed any more: free the memory. */
static void session_free(void *argument)
{
	struct rt_session *session = argument;

	rt_event_free_all(&session->events);
	/* First delist the rings, then free them. */
	rt_rings_delist(session);
	rt_anchor_free(session->anchor);
	rt_rings_free(session);
	free_tables(session);
}

/* Shut the gate, remove the probes, and free memory when no handler runs any more. */
static void session_end(struct kref *references)
{
	struct rt_session *session = container_of(references, struct rt_session, references);

	rt_session_stop(session);
	session->events.ending = true;
	rt_event_disarm_all(&session->events);
	rt_side_stop(session);
	if (!rt_uprobe_worker_end(&session->events, session_free, session))
		session_free(session);
}

void rt_session_get(struct rt_session *session)
{
	kref_get(&session->references);
}

void rt_session_put(struct rt_session *session)
{
	kref_put(&session->references, session_end);
}

void rt_session_disable(struct rt_session *session)
{
	rt_session_stop(session);
	rt_event_look(&session->events);
	WRITE_ONCE(session->opener, 0);
	rt_event_disarm_all(&session->events);
	rt_side_stop(session);
	/* The hooks that could open the gate are gone. */
	WRITE_ONCE(session->stopped, false);
}
