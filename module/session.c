// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uuid.h>

#include <uapi/ringtail.h>

#include "anchor.h"
#include "argument.h"
#include "boot.h"
#include "reading.h"
#include "rings.h"
#include "session.h"
#include "side.h"

/* --- birth and death ------------------------------------------------------------- */

static void *by_cpu(void)
{
	return kvcalloc(nr_cpu_ids, sizeof(void *), GFP_KERNEL_ACCOUNT);
}

static void free_tables(struct rt_session *session)
{
	kvfree(session->ring);
	kvfree(session->side_ring);
	kvfree(session->buffer);
	kvfree(session->side_buffer);
	kvfree(session->scratch);
	kfree(session);
}

struct rt_session *rt_session_new(void)
{
	struct rt_session *session;

	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session)
		return NULL;
	session->ring = by_cpu();
	session->side_ring = by_cpu();
	session->buffer = by_cpu();
	session->side_buffer = by_cpu();
	session->scratch = by_cpu();
	if (!session->ring || !session->side_ring || !session->buffer || !session->side_buffer ||
	    !session->scratch) {
		free_tables(session);
		return NULL;
	}
	mutex_init(&session->lock);
	init_waitqueue_head(&session->wait);
	INIT_LIST_HEAD(&session->link);
	INIT_LIST_HEAD(&session->listening);
	rt_event_set_init(&session->events);
	rt_target_init(&session->targets);
	generate_random_uuid(session->uuid);
	memcpy(session->boot_id, rt_boot_id(), sizeof(session->boot_id));
	return session;
}

/* First the gate, then the probes, and only when no handler runs any more, the memory. */
void rt_session_free(struct rt_session *session)
{
	WRITE_ONCE(session->gate, false);
	rt_event_disarm_all(session);
	rt_event_free_all(session);
	rt_side_stop(session);
	rt_target_free(&session->targets);
	/* First the way to the rings, then the rings. */
	rt_rings_delist(session);
	rt_anchor_drop(session);
	rt_rings_free(session);
	free_tables(session);
}

/* --- calls ----------------------------------------------------------------------- */

static int rings_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_rings_set_up(session, argument);
}

static int flush_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	rt_rings_flush(session);
	return 0;
}

static int add_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	struct rt_event_add *add = argument;
	int id;

	if (session->events.armed) {
		refusal->reason = RT_REFUSED_STATE;
		return -EBUSY;
	}
	id = rt_event_add(session, add, refusal);
	if (id < 0)
		return id;
	add->id = id;
	return 0;
}

static int enable_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	int err;

	if (!session->subbufs) {
		refusal->reason = RT_REFUSED_NO_RINGS;
		return -EINVAL;
	}
	if (session->events.armed) {
		refusal->reason = RT_REFUSED_STATE;
		return -EBUSY;
	}
	rt_anchor_set_clock(session);
	/* The names first: no event shall come before the task it happens to. */
	err = rt_side_start(session);
	if (err)
		return err;
	err = rt_event_arm_all(session, refusal);
	if (err)
		rt_side_stop(session);
	else
		WRITE_ONCE(session->gate, true);
	return err;
}

static int disable_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	WRITE_ONCE(session->gate, false);
	rt_event_disarm_all(session);
	rt_side_stop(session);
	return 0;
}

static int target_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	if (session->events.armed) {
		refusal->reason = RT_REFUSED_STATE;
		return -EBUSY;
	}
	return rt_target_add(&session->targets, argument, refusal);
}

static int counts_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_event_counts(session, argument);
}

static int take_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_reading_take(session, argument, refusal);
}

static int copy_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_reading_copy(session, argument, refusal);
}

union argument {
	struct rt_rings rings;
	struct rt_take take;
	struct rt_copy copy;
	struct rt_event_add add;
	struct rt_switch toggle;
	struct rt_target target;
	struct rt_counts counts;
};

#define CALL(number, type, run)                                        \
	{                                                              \
		(number), sizeof(type), offsetof(type, refusal), (run) \
	}

static const struct call {
	unsigned int number;
	size_t size; /* of the argument; 0: there is none */
	size_t refusal;
	int (*run)(struct rt_session *session, void *argument, struct rt_refusal *refusal);
} calls[] = {
	CALL(RT_IOC_RINGS, struct rt_rings, rings_run),
	CALL(RT_IOC_TAKE, struct rt_take, take_run),
	CALL(RT_IOC_COPY, struct rt_copy, copy_run),
	CALL(RT_IOC_ADD, struct rt_event_add, add_run),
	CALL(RT_IOC_ENABLE, struct rt_switch, enable_run),
	CALL(RT_IOC_DISABLE, struct rt_switch, disable_run),
	CALL(RT_IOC_TARGET, struct rt_target, target_run),
	CALL(RT_IOC_COUNTS, struct rt_counts, counts_run),
	{ RT_IOC_FLUSH, 0, 0, flush_run },
};

static int run_locked(struct rt_session *session, const struct call *call, void *argument,
		      struct rt_refusal *refusal)
{
	int ret;

	mutex_lock(&session->lock);
	ret = call->run(session, argument, refusal);
	mutex_unlock(&session->lock);
	return ret;
}

/*
 * Read the argument, do it under the session's lock, and give the argument back even if it
 * failed, since it then says why.
 */
static int run(struct rt_session *session, const struct call *call, void __user *user)
{
	union argument argument;
	struct rt_refusal *refusal = (void *)&argument + call->refusal;
	u32 callers;
	int ret, err;

	if (!call->size)
		return user ? -EINVAL : run_locked(session, call, NULL, NULL);
	err = rt_argument_read(&argument, call->size, call->size, user);
	if (err)
		return err;
	callers = *(u32 *)&argument;
	memset(refusal, 0, sizeof(*refusal));
	ret = run_locked(session, call, &argument, refusal);
	err = rt_argument_write(user, callers, &argument, call->size);
	return ret < 0 ? ret : err;
}

int rt_session_call(struct rt_session *session, unsigned int number, void __user *argument)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].number == number)
			return run(session, &calls[i], argument);
	return -ENOTTY;
}
