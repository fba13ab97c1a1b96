// SPDX-License-Identifier: GPL-2.0
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "channel.h"
#include "event.h"
#include "kernel/lockdown.h"
#include "kernel/memory.h"
#include "kernel/registers.h"
#include "place.h"

#define blame(refusal, why, member, what)                                 \
	do {                                                              \
		(refusal)->reason = (why);                                \
		(refusal)->field = offsetof(struct rt_event_add, member); \
		(refusal)->detail = (what);                               \
	} while (0)

void rt_event_set_init(struct rt_event_set *set, struct rt_channel *channel,
		       const struct rt_source *const *sources)
{
	int i;

	set->channel = channel;
	set->sources = sources;
	for (i = 0; i < RT_SOURCES; i++)
		INIT_LIST_HEAD(&set->of_source[i]);
}

static int find_source(const struct rt_event_set *set, u32 kind)
{
	int i;

	for (i = 0; i < RT_SOURCES; i++)
		if (set->sources[i]->kind == kind)
			return i;
	return -1;
}

struct list_head *rt_event_of_kind(struct rt_event_set *set, u32 kind)
{
	return &set->of_source[find_source(set, kind)];
}

/* --- adding ---------------------------------------------------------------------- */

/* take_program() refuses what is longer. */
static u64 program_bytes(const struct rt_program *from)
{
	return (min_t(u64, from->code, RT_PROGRAM_CODE_MAX) +
		min_t(u64, from->text, RT_PROGRAM_TEXT_MAX)) *
	       sizeof(struct rt_insn);
}

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
	if (err) {
		/* Only on failure: an accepted probe may already carry RT_REFUSED_NO_MODULE. */
		refusal->reason = error.reason;
		refusal->detail = error.index;
	}
	return err;
}

/* Whether a record could show a return address that a tracer has replaced. */
static bool shows_caller(const struct rt_event *event)
{
	return event->carry ||
	       ((event->fetch.contexts | event->filter.contexts) & (1U << RT_CONTEXT_CALLER)) ||
	       ((event->fetch.registers | event->filter.registers) & (1ULL << RT_REGISTERS_RETURN));
}

static int take_programs(struct rt_event *event, const struct rt_event_add *add,
			 struct rt_refusal *refusal)
{
	struct rt_program_limits limits = {
		.registers = event->source->registers,
		.contexts = event->source->contexts,
		.saved = event->saved,
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
	event->shows_caller = shows_caller(event);
	return 0;
}

static void event_free(struct rt_event *event)
{
	rt_place_leave(event->place, event->cost);
	free_percpu(event->count);
	rt_memory_uncharge(event->bytes);
	kfree(event->fetch_slots);
	kfree(event->filter_slots);
	kfree(event);
}

/* Make room for one more id now, so that enrolling cannot fail. */
static int event_grow(struct rt_event_set *set)
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
	int i = find_source(set, add->kind);

	if (i < 0) {
		blame(refusal, RT_REFUSED_KIND, kind, 0);
		return -EINVAL;
	}
	source = set->sources[i];
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
	if (add->reserved || memchr_inv((const char *)add->room + source->argument, 0,
					sizeof(add->room) - source->argument)) {
		blame(refusal, RT_REFUSED_FLAGS, room, source->argument);
		return -EINVAL;
	}
	if (set->count >= RT_EVENTS_MAX) {
		blame(refusal, RT_REFUSED_TOO_MANY, kind, RT_EVENTS_MAX);
		return -ENOSPC;
	}
	return i;
}

int rt_event_charge(struct rt_event *event, u64 bytes, struct rt_refusal *refusal)
{
	u64 left;
	int err = rt_memory_charge(bytes, &left);

	if (err) {
		blame(refusal, RT_REFUSED_MEMORY, kind, left);
		return err;
	}
	event->bytes += bytes;
	return 0;
}

/* Costs besides those of programs (program.c), in instructions, measured and rounded up. */
#define COST_EVENT 1000
#define COST_FRAME 400

static u64 cost_of(const struct rt_event *event)
{
	u64 cost = COST_EVENT + event->fetch.cost + event->filter.cost;

	if (event->carry & RT_CARRY_STACK)
		cost += event->stack_max * COST_FRAME;
	if (event->carry & RT_CARRY_USER_STACK)
		cost += event->stack_max * COST_FRAME;
	if (event->carry & RT_CARRY_USER_BYTES)
		cost += event->user_bytes;
	return cost;
}

static int take_place(struct rt_event *event, struct rt_refusal *refusal)
{
	struct rt_place_claim claim = {
		.kind = event->source->place,
		.key = event->where,
		.limit = event->source->crowd,
		.cost = cost_of(event),
	};
	struct rt_place *place = rt_place_take(&claim, refusal);

	if (IS_ERR(place))
		return PTR_ERR(place);
	event->place = place;
	event->cost = claim.cost;
	return 0;
}

static struct rt_event *event_new(struct rt_event_set *set, const struct rt_source *source,
				  const struct rt_event_add *add)
{
	struct rt_event *event = kzalloc(sizeof(*event), GFP_KERNEL_ACCOUNT);

	if (!event)
		return NULL;
	event->channel = set->channel;
	event->set = set;
	event->source = source;
	event->carry = add->carry;
	event->stack_max = add->stack_max ?: RT_STACK_MAX;
	event->user_registers = add->user_registers;
	event->user_bytes = add->user_bytes;
	/* Ids begin at 1: a zeroed word is never a record. */
	event->id = set->count + 1;
	return event;
}

struct rt_event *rt_event_prepare(struct rt_event_set *set, const struct rt_event_add *add,
				  struct rt_refusal *refusal)
{
	struct rt_event *event;
	int i, err;

	i = check_add(set, add, refusal);
	if (i < 0)
		return ERR_PTR(i);
	err = event_grow(set);
	if (err)
		return ERR_PTR(err);
	event = event_new(set, set->sources[i], add);
	if (!event)
		return ERR_PTR(-ENOMEM);
	err = rt_event_charge(event,
			      (u64)sizeof(*event->count) * num_possible_cpus() + sizeof(*event) +
				      program_bytes(&add->fetch) + program_bytes(&add->filter),
			      refusal);
	if (err)
		goto err_free;
	event->count = alloc_percpu_gfp(struct rt_event_count, GFP_KERNEL_ACCOUNT);
	err = -ENOMEM;
	if (!event->count)
		goto err_free;
	err = event->source->prepare(event, add, refusal);
	if (err)
		goto err_free;
	err = take_programs(event, add, refusal);
	if (!err)
		err = take_place(event, refusal);
	if (err) {
		rt_event_drop(event);
		return ERR_PTR(err);
	}
	return event;

err_free:
	event_free(event);
	return ERR_PTR(err);
}

void rt_event_drop(struct rt_event *event)
{
	LIST_HEAD(alone);

	list_add(&event->link, &alone);
	event->source->release(&alone);
	event_free(event);
}

void rt_event_enroll(struct rt_event *event)
{
	struct rt_event_set *set = event->set;

	list_add_tail(&event->link, &set->of_source[find_source(set, event->source->kind)]);
	set->by_id[set->count++] = event;
}

/* --- arming ---------------------------------------------------------------------- */

/* Note what the hits of an event must look at: it is known now. */
static void choose_path(struct rt_event *event)
{
	const struct rt_targets *targets = &event->channel->targets;

	event->selective = event->filtered || targets->any;
	event->careful = event->filtered || event->carry || event->channel->pids ||
			 rt_target_restricts(targets);
	event->agent = targets->agent ?: RT_NO_TASK;
}

int rt_event_arm_all(struct rt_event_set *set, struct rt_refusal *refusal)
{
	int i, err;
	u32 id;

	set->left_out = 0;
	for (id = 0; id < set->count; id++) {
		set->by_id[id]->refused = 0;
		choose_path(set->by_id[id]);
		cond_resched();
	}
	for (i = 0; i < RT_SOURCES; i++) {
		err = list_empty(&set->of_source[i]) ?
			      0 :
			      set->sources[i]->arm(&set->of_source[i], refusal);
		if (err)
			goto err_disarm;
	}
	set->armed = true;
	return 0;

err_disarm:
	while (i-- > 0)
		if (!list_empty(&set->of_source[i]))
			set->sources[i]->disarm(&set->of_source[i]);
	return err;
}

int rt_event_arming_failed(struct rt_event *event, int err, struct rt_refusal *refusal)
{
	if (!refusal->reason) {
		refusal->reason = RT_REFUSED_ARMING;
		refusal->detail = event->id;
	}
	if (err == -EINTR || !event->set->lenient)
		return err;
	event->refused = refusal->reason;
	event->set->left_out++;
	memset(refusal, 0, sizeof(*refusal));
	return 0;
}

void rt_event_look(struct rt_event_set *set)
{
	int i;

	for (i = 0; set->armed && i < RT_SOURCES; i++)
		if (set->sources[i]->look && !list_empty(&set->of_source[i]))
			set->sources[i]->look(&set->of_source[i]);
}

void rt_event_disarm_all(struct rt_event_set *set)
{
	int i;

	if (!set->armed)
		return;
	set->armed = false;
	for (i = RT_SOURCES - 1; i >= 0; i--)
		if (!list_empty(&set->of_source[i]))
			set->sources[i]->disarm(&set->of_source[i]);
}

void rt_event_free_all(struct rt_event_set *set)
{
	u32 i;

	for (i = 0; i < RT_SOURCES; i++) {
		if (!list_empty(&set->of_source[i]))
			set->sources[i]->release(&set->of_source[i]);
		INIT_LIST_HEAD(&set->of_source[i]);
	}
	for (i = 0; i < set->count; i++) {
		event_free(set->by_id[i]);
		/* There may be thousands of events: let other tasks run. */
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
	sum->own += READ_ONCE(one->own);
	for (i = 0; i < RT_LOST_CAUSES; i++)
		sum->lost[i] += READ_ONCE(one->lost[i]);
}

int rt_event_counts(struct rt_event_set *set, struct rt_counts *counts)
{
	struct rt_event *event;
	int cpu;

	if (!counts->id || counts->id > set->count)
		return -ENOENT;
	if (counts->cpu != RT_COUNTS_ALL &&
	    (counts->cpu >= nr_cpu_ids || !cpu_possible(counts->cpu)))
		return -EINVAL;
	event = set->by_id[counts->id - 1];
	/* Start the sums at zero, not at what the caller passed. */
	counts->entered = counts->written = counts->filtered = counts->own = 0;
	counts->repeated = 0;
	counts->refused = event->refused;
	counts->reserved2 = 0;
	counts->off_ns = counts->off_times = 0;
	memset(counts->lost, 0, sizeof(counts->lost));
	memset(counts->missed, 0, sizeof(counts->missed));
	for_each_possible_cpu(cpu) {
		if (counts->cpu != RT_COUNTS_ALL && counts->cpu != cpu)
			continue;
		add_up(counts, per_cpu_ptr(event->count, cpu));
		if (event->source->off)
			event->source->off(event, cpu, &counts->off_ns, &counts->off_times);
	}
	if (counts->cpu == RT_COUNTS_ALL && event->source->missed)
		event->source->missed(event, counts->missed);
	if (counts->cpu == RT_COUNTS_ALL && event->source->repeated)
		counts->repeated = event->source->repeated(event);
	return 0;
}
