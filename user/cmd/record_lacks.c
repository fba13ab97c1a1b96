// SPDX-License-Identifier: GPL-2.0
#include "cmd/record_lacks.h"

#include <stdlib.h>
#include <string.h>

#include "events/pmu.h"

static int has_branches(void *arg, const char *pmu)
{
	char *most = rt_pmu_read(arg, pmu, "caps", "branches");
	int found = most && strcmp(most, "0") != 0;

	free(most);
	return found;
}

/* Kernels before 5.13 do not tell what their hardware has. */
static const char *no_branches(struct rt_event_env *env)
{
	return rt_pmu_each(env, has_branches, env) > 0 ?
		       "the module does not read branch records" :
		       "the kernel announces no branch records of this CPU, and the module does not "
		       "read any";
}

static struct rt_perf_lacks lacks[] = {
	{ "branch-any branch-filter", "bj", NULL }, /* the reason depends on the machine */
	{ "all-cgroups", "", "its records do not name the cgroup; -G records one" },
	{ "phys-data data-page-size code-page-size", "",
	  "the module does not walk page tables where an event fires" },
	{ "weight transaction sample-mem-info", "W",
	  "the module does not take the hardware's latencies and transactions; -d records addresses" },
	{ "affinity num-thread-synthesize", "",
	  "its threads run on the memory node of their CPUs; see --threads" },
	{ "aio mmap-flush", "", "it writes what it reads at once" },
	{ "realtime", "r", "'chrt -f 1 ringtail record …' does the same" },
	{ "snapshot aux-sample", "S", "it has no AUX area; --overwrite keeps the newest events" },
	{ "running-time", "", "it reads no groups of counters" },
	{ "kernel-callchains user-callchains", "", "-g records both parts of each stack" },
	{ "samples", "n", "it records nothing but samples" },
	{ "kcore", "", "symbols come from /proc/kallsyms and the build-ids" },
	{ "group", "", "a group is written as -e '{a,b}'" },
	{ "exclude-perf", "", "it never records itself" },
	{ "namespaces bpf-event synth tail-synthesize switch-events switch-output-event latency",
	  "", "its side-band reports tasks, mappings and modules only" },
	{ "off-cpu off-cpu-thresh", "",
	  "-e sched:sched_switch -g and 'flamegraph --off-cpu' show that" },
	{ "clang-opt clang-path setup-filter", "", "it runs no BPF programs" },
	{ "vmlinux", "", "names of kernel functions come from /proc/kallsyms" },
	{ "buildid-mmap", "", "the build-ids are in the header of its files" },
	{ "data-mmap", "", "-d records the mappings of data, too" },
	{ "debuginfod", "", "it fetches nothing while it records; 'ringtail probe' does" },
	{ "buffering", "", "every event goes through the ring of its CPU" },
	{ "proc-map-timeout", "", "it reads the mappings of every process to the end" },
	{ "pfm-events", "", "-e takes the events that 'ringtail list' names" },
	{ NULL, NULL, NULL },
};

const struct rt_perf_lacks *rt_record_lacks(struct rt_event_env *env)
{
	lacks[0].because = no_branches(env);
	return lacks;
}
