// SPDX-License-Identifier: GPL-2.0
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/pid.h>

#include <uapi/ringtail.h>

#include "anchor/anchor.h"
#include "kernel/argument.h"
#include "kernel/kept.h"
#include "kernel/lockdown.h"
#include "kernel/privilege.h"
#include "control.h"
#include "lifetime.h"
#include "pins.h"
#include "reading.h"
#include "rings.h"
#include "session.h"
#include "side.h"
#include "source/tracepoint_later.h"
#include "source/uprobe_worker.h"

/* --- calls ----------------------------------------------------------------------- */

static int rings_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_rings_set_up(session, argument);
}

static int flush_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	rt_event_look(&session->events);
	rt_rings_flush(session);
	return 0;
}

static int add_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	struct rt_event_add *add = argument;
	struct rt_event *event;
	int err;

	if (session->events.armed) {
		refusal->reason = RT_REFUSED_STATE;
		return -EBUSY;
	}
	event = rt_event_prepare(&session->events, add, refusal);
	if (IS_ERR(event))
		return PTR_ERR(event);
	err = rt_rings_need_anchor(session);
	if (!err)
		err = rt_anchor_add_event(session->anchor, event, add, refusal);
	if (err) {
		rt_event_drop(event);
		return err;
	}
	/* Not while the session is enabled: ADD is refused then. */
	if (add->carry & RT_CARRY_ADDRESS)
		session->maps = RT_MAPS_ALL;
	else if (add->carry & RT_CARRY_USER_BYTES)
		session->maps = max_t(u8, session->maps, RT_MAPS_FILES);
	rt_event_enroll(event);
	add->id = event->id;
	return 0;
}

static int enable_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	struct rt_switch *sw = argument;
	int err;

	if (sw->value & ~RT_ENABLE_FLAGS) {
		refusal->reason = RT_REFUSED_FLAGS;
		refusal->field = offsetof(struct rt_switch, value);
		refusal->detail = RT_ENABLE_FLAGS;
		return -EINVAL;
	}
	if (!session->subbufs) {
		refusal->reason = RT_REFUSED_NO_RINGS;
		return -EINVAL;
	}
	if (session->events.armed) {
		refusal->reason = RT_REFUSED_STATE;
		return -EBUSY;
	}
	err = rt_uprobe_worker_settle(&session->events);
	if (err)
		return err;
	rt_anchor_set_clock(session->anchor);
	/* Start the side-band first so that every event's task is already known. */
	err = rt_side_start(session);
	if (err)
		return err;
	session->events.lenient = sw->value & RT_ENABLE_LENIENT;
	err = rt_event_arm_all(&session->events, refusal);
	if (err) {
		rt_side_stop(session);
		return err;
	}
	sw->left_out = session->events.left_out;
	if (!(sw->value & RT_ENABLE_HELD))
		rt_session_open_gate(session);
	return 0;
}

static int start_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	struct rt_switch *sw = argument;
	struct pid *pid;

	if (!session->events.armed) {
		refusal->reason = RT_REFUSED_STATE;
		return -EINVAL;
	}
	/* Without the hook for exec, do not wait for the exec: recording begins now. */
	if (!sw->value || rt_side_missing() & 1U << RT_SIDE_COMM) {
		rt_session_open_gate(session);
		return 0;
	}
	pid = find_get_pid(sw->value);
	if (!pid) {
		refusal->reason = RT_REFUSED_TARGET;
		refusal->field = offsetof(struct rt_switch, value);
		return -ESRCH;
	}
	WRITE_ONCE(session->opener, pid_nr(pid));
	put_pid(pid);
	return 0;
}

static int disable_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	rt_session_disable(session);
	return 0;
}

static int target_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	int err;

	if (session->events.armed) {
		refusal->reason = RT_REFUSED_STATE;
		return -EBUSY;
	}
	/* The filters of user probes read the targets until they are disarmed. */
	err = rt_uprobe_worker_settle(&session->events);
	return err ? err : rt_target_add(&session->channel.targets, argument, refusal);
}

static int counts_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_event_counts(&session->events, argument);
}

static int found_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_tracepoint_later_next(
		rt_event_of_kind(&session->events, RT_KIND_TRACEPOINT_LATER), argument);
}

static int take_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_reading_take(session, argument, refusal);
}

static int copy_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_reading_copy(session, argument, refusal);
}

static int look_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	struct rt_look *look = argument;

	return session->anchor ? rt_anchor_look(session->anchor, look->phys,
						u64_to_user_ptr(look->to), look->bytes) :
				 -ENXIO;
}

static int pin_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_pins_add(session, argument, refusal);
}

static int unpin_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_pins_remove(argument, refusal);
}

static int adopt_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	struct rt_session *found;
	int ret;

	found = rt_pins_find(argument, refusal);
	if (IS_ERR(found))
		return PTR_ERR(found);
	/* The file keeps the module loaded, as a file of the device does, and the reference. */
	ret = anon_inode_getfd("[ringtail]", found->files, found, O_RDWR | O_CLOEXEC);
	if (ret < 0)
		rt_session_put(found);
	return ret;
}

static int pinned_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_pins_tell(argument);
}

static int kept_run(struct rt_session *session, void *argument, struct rt_refusal *refusal)
{
	return rt_kept_tell(argument, refusal);
}

union argument {
	struct rt_rings rings;
	struct rt_take take;
	struct rt_copy copy;
	struct rt_look look;
	struct rt_event_add add;
	struct rt_switch toggle;
	struct rt_target target;
	struct rt_counts counts;
	struct rt_pin pin;
	struct rt_pinned pinned;
	struct rt_found found;
	struct rt_kept kept;
};

/*
 * What a call asks before it runs; docs/abi.md has the table and the reasons.  A call without RIGHTS only
 * reads what the session has recorded.
 */
#define RIGHTS	 (1U << 0) /* the caller itself may trace the kernel, as for opening the device */
#define OPEN	 (1U << 1) /* the kernel is not locked down */
#define UNLOCKED (1U << 2) /* not under the session's lock: the call is about another session */

#define CALL(number, type, least, flags, run)                                            \
	{                                                                                \
		(number), sizeof(type), (least), offsetof(type, refusal), (flags), (run) \
	}

static const struct call {
	unsigned int number;
	size_t size;  /* of the argument; 0: none */
	size_t least; /* the shortest that a caller may pass */
	size_t refusal;
	u32 flags;
	int (*run)(struct rt_session *session, void *argument, struct rt_refusal *refusal);
} calls[] = {
	CALL(RT_IOC_RINGS, struct rt_rings, RT_RINGS_SIZE_MIN, RIGHTS | OPEN, rings_run),
	CALL(RT_IOC_TAKE, struct rt_take, RT_TAKE_SIZE_MIN, 0, take_run),
	CALL(RT_IOC_COPY, struct rt_copy, RT_COPY_SIZE_MIN, 0, copy_run),
	CALL(RT_IOC_ADD, struct rt_event_add, RT_EVENT_ADD_SIZE_MIN, RIGHTS, add_run),
	CALL(RT_IOC_ENABLE, struct rt_switch, RT_SWITCH_SIZE_MIN, RIGHTS | OPEN, enable_run),
	CALL(RT_IOC_DISABLE, struct rt_switch, RT_SWITCH_SIZE_MIN, RIGHTS, disable_run),
	CALL(RT_IOC_START, struct rt_switch, RT_SWITCH_SIZE_MIN, RIGHTS, start_run),
	CALL(RT_IOC_TARGET, struct rt_target, RT_TARGET_SIZE_MIN, RIGHTS, target_run),
	CALL(RT_IOC_COUNTS, struct rt_counts, RT_COUNTS_SIZE_MIN, 0, counts_run),
	CALL(RT_IOC_FOUND, struct rt_found, RT_FOUND_SIZE_MIN, RIGHTS, found_run),
	CALL(RT_IOC_LOOK, struct rt_look, RT_LOOK_SIZE_MIN, RIGHTS | OPEN, look_run),
	CALL(RT_IOC_PIN, struct rt_pin, RT_PIN_SIZE_MIN, RIGHTS | OPEN, pin_run),
	CALL(RT_IOC_UNPIN, struct rt_pin, RT_PIN_SIZE_MIN, RIGHTS | UNLOCKED, unpin_run),
	CALL(RT_IOC_ADOPT, struct rt_pin, RT_PIN_SIZE_MIN, RIGHTS | UNLOCKED, adopt_run),
	CALL(RT_IOC_PINNED, struct rt_pinned, RT_PINNED_SIZE_MIN, UNLOCKED, pinned_run),
	CALL(RT_IOC_KEPT, struct rt_kept, RT_KEPT_SIZE_MIN, RIGHTS | UNLOCKED, kept_run),
	{ RT_IOC_FLUSH, 0, 0, 0, RIGHTS, flush_run },
};

/*
 * Whoever was given the descriptor may read.  To load the machine, or to change what is recorded, the
 * caller needs the rights itself.
 */
static int check_call(const struct call *call, struct rt_refusal *refusal)
{
	int err = call->flags & RIGHTS ? rt_privilege_check() : 0;
	u32 refused;

	if (err) {
		if (refusal)
			refusal->reason = RT_REFUSED_CALLER;
		return err;
	}
	refused = call->flags & OPEN ? rt_lockdown_refused() : 0;
	if (!refused)
		return 0;
	if (refusal) {
		refusal->reason = RT_REFUSED_LOCKDOWN;
		refusal->detail = refused;
	}
	return -EPERM;
}

static int run_call(struct rt_session *session, const struct call *call, void *argument,
		    struct rt_refusal *refusal)
{
	int ret = check_call(call, refusal);

	if (ret)
		return ret;
	if (call->flags & UNLOCKED)
		return call->run(session, argument, refusal);
	/* Another call may hold the lock for long: arming thousands of events takes time. */
	if (mutex_lock_killable(&session->lock))
		return -EINTR;
	ret = call->run(session, argument, refusal);
	mutex_unlock(&session->lock);
	return ret;
}

/* A call that fails writes its refusal and leaves the rest of the caller's argument as it was. */
static void call_refuse(const struct call *call, const struct rt_refusal *refusal, u32 callers,
			void __user *user)
{
	if (callers > call->refusal)
		rt_argument_write(user + call->refusal,
				  min_t(u32, callers - call->refusal, sizeof(*refusal)), refusal,
				  sizeof(*refusal));
}

/* Read the argument, run the call under the session's lock, and write the argument back. */
static int call_run(struct rt_session *session, const struct call *call, void __user *user)
{
	union argument argument;
	struct rt_refusal *refusal = (void *)&argument + call->refusal;
	u32 callers;
	int ret, err;

	if (!call->size)
		return user ? -EINVAL : run_call(session, call, NULL, NULL);
	err = rt_argument_read(&argument, call->size, call->least, user);
	if (err)
		return err;
	callers = *(u32 *)&argument;
	memset(refusal, 0, sizeof(*refusal));
	ret = run_call(session, call, &argument, refusal);
	/* ADOPT returns a file, and its argument has no answer. */
	if (ret > 0)
		return ret;
	if (!ret)
		return rt_argument_write(user, callers, &argument, call->size);
	call_refuse(call, refusal, callers, user);
	return ret;
}

int rt_session_call(struct rt_session *session, unsigned int number, void __user *argument)
{
	size_t i;
	int err;

	if (number == RT_IOC_STOP) {
		err = argument ? -EINVAL : rt_privilege_check();
		if (!err)
			rt_session_stop(session);
		return err;
	}
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].number == number)
			return call_run(session, &calls[i], argument);
	return -ENOTTY;
}
