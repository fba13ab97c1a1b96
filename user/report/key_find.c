// SPDX-License-Identifier: GPL-2.0
/* key_find.c - from the name of a sort key to its type, and why there is none. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "report/key_list.h"
#include "report/report.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct rt_key_type *const of_all[] = {
	&rt_key_comm,	 &rt_key_thread,    &rt_key_object,	  &rt_key_symbol,
	&rt_key_cpu,	 &rt_key_socket,    &rt_key_line,	  &rt_key_file,
	&rt_key_time,	 &rt_key_trace,	    &rt_key_local_weight, &rt_key_weight,
	&rt_key_size,	 &rt_key_page_size, &rt_key_address,	  &rt_key_cycles,
	&rt_key_parent,	 &rt_key_cgroup,    &rt_key_transaction,  &rt_key_local_latency,
	&rt_key_latency,
};

static const struct rt_key_type *const of_branches[] = {
	&rt_key_from_object, &rt_key_to_object, &rt_key_from_symbol, &rt_key_to_symbol,
	&rt_key_mispredict,  &rt_key_abort,	&rt_key_in_tx,	     &rt_key_branch_cycles,
	&rt_key_from_line,   &rt_key_to_line,
};

static const struct rt_key_type *const of_data[] = {
	&rt_key_data_symbol,	&rt_key_data_object, &rt_key_locked,	  &rt_key_tlb,
	&rt_key_memory,		&rt_key_snoop,	     &rt_key_code_symbol, &rt_key_physical,
	&rt_key_data_page_size, &rt_key_blocked,
};

/* perf takes the beginning of a name as well. */
static const struct rt_key_type *find(const struct rt_key_type *const *list, size_t count,
				      const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strncmp(list[i]->name, name, strlen(name)))
			return list[i];
	return NULL;
}

const struct rt_key_type *rt_key_find(const char *name)
{
	const struct rt_key_type *type;

	/* perf calls threads so. */
	if (!strcmp(name, "tid"))
		return &rt_key_thread;
	type = find(of_all, COUNT(of_all), name);
	if (!type)
		type = find(of_branches, COUNT(of_branches), name);
	return type ? type : find(of_data, COUNT(of_data), name);
}

static bool has(const struct rt_key_type *const *list, size_t count, const struct rt_key_type *type)
{
	size_t i;

	for (i = 0; i < count && list[i] != type; i++)
		;
	return i < count;
}

int rt_key_check(const struct rt_report *r, const struct rt_key_type *type, struct rt_err *err)
{
	if (!r->opt->memory && has(of_data, COUNT(of_data), type))
		return rt_err_set(err, EINVAL, "sort key '%s' needs --mem-mode", type->name);
	if (!r->opt->branches && has(of_branches, COUNT(of_branches), type))
		return rt_err_set(
			err, EINVAL,
			"sort key '%s' needs branches: a recording of perf record -b, and no --no-branch-stack",
			type->name);
	return 0;
}

/* Keys of perf that report does not have, and why. */
static const struct {
	const char *names, *why;
} refused[] = {
	{ " addr_from addr_to ipc_lbr ",
	  "report has it not; -s symbol_from and -s symbol_to are similar" },
	{ " dcacheline ", "report has it not; -s symbol_daddr is similar" },
	{ " local_p_stage_cyc p_stage_cyc ", "only POWER processors count it" },
	{ " dso_size cgroup_id ", "report has it not; -s dso and -s cgroup are similar" },
};

int rt_key_unknown(const char *name, struct rt_err *err)
{
	char word[256 + 2];
	size_t i;

	snprintf(word, sizeof(word), " %s ", name);
	for (i = 0; i < COUNT(refused); i++)
		if (strstr(refused[i].names, word))
			return rt_err_set(err, EINVAL, "sort key '%.100s' is not possible: %s",
					  name, refused[i].why);
	return rt_err_set(
		err, EINVAL,
		"'%.100s' is no sort key and no field of a recorded tracepoint; 'ringtail report --help' lists the keys",
		name);
}
