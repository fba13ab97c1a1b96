// SPDX-License-Identifier: GPL-2.0
/*
 * pins.c - the list of pinned sessions.
 *
 * What may happen at once, and why it is safe:
 *
 * - A file closes while its session is pinned: the pin's reference stays.
 * - ADOPT and UNPIN: ADOPT takes its reference under the list's lock, so it finds the session with the
 *   pin's reference or not at all.  If it came first, its file keeps the memory; the session is disarmed.
 * - UNPIN and UNPIN: both take a reference and then the session's lock; the second one finds the session
 *   no longer in the list.
 * - UNPIN and PIN of the same session: both hold its lock.
 * - UNPIN and any other call of the session: the session's lock.  STOP takes none and only shuts the gate.
 * - The module's exit: each pin holds the module, and every call comes through a file, which holds it,
 *   too.  So the module that drops the last pin's reference is still there when it returns.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/cred.h>
#include <linux/user_namespace.h>

#include "anchor/anchor.h"
#include "kernel/clock.h"
#include "kernel/memory.h"
#include "lifetime.h"
#include "pins.h"
#include "session.h"

/* On the kernel's command line it is ringtail.flight=, which modprobe passes on to the module. */
static char *flight;
module_param(flight, charp, 0444);
MODULE_PARM_DESC(flight, "what 'ringtail flight boot' starts; the module itself does not use it");

static DEFINE_MUTEX(pins_lock);
static LIST_HEAD(pins);

static int refuse(struct rt_refusal *refusal, u32 reason, u32 field, u64 detail, int err)
{
	refusal->reason = reason;
	refusal->field = field;
	refusal->detail = detail;
	return err;
}

/* --- names ------------------------------------------------------------------------ */

static bool name_char(char c)
{
	return isascii(c) && (isalnum(c) || c == '_' || c == '-' || c == '.');
}

static int check_name(const struct rt_pin *pin, struct rt_refusal *refusal)
{
	size_t length = strnlen(pin->name, sizeof(pin->name)), i;
	bool good = length && length < sizeof(pin->name) && *pin->name != '.' && *pin->name != '-';

	if (pin->reserved)
		return refuse(refusal, RT_REFUSED_FLAGS, offsetof(struct rt_pin, reserved), 0,
			      -EINVAL);
	for (i = 0; good && i < sizeof(pin->name); i++)
		good = i < length ? name_char(pin->name[i]) : !pin->name[i];
	return good ? 0 :
		      refuse(refusal, RT_REFUSED_NAME, offsetof(struct rt_pin, name),
			     RT_PIN_NAME_MAX - 1, -EINVAL);
}

/* Under the lock. */
static struct rt_session *find(const char *name)
{
	struct rt_session *session;

	list_for_each_entry(session, &pins, pin.link)
		if (!strcmp(session->pin.name, name))
			return session;
	return NULL;
}

struct rt_session *rt_pins_find(const struct rt_pin *pin, struct rt_refusal *refusal)
{
	struct rt_session *session;
	int err = check_name(pin, refusal);

	if (err)
		return ERR_PTR(err);
	mutex_lock(&pins_lock);
	session = find(pin->name);
	if (session)
		rt_session_get(session);
	mutex_unlock(&pins_lock);
	if (session)
		return session;
	return ERR_PTR(
		refuse(refusal, RT_REFUSED_NOT_PINNED, offsetof(struct rt_pin, name), 0, -ENOENT));
}

/* --- pinning ---------------------------------------------------------------------- */

/* Half of what all sessions may have stays for those that are not pinned. */
static int check_room(const struct rt_session *session, struct rt_refusal *refusal)
{
	u64 limit = rt_memory_limit() / 2, used = 0;
	const struct rt_session *other;
	u32 count = 0;

	list_for_each_entry(other, &pins, pin.link) {
		used += READ_ONCE(other->bytes);
		count++;
	}
	if (count >= RT_PINS_MAX)
		return refuse(refusal, RT_REFUSED_TOO_MANY, 0, RT_PINS_MAX, -ENOSPC);
	if (used + READ_ONCE(session->bytes) > limit)
		return refuse(refusal, RT_REFUSED_MEMORY, 0, used < limit ? limit - used : 0,
			      -ENOSPC);
	return 0;
}

static int check(const struct rt_session *session, const struct rt_pin *pin,
		 struct rt_refusal *refusal)
{
	if (!list_empty(&session->pin.link))
		return refuse(refusal, RT_REFUSED_PINNED, 0, 0, -EBUSY);
	if (find(pin->name))
		return refuse(refusal, RT_REFUSED_NAME_TAKEN, offsetof(struct rt_pin, name), 0,
			      -EEXIST);
	return check_room(session, refusal);
}

static void describe(struct rt_session *session)
{
	const struct rt_session_pin *pin = &session->pin;
	struct rt_anchor_pin told = {
		.uid = from_kuid(&init_user_ns, pin->uid),
		.pid = pid_nr(pin->pid),
		.since = pin->since,
		.since_wall = pin->since_wall,
	};

	memcpy(told.name, pin->name, sizeof(told.name));
	memcpy(told.comm, pin->comm, sizeof(told.comm));
	rt_anchor_set_pin(session->anchor, &told);
}

int rt_pins_add(struct rt_session *session, const struct rt_pin *pin, struct rt_refusal *refusal)
{
	struct rt_session_pin *own = &session->pin;
	int err = check_name(pin, refusal);

	if (err)
		return err;
	if (!session->subbufs)
		return refuse(refusal, RT_REFUSED_NO_RINGS, 0, 0, -EINVAL);
	/* Nobody would make room in other rings. */
	if (session->mode != RT_MODE_OVERWRITE)
		return refuse(refusal, RT_REFUSED_MODE, 0, 0, -EINVAL);
	mutex_lock(&pins_lock);
	err = check(session, pin, refusal);
	if (!err) {
		memcpy(own->name, pin->name, sizeof(own->name));
		get_task_comm(own->comm, current);
		own->uid = current_uid();
		own->pid = get_pid(task_tgid(current));
		own->since = rt_clock_read();
		own->since_wall = ktime_get_real_ns();
		describe(session);
		rt_session_get(session);
		__module_get(THIS_MODULE);
		list_add_tail(&own->link, &pins);
	}
	mutex_unlock(&pins_lock);
	return err;
}

int rt_pins_remove(const struct rt_pin *pin, struct rt_refusal *refusal)
{
	struct rt_session *session = rt_pins_find(pin, refusal);
	bool mine;

	if (IS_ERR(session))
		return PTR_ERR(session);
	if (mutex_lock_killable(&session->lock)) {
		rt_session_put(session);
		return -EINTR;
	}
	mutex_lock(&pins_lock);
	/* Another call may have unpinned it meanwhile, and its owner pinned it under another name. */
	mine = find(pin->name) == session;
	if (mine) {
		list_del_init(&session->pin.link);
		rt_anchor_set_pin(session->anchor, NULL);
		put_pid(session->pin.pid);
		session->pin.pid = NULL;
	}
	mutex_unlock(&pins_lock);
	if (mine)
		rt_session_disable(session);
	mutex_unlock(&session->lock);
	if (mine) {
		rt_session_put(session);
		module_put(THIS_MODULE);
	}
	rt_session_put(session);
	if (mine)
		return 0;
	return refuse(refusal, RT_REFUSED_NOT_PINNED, offsetof(struct rt_pin, name), 0, -ENOENT);
}

/* --- listing ---------------------------------------------------------------------- */

static void tell(struct rt_pinned *to, struct rt_session *session)
{
	const struct rt_session_pin *pin = &session->pin;

	memcpy(to->name, pin->name, sizeof(to->name));
	memcpy(to->comm, pin->comm, sizeof(to->comm));
	to->state = READ_ONCE(session->channel.gate) ? RT_PINNED_RECORDING : RT_PINNED_STOPPED;
	to->events = READ_ONCE(session->events.count);
	to->uid = from_kuid_munged(current_user_ns(), pin->uid);
	to->pid = pid_vnr(pin->pid);
	to->since = pin->since;
	to->since_wall = pin->since_wall;
	to->bytes = READ_ONCE(session->bytes);
	to->subbufs = session->subbufs;
	to->subbuf_bytes = session->subbuf_bytes;
	memcpy(to->session, session->uuid, sizeof(to->session));
	to->now = rt_clock_read();
}

int rt_pins_tell(struct rt_pinned *pinned)
{
	struct rt_session *session;
	u32 at = 0;
	int err = -ENOENT;

	mutex_lock(&pins_lock);
	list_for_each_entry(session, &pins, pin.link) {
		if (at++ != pinned->index)
			continue;
		tell(pinned, session);
		err = 0;
		break;
	}
	mutex_unlock(&pins_lock);
	return err;
}
