// SPDX-License-Identifier: GPL-2.0
/* key_sample.c - sort keys that depend on the sample: task, CPU, time. */
#include <stdio.h>
#include <string.h>

#include "report/key_list.h"
#include "report/key_text.h"

static const struct rt_sum *sum_of(const struct rt_report *r, const struct rt_where *w)
{
	return &r->sums.list[w->sum];
}

/* ---- commands and threads -------------------------------------------------------------- */

/* perf names a thread by the last name that it had. */
static const char *thread_name(struct rt_report *r, const struct rt_where *w)
{
	const struct rt_sum *sum = sum_of(r, w);
	const struct rt_thread *th =
		rt_threads_find(rt_profile_machine(r->profile)->threads, -1, sum->tid);

	return th ? th->comm : sum->comm;
}

static uint64_t comm_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	return (uintptr_t)sum_of(r, w)->comm;
}

static int comm_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
		      const struct rt_where *b)
{
	return strcmp(sum_of(r, a)->comm, sum_of(r, b)->comm);
}

static unsigned int comm_width(struct rt_report *r, const struct rt_key *key,
			       const struct rt_where *w)
{
	/* perf measures the last name of the thread, and cuts a longer one that it had before. */
	return (unsigned int)strlen(r->opt->compat ? thread_name(r, w) : sum_of(r, w)->comm);
}

static void comm_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		      unsigned int width, struct rt_text *out)
{
	rt_key_put(r, sum_of(r, w)->comm, width, true, out);
}

const struct rt_key_type rt_key_comm = {
	.name = "comm",
	.header = "Command",
	.id = comm_id,
	.order = comm_order,
	.width = comm_width,
	.text = comm_text,
};

static uint64_t thread_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	return (uint64_t)sum_of(r, w)->tid;
}

static int thread_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
			const struct rt_where *b)
{
	int32_t in_a = sum_of(r, a)->tid, in_b = sum_of(r, b)->tid;

	return (in_a > in_b) - (in_a < in_b);
}

static unsigned int thread_width(struct rt_report *r, const struct rt_key *key,
				 const struct rt_where *w)
{
	return (unsigned int)strlen(thread_name(r, w)) + 8;
}

static void thread_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	rt_text_s64_width(out, sum_of(r, w)->tid, 7, ' ');
	rt_text_char(out, ':');
	rt_key_put(r, thread_name(r, w), width < 8 ? 0 : width - 8, true, out);
}

const struct rt_key_type rt_key_thread = {
	.name = "pid",
	.header = "    Pid:Command",
	.of_thread = true,
	.id = thread_id,
	.order = thread_order,
	.width = thread_width,
	.text = thread_text,
};

/* ---- numbers ----------------------------------------------------------------------------- */

uint64_t rt_key_extra_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	return rt_key_extra(&r->sums, key, w);
}

int rt_key_extra_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
		       const struct rt_where *b)
{
	uint64_t in_a = rt_key_extra_id(r, key, a), in_b = rt_key_extra_id(r, key, b);

	return (in_a > in_b) - (in_a < in_b);
}

int rt_key_extra_order_down(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
			    const struct rt_where *b)
{
	return -rt_key_extra_order(r, key, a, b);
}

static void digits(struct rt_text *out, int64_t value, int width, int precision)
{
	char text[32];

	snprintf(text, sizeof(text), "%*.*d", width, precision, (int)value);
	rt_text_str(out, text);
}

static uint64_t cpu_take(struct rt_report *r, const struct rt_key *key,
			 const struct rt_profile_sample *s)
{
	return s->cpu;
}

static void cpu_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		     unsigned int width, struct rt_text *out)
{
	digits(out, (int32_t)rt_key_extra_id(r, key, w), (int)width, (int)width);
}

const struct rt_key_type rt_key_cpu = {
	.name = "cpu",
	.header = "CPU",
	.min_width = 3,
	.take = cpu_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order,
	.text = cpu_text,
};

uint64_t rt_key_socket_of(const struct rt_report *r, const struct rt_profile_sample *s)
{
	const struct rt_env *env = rt_reader_env(r->reader);

	return s->cpu < env->topology_count ? (uint64_t)env->topology[s->cpu].socket : UINT64_MAX;
}

static uint64_t socket_take(struct rt_report *r, const struct rt_key *key,
			    const struct rt_profile_sample *s)
{
	return rt_key_socket_of(r, s);
}

static void socket_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	digits(out, (int32_t)rt_key_extra_id(r, key, w), (int)width,
	       width < 3 ? 0 : (int)width - 3);
}

const struct rt_key_type rt_key_socket = {
	.name = "socket",
	.header = "Socket",
	.min_width = 6,
	.take = socket_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order,
	.text = socket_text,
};

static uint64_t time_take(struct rt_report *r, const struct rt_key *key,
			  const struct rt_profile_sample *s)
{
	uint64_t quantum = r->opt->time_quantum;

	return quantum ? s->time / quantum * quantum : s->time;
}

static unsigned int time_width(struct rt_report *r, const struct rt_key *key,
			       const struct rt_where *w)
{
	return r->opt->nanoseconds ? 16 : 12;
}

static void time_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		      unsigned int width, struct rt_text *out)
{
	uint64_t time = rt_key_extra_id(r, key, w);
	char text[48];

	if (r->opt->nanoseconds)
		snprintf(text, sizeof(text), "%llu.%09llu", (unsigned long long)(time / 1000000000),
			 (unsigned long long)(time % 1000000000));
	else
		snprintf(text, sizeof(text), "%llu.%06llu", (unsigned long long)(time / 1000000000),
			 (unsigned long long)(time % 1000000000 / 1000));
	rt_text_str(out, text);
}

const struct rt_key_type rt_key_time = {
	.name = "time",
	.header = "Time",
	.take = time_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order,
	.width = time_width,
	.text = time_text,
};

static uint64_t weight_take(struct rt_report *r, const struct rt_key *key,
			    const struct rt_profile_sample *s)
{
	return rt_perf_event_has(s->event, RT_SAMPLE_WEIGHT_STRUCT) ? s->raw->weight1 :
								      s->raw->weight;
}

static void left_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		      unsigned int width, struct rt_text *out)
{
	rt_text_u64_width(out, rt_key_extra_id(r, key, w), -(int)width, ' ');
}

const struct rt_key_type rt_key_local_weight = {
	.name = "local_weight",
	.header = "Local Weight",
	.min_width = 12,
	.take = weight_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order_down,
	.text = left_text,
};

/* perf sums this one up; lines differ by the weight of one sample as well. */
static void weight_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	rt_text_u64_width(out, rt_key_extra_id(r, key, w) * sum_of(r, w)->count, -(int)width, ' ');
}

const struct rt_key_type rt_key_weight = {
	.name = "weight",
	.header = "Weight",
	.min_width = 12,
	.take = weight_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order_down,
	.text = weight_text,
};

/* The latency of an instruction, which perf prints as weights. */
static uint64_t latency_take(struct rt_report *r, const struct rt_key *key,
			     const struct rt_profile_sample *s)
{
	return rt_perf_event_has(s->event, RT_SAMPLE_WEIGHT_STRUCT) ? s->raw->ins_lat : 0;
}

const struct rt_key_type rt_key_local_latency = {
	.name = "local_ins_lat",
	.header = "Local INSTR Latency",
	.take = latency_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order_down,
	.text = left_text,
};

const struct rt_key_type rt_key_latency = {
	.name = "ins_lat",
	.header = "INSTR Latency",
	.take = latency_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order_down,
	.text = weight_text,
};

static uint64_t page_size_take(struct rt_report *r, const struct rt_key *key,
			       const struct rt_profile_sample *s)
{
	return key->type->which ? s->raw->data_page_size : s->raw->code_page_size;
}

static void page_size_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			   unsigned int width, struct rt_text *out)
{
	static const char units[] = "BKMGT";
	uint64_t size = rt_key_extra_id(r, key, w);
	const char *unit = units;
	char text[32] = "N/A";

	for (; size && !(size & 1023) && unit[1]; unit++)
		size >>= 10;
	if (size)
		snprintf(text, sizeof(text), "%llu%c", (unsigned long long)size, *unit);
	rt_text_str_width(out, text, -(int)width);
}

const struct rt_key_type rt_key_page_size = {
	.name = "code_page_size",
	.header = "Code Page Size",
	.take = page_size_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order_down,
	.text = page_size_text,
};

const struct rt_key_type rt_key_data_page_size = {
	.name = "data_page_size",
	.header = "Data Page Size",
	.min_width = 22,
	.which = 1,
	.take = page_size_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order_down,
	.text = page_size_text,
};

static uint64_t address_take(struct rt_report *r, const struct rt_key *key,
			     const struct rt_profile_sample *s)
{
	return s->raw->ip;
}

static unsigned int address_width(struct rt_report *r, const struct rt_key *key,
				  const struct rt_where *w)
{
	return 16 + 2;
}

static void address_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			 unsigned int width, struct rt_text *out)
{
	char text[32];

	snprintf(text, sizeof(text), "%#llx", (unsigned long long)rt_key_extra_id(r, key, w));
	rt_text_str_width(out, text, -(int)width);
}

const struct rt_key_type rt_key_address = {
	.name = "addr",
	.header = "Address",
	.take = address_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order_down,
	.width = address_width,
	.text = address_text,
};

/*
 * perf adds this column if --sort has "symbol" in it, and can fill it only from branch records.  It
 * tells lines apart by their symbols.
 */
static uint64_t cycles_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	return rt_key_symbol.id(r, key, w);
}

static int cycles_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
			const struct rt_where *b)
{
	return rt_key_symbol.order(r, key, a, b);
}

static void cycles_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	rt_text_str_width(out, "-      -", -(int)width);
}

const struct rt_key_type rt_key_cycles = {
	.name = "ipc_null",
	.header = "IPC   [IPC Coverage]",
	.id = cycles_id,
	.order = cycles_order,
	.text = cycles_text,
};
