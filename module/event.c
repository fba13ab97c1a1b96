// SPDX-License-Identifier: GPL-2.0
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "anchor.h"
#include "event.h"
#include "lockdown.h"
#include "session.h"

/* A new source is one file and one line here. */
static const struct rt_source *const sources[RT_SOURCES] = {
	&rt_kprobe_source,	  &rt_kretprobe_source,	   &rt_tracepoint_source,
	&rt_syscall_enter_source, &rt_syscall_exit_source, &rt_pmu_source,
	&rt_watchpoint_source,
};

#define blame(refusal, why, member, what)                                 \
	do {                                                              \
		(refusal)->reason = (why);                                \
		(refusal)->field = offsetof(struct rt_event_add, member); \
		(refusal)->detail = (what);                               \
	} while (0)

void rt_event_set_init(struct rt_event_set *set)
{
	int i;

	for (i = 0; i < RT_SOURCES; i++)
		INIT_LIST_HEAD(&set->of_source[i]);
}

static int find_source(u32 kind)
{
	int i;

	for (i = 0; i < RT_SOURCES; i++)
		if (sources[i]->kind == kind)
			return i;
	return -1;
}

/* --- adding ---------------------------------------------------------------------- */

/* Copy a program from the user and check the copy. */
static int take_program(enum rt_program_kind kind, const struct rt_program *from,
			const struct rt_program_limits *limits, struct rt_insn **slots,
			struct rt_code *code, struct rt_refusal *refusal)
{
	struct rt_program_error error = { 0 };
	size_t bytes;
	int err;

	if (from->reserved || from->code > RT_PROGRAM_CODE_MAX ||
	    from->text > RT_PROGRAM_TEXT_MAX) {
		refusal->reason = RT_REFUSED_LENGTH;
		return -EINVAL;
	}
	bytes = (from->code + from->text) * sizeof(**slots);
	*slots = kmalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (!*slots)
		return -ENOMEM;
	if (copy_from_user(*slots, u64_to_user_ptr(from->slots), bytes))
		return -EFAULT;
	err = rt_program_check(kind, *slots, from->code, from->text, limits, code, &error);
	refusal->reason = error.reason;
	refusal->detail = error.index;
	return err;
}

static int take_programs(struct rt_event *event, const struct rt_event_add *add,
			 struct rt_refusal *refusal)
{
	struct rt_program_limits limits = {
		.registers = event->source->registers,
		.contexts = event->source->contexts,
	};
	int err;

	if (add->fetch.code) {
		refusal->field = offsetof(struct rt_event_add, fetch);
		if (event->source->own_fields) {
			refusal->reason = RT_REFUSED_FLAGS;
			return -EINVAL;
		}
		err = take_program(RT_PROGRAM_FETCH, &add->fetch, &limits, &event->fetch_slots,
				   &event->fetch, refusal);
		if (err)
			return err;
	}
	if (add->filter.code) {
		refusal->field = offsetof(struct rt_event_add, filter);
		/* The fixed part that prepare() or the fetch program promised. */
		limits.fixed = event->fetch.fixed;
		err = take_program(RT_PROGRAM_FILTER, &add->filter, &limits, &event->filter_slots,
				   &event->filter, refusal);
		if (err)
			return err;
		event->filtered = true;
	}
	return 0;
}

static void event_free(struct rt_event *event)
{
	free_percpu(event->count);
	kfree(event->fetch_slots);
	kfree(event->filter_slots);
	kfree(event);
}

/* Room for one more id, so that nothing can fail once the event is ready. */
static int grow(struct rt_event_set *set)
{
	struct rt_event **bigger;
	u32 room;

	if (set->count < set->room)
		return 0;
	room = max(16U, set->room * 2);
	bigger = kvcalloc(room, sizeof(*bigger), GFP_KERNEL_ACCOUNT);
	if (!bigger)
		return -ENOMEM;
	if (set->count)
		memcpy(bigger, set->by_id, set->count * sizeof(*bigger));
	kvfree(set->by_id);
	set->by_id = bigger;
	set->room = room;
	return 0;
}

static int check_user(const struct rt_event_add *add, struct rt_refusal *refusal)
{
	u64 registers = GENMASK_ULL(RT_PORT_REGISTERS - 1, 0);

	if (!(add->carry & RT_CARRY_USER_REGISTERS) != !add->user_registers ||
	    (add->user_registers & ~registers)) {
		blame(refusal, RT_REFUSED_FLAGS, user_registers, registers);
		return -EINVAL;
	}
	if (!(add->carry & RT_CARRY_USER_BYTES) != !add->user_bytes || add->user_bytes % 8 ||
	    add->user_bytes > RT_USER_BYTES_MAX) {
		blame(refusal, RT_REFUSED_TOO_MANY, user_bytes, RT_USER_BYTES_MAX);
		return -EINVAL;
	}
	return 0;
}

static int check_add(struct rt_event_set *set, const struct rt_event_add *add,
		     struct rt_refusal *refusal)
{
	const struct rt_source *source;
	int i = find_source(add->kind);

	if (i < 0) {
		blame(refusal, RT_REFUSED_KIND, kind, 0);
		return -EINVAL;
	}
	source = sources[i];
	if (rt_lockdown_refused() & source->lockdown) {
		blame(refusal, RT_REFUSED_LOCKDOWN, kind, source->lockdown);
		return -EPERM;
	}
	if (add->carry & ~source->carry) {
		blame(refusal, RT_REFUSED_FLAGS, carry, source->carry);
		return -EINVAL;
	}
	if (add->stack_max > RT_STACK_MAX) {
		blame(refusal, RT_REFUSED_TOO_MANY, stack_max, RT_STACK_MAX);
		return -EINVAL;
	}
	if (check_user(add, refusal))
		return -EINVAL;
	if (add->instances > RT_INSTANCES_MAX) {
		blame(refusal, RT_REFUSED_TOO_MANY, instances, RT_INSTANCES_MAX);
		return -EINVAL;
	}
	if (set->count >= RT_EVENTS_MAX) {
		blame(refusal, RT_REFUSED_TOO_MANY, kind, RT_EVENTS_MAX);
		return -ENOSPC;
	}
	return i;
}

int rt_event_add(struct rt_session *session, const struct rt_event_add *add,
		 struct rt_refusal *refusal)
{
	struct rt_event_set *set = &session->events;
	struct rt_event *event;
	LIST_HEAD(alone);
	int i, err;

	i = check_add(set, add, refusal);
	if (i < 0)
		return i;
	err = grow(set);
	if (err)
		return err;
	event = kzalloc(sizeof(*event), GFP_KERNEL_ACCOUNT);
	if (!event)
		return -ENOMEM;
	event->session = session;
	event->source = sources[i];
	event->sees_agent = sources[i]->sees_agent;
	event->carry = add->carry;
	event->stack_max = add->stack_max ?: RT_STACK_MAX;
	event->user_registers = add->user_registers;
	event->user_bytes = add->user_bytes;
	event->count = alloc_percpu_gfp(struct rt_event_count, GFP_KERNEL_ACCOUNT);
	err = -ENOMEM;
	if (!event->count)
		goto err_free;
	/* Ids begin at 1: a zeroed word is never a record. */
	event->id = set->count + 1;
	err = event->source->prepare(event, add, refusal);
	if (err)
		goto err_free;
	err = take_programs(event, add, refusal);
	if (!err)
		err = rt_anchor_add_event(session, event, add, refusal);
	if (err)
		goto err_release;
	/* Not while it is enabled: ADD is refused then. */
	session->data_maps |= !!(add->carry & RT_CARRY_USER_BYTES);
	list_add_tail(&event->link, &set->of_source[i]);
	set->by_id[set->count++] = event;
	return event->id;

err_release:
	list_add(&event->link, &alone);
	event->source->release(&alone);
err_free:
	event_free(event);
	return err;
}

/* --- arming ---------------------------------------------------------------------- */

int rt_event_arm_all(struct rt_session *session, struct rt_refusal *refusal)
{
	struct rt_event_set *set = &session->events;
	int i, err;
	u32 id;

	for (id = 0; id < set->count; id++)
		set->by_id[id]->choosy = set->by_id[id]->filtered || session->targets.any;
	for (i = 0; i < RT_SOURCES; i++) {
		err = list_empty(&set->of_source[i]) ? 0 :
						       sources[i]->arm(&set->of_source[i], refusal);
		if (err)
			goto err_disarm;
	}
	set->armed = true;
	return 0;

err_disarm:
	while (i-- > 0)
		if (!list_empty(&set->of_source[i]))
			sources[i]->disarm(&set->of_source[i]);
	return err;
}

void rt_event_disarm_all(struct rt_session *session)
{
	struct rt_event_set *set = &session->events;
	int i;

	if (!set->armed)
		return;
	set->armed = false;
	for (i = RT_SOURCES - 1; i >= 0; i--)
		if (!list_empty(&set->of_source[i]))
			sources[i]->disarm(&set->of_source[i]);
}

void rt_event_free_all(struct rt_session *session)
{
	struct rt_event_set *set = &session->events;
	u32 i;

	for (i = 0; i < RT_SOURCES; i++) {
		if (!list_empty(&set->of_source[i]))
			sources[i]->release(&set->of_source[i]);
		INIT_LIST_HEAD(&set->of_source[i]);
	}
	for (i = 0; i < set->count; i++) {
		event_free(set->by_id[i]);
		/* Thousands of events shall not hold a CPU. */
		cond_resched();
	}
	kvfree(set->by_id);
	set->by_id = NULL;
	set->count = 0;
}

/* --- counts ---------------------------------------------------------------------- */

static void add_up(struct rt_counts *sum, const struct rt_event_count *one)
{
	int i;

	sum->entered += READ_ONCE(one->entered);
	sum->written += READ_ONCE(one->written);
	sum->filtered += READ_ONCE(one->filtered);
	for (i = 0; i < RT_LOST_CAUSES; i++)
		sum->lost[i] += READ_ONCE(one->lost[i]);
}

int rt_event_counts(struct rt_session *session, struct rt_counts *counts)
{
	struct rt_event_set *set = &session->events;
	struct rt_event *event;
	int cpu;

	if (!counts->id || counts->id > set->count)
		return -ENOENT;
	if (counts->cpu != RT_COUNTS_ALL &&
	    (counts->cpu >= nr_cpu_ids || !cpu_possible(counts->cpu)))
		return -EINVAL;
	event = set->by_id[counts->id - 1];
	/* Sums begin here, not at what the caller left in the struct. */
	counts->entered = counts->written = counts->filtered = 0;
	memset(counts->lost, 0, sizeof(counts->lost));
	memset(counts->missed, 0, sizeof(counts->missed));
	for_each_possible_cpu(cpu)
		if (counts->cpu == RT_COUNTS_ALL || counts->cpu == cpu)
			add_up(counts, per_cpu_ptr(event->count, cpu));
	if (counts->cpu == RT_COUNTS_ALL && event->source->missed)
		event->source->missed(event, counts->missed);
	if (counts->cpu == RT_COUNTS_ALL)
		counts->missed[RT_MISSED_TASKS] = READ_ONCE(session->targets.overflow);
	return 0;
}
