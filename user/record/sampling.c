// SPDX-License-Identifier: GPL-2.0
#include "record/sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define MAX_RATE "/proc/sys/kernel/perf_event_max_sample_rate"

/* --- options --------------------------------------------------------------------- */

/* The kernel's maximum sample rate; 0 if it does not say. */
static uint64_t max_frequency(void)
{
	char line[32];

	return rt_file_line(MAX_RATE, line, sizeof(line)) ? 0 : strtoull(line, NULL, 10);
}

int rt_sampling_take_frequency(struct rt_sampling_options *opt, const char *text,
			       struct rt_err *err)
{
	uint64_t most = max_frequency();
	char *end;

	if (!strcmp(text, "max")) {
		opt->frequency = most ? most : RT_SAMPLING_FREQUENCY;
		return 0;
	}
	errno = 0;
	opt->frequency = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || !opt->frequency)
		return rt_err_set(err, EINVAL,
				  "-F takes samples a second, a number or 'max', not '%s'", text);
	if (most && opt->frequency > most)
		return rt_err_set(err, EINVAL,
				  "-F %s: the kernel allows %llu samples a second; lower it, or "
				  "raise kernel.perf_event_max_sample_rate with sysctl",
				  text, (unsigned long long)most);
	return 0;
}

int rt_sampling_take_graph(struct rt_sampling_options *opt, const char *text, struct rt_err *err)
{
	unsigned long bytes = RT_SAMPLING_BYTES;
	char *end;

	opt->dwarf = 0;
	if (!strcmp(text, "fp"))
		return 0;
	if (strncmp(text, "dwarf", 5) || (text[5] && text[5] != ','))
		return rt_err_set(err, EINVAL,
				  "--call-graph takes fp, dwarf or dwarf,SIZE, not '%s'", text);
	if (text[5]) {
		bytes = strtoul(text + 6, &end, 0);
		if (end == text + 6 || *end || !bytes || bytes > RT_USER_BYTES_MAX)
			return rt_err_set(
				err, EINVAL,
				"--call-graph dwarf,SIZE: SIZE is 1 to %u bytes, not '%s'",
				RT_USER_BYTES_MAX, text + 6);
	}
	opt->dwarf = (bytes + 7) & ~7UL;
	return 0;
}

/* --- terms of one event ----------------------------------------------------------- */

bool rt_sampling_of_event(const struct rt_event_spec *spec, bool stacks,
			  const struct rt_sampling_options *opt, struct rt_sampling_options *own)
{
	*own = *opt;
	switch (spec->graph) {
	case RT_GRAPH_COMMON:
		return stacks;
	case RT_GRAPH_NONE:
		return false;
	case RT_GRAPH_FP:
		own->dwarf = 0;
		return true;
	case RT_GRAPH_DWARF:
		own->dwarf = spec->stack_bytes ? spec->stack_bytes :
			     opt->dwarf	       ? opt->dwarf :
						 RT_SAMPLING_BYTES;
		return true;
	}
	return stacks;
}

uint32_t rt_sampling_most_bytes(const struct rt_event_list *list, bool stacks,
				const struct rt_sampling_options *opt)
{
	struct rt_sampling_options own;
	uint32_t most = 0;
	size_t i;

	for (i = 0; i < list->count; i++)
		if (rt_sampling_of_event(&list->specs[i], stacks, opt, &own) && own.dwarf > most)
			most = own.dwarf;
	return most;
}

/* --- what to ask for ------------------------------------------------------------- */

static void choose_period(struct rt_counter *c, const struct perf_event_attr *attr,
			  const struct rt_sampling_options *opt)
{
	uint64_t most;

	if (attr->sample_period && !attr->freq) {
		c->period = attr->sample_period;
	} else if (attr->freq) {
		c->period = attr->sample_freq;
		c->flags |= RT_COUNTER_FREQUENCY;
	} else if (opt->period) {
		c->period = opt->period;
	} else {
		most = max_frequency();
		c->period = opt->frequency ? opt->frequency : RT_SAMPLING_FREQUENCY;
		if (most && c->period > most)
			c->period = most;
		c->flags |= RT_COUNTER_FREQUENCY;
	}
}

static bool counts_guests(uint32_t type)
{
	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

void rt_sampling_counter(struct rt_sampling *s, const struct rt_event_spec *spec,
			 const struct rt_sampling_options *opt)
{
	const struct perf_event_attr *a = &spec->attr;
	struct rt_counter *c = &s->counter;

	c->type = a->type;
	c->config = a->config;
	c->config1 = a->config1;
	c->config2 = a->config2;
	c->precise = a->precise_ip;
	c->flags = (a->exclude_user ? RT_COUNTER_EXCLUDE_USER : 0) |
		   (a->exclude_kernel ? RT_COUNTER_EXCLUDE_KERNEL : 0) |
		   (a->exclude_hv ? RT_COUNTER_EXCLUDE_HV : 0) |
		   (a->exclude_idle ? RT_COUNTER_EXCLUDE_IDLE : 0) |
		   (a->exclude_host ? RT_COUNTER_EXCLUDE_HOST : 0) |
		   (a->exclude_guest ? RT_COUNTER_EXCLUDE_GUEST : 0) |
		   (a->pinned ? RT_COUNTER_PINNED : 0) | (a->exclusive ? RT_COUNTER_EXCLUSIVE : 0);
	if (opt->all_kernel)
		c->flags |= RT_COUNTER_EXCLUDE_USER;
	if (opt->all_user)
		c->flags |= RT_COUNTER_EXCLUDE_KERNEL;
	s->guests = counts_guests(c->type) && !a->exclude_host && !a->exclude_guest;
	if (s->guests)
		c->flags |= RT_COUNTER_EXCLUDE_GUEST;
	choose_period(c, a, opt);
	snprintf(s->name, sizeof(s->name), "%s", spec->alias ? spec->alias : spec->name);
}

/* Rename cycles:k to cpu-clock:k. */
static void rename_to_clock(struct rt_sampling *s)
{
	char rest[RT_EVENT_NAME_MAX];
	const char *colon = strrchr(s->name, ':');

	snprintf(rest, sizeof(rest), "%s", colon ? colon : "");
	snprintf(s->name, sizeof(s->name), "cpu-clock%.32s", rest);
}

bool rt_sampling_instead(struct rt_sampling *s, const struct rt_refusal *refusal)
{
	struct rt_counter *c = &s->counter;

	if (refusal->reason == RT_REFUSED_NO_COUNTER && c->type == PERF_TYPE_HARDWARE &&
	    c->config == PERF_COUNT_HW_CPU_CYCLES) {
		c->type = PERF_TYPE_SOFTWARE;
		c->config = PERF_COUNT_SW_CPU_CLOCK;
		c->precise = 0;
		if (s->guests)
			c->flags &= ~RT_COUNTER_EXCLUDE_GUEST;
		s->guests = false;
		s->no_cycles = true;
		rename_to_clock(s);
		return true;
	}
	if (refusal->reason == RT_REFUSED_COUNTER && s->guests) {
		c->flags &= ~RT_COUNTER_EXCLUDE_GUEST;
		s->guests = false;
		return true;
	}
	return false;
}

/* --- stacks ---------------------------------------------------------------------- */

#define ARM64_LR (1ULL << 30)

static uint32_t carry_stacks(struct rt_sampling *s, enum rt_arch arch,
			     const struct rt_sampling_options *opt)
{
	s->bytes = opt->dwarf;
	if (opt->dwarf) {
		s->registers = rt_sampling_all_registers(arch);
		return RT_CARRY_STACK | RT_CARRY_USER_REGISTERS | RT_CARRY_USER_BYTES;
	}
	if (arch == RT_ARCH_X86_64)
		return RT_CARRY_STACK | RT_CARRY_USER_STACK;
	/* A leaf function on arm64 keeps no frame; its caller is in the link register. */
	s->registers = ARM64_LR;
	return RT_CARRY_STACK | RT_CARRY_USER_STACK | RT_CARRY_USER_REGISTERS;
}

uint32_t rt_sampling_carry(struct rt_sampling *s, enum rt_arch arch, bool stacks,
			   const struct rt_sampling_options *opt)
{
	uint32_t carry;

	s->registers = 0;
	s->bytes = 0;
	carry = stacks ? carry_stacks(s, arch, opt) : 0;
	s->registers |= opt->registers;
	return carry | (opt->registers ? RT_CARRY_USER_REGISTERS : 0);
}

/* --- in the file ----------------------------------------------------------------- */

void rt_sampling_attr(const struct rt_sampling *s, struct rt_attr *attr)
{
	static const struct {
		uint32_t asked;
		uint64_t flag;
	} flags[] = {
		{ RT_COUNTER_FREQUENCY, RT_ATTR_FREQ },
		{ RT_COUNTER_EXCLUDE_USER, RT_ATTR_EXCLUDE_USER },
		{ RT_COUNTER_EXCLUDE_KERNEL, RT_ATTR_EXCLUDE_KERNEL },
		{ RT_COUNTER_EXCLUDE_HV, RT_ATTR_EXCLUDE_HV },
		{ RT_COUNTER_EXCLUDE_IDLE, RT_ATTR_EXCLUDE_IDLE },
		{ RT_COUNTER_EXCLUDE_HOST, RT_ATTR_EXCLUDE_HOST },
		{ RT_COUNTER_EXCLUDE_GUEST, RT_ATTR_EXCLUDE_GUEST },
		{ RT_COUNTER_PINNED, RT_ATTR_PINNED },
		{ RT_COUNTER_EXCLUSIVE, RT_ATTR_EXCLUSIVE },
	};
	const struct rt_counter *c = &s->counter;
	size_t i;

	attr->type = c->type;
	attr->config = c->config;
	attr->config1 = c->config1;
	attr->config2 = c->config2;
	attr->sample_period = c->period;
	attr->sample_type = 0;
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (c->flags & flags[i].asked)
			attr->flags |= flags[i].flag;
	attr->flags |= (uint64_t)c->precise << RT_ATTR_PRECISE_IP_SHIFT;
}

void rt_sampling_attr_stacks(const struct rt_sampling *s, uint32_t carry, struct rt_attr *attr)
{
	if (carry & RT_CARRY_STACK)
		attr->sample_type |= RT_SAMPLE_CALLCHAIN;
	if (carry & RT_CARRY_USER_REGISTERS) {
		attr->sample_type |= RT_SAMPLE_REGS_USER;
		attr->sample_regs_user = s->registers;
	}
	if (carry & RT_CARRY_USER_BYTES) {
		attr->sample_type |= RT_SAMPLE_STACK_USER;
		attr->sample_stack_user = s->bytes;
		attr->flags |= RT_ATTR_EXCLUDE_CC_USER;
	}
}
