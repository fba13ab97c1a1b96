// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/counter.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Values of enum perf_sw_ids that older headers lack. */
#define SW_BPF_OUTPUT	   10
#define SW_CGROUP_SWITCHES 11

static const struct rt_counter_name names[] = {
	{ "cpu-cycles", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branch-instructions", "branches", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", "idle-cycles-frontend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", "idle-cycles-backend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "cpu-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "context-switches", "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "minor-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "alignment-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS },
	{ "dummy", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
	{ "bpf-output", NULL, PERF_TYPE_SOFTWARE, SW_BPF_OUTPUT },
	{ "cgroup-switches", NULL, PERF_TYPE_SOFTWARE, SW_CGROUP_SWITCHES },
};

/* Words of a cache event, with the numbers of linux/perf_event.h. */
struct word {
	const char *word;
	uint8_t value;
	uint8_t operations; /* of a cache: its operations, 1 << PERF_COUNT_HW_CACHE_OP_* */
};

#define R (1 << PERF_COUNT_HW_CACHE_OP_READ)
#define W (1 << PERF_COUNT_HW_CACHE_OP_WRITE)
#define P (1 << PERF_COUNT_HW_CACHE_OP_PREFETCH)

static const struct word caches[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D, R | W | P },
	{ "L1-data", PERF_COUNT_HW_CACHE_L1D, R | W | P },
	{ "L1-d", PERF_COUNT_HW_CACHE_L1D, R | W | P },
	{ "L1d", PERF_COUNT_HW_CACHE_L1D, R | W | P },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I, R | P },
	{ "L1-instruction", PERF_COUNT_HW_CACHE_L1I, R | P },
	{ "L1-i", PERF_COUNT_HW_CACHE_L1I, R | P },
	{ "L1i", PERF_COUNT_HW_CACHE_L1I, R | P },
	{ "LLC", PERF_COUNT_HW_CACHE_LL, R | W | P },
	{ "L2", PERF_COUNT_HW_CACHE_LL, R | W | P },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB, R | W | P },
	{ "d-tlb", PERF_COUNT_HW_CACHE_DTLB, R | W | P },
	{ "Data-TLB", PERF_COUNT_HW_CACHE_DTLB, R | W | P },
	{ "iTLB", PERF_COUNT_HW_CACHE_ITLB, R },
	{ "i-tlb", PERF_COUNT_HW_CACHE_ITLB, R },
	{ "Instruction-TLB", PERF_COUNT_HW_CACHE_ITLB, R },
	{ "branch", PERF_COUNT_HW_CACHE_BPU, R },
	{ "bpu", PERF_COUNT_HW_CACHE_BPU, R },
	{ "btb", PERF_COUNT_HW_CACHE_BPU, R },
	{ "bpc", PERF_COUNT_HW_CACHE_BPU, R },
	{ "node", PERF_COUNT_HW_CACHE_NODE, R | W | P },
};

#undef R
#undef W
#undef P

static const struct word operations[] = {
	{ "loads", PERF_COUNT_HW_CACHE_OP_READ },
	{ "load", PERF_COUNT_HW_CACHE_OP_READ },
	{ "read", PERF_COUNT_HW_CACHE_OP_READ },
	{ "stores", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "store", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "write", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "prefetch", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "speculative-read", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "speculative-load", PERF_COUNT_HW_CACHE_OP_PREFETCH },
};

static const struct word results[] = {
	{ "refs", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "reference", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "ops", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "access", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "misses", PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "miss", PERF_COUNT_HW_CACHE_RESULT_MISS },
};

/* Step over one of WORDS if '-' or the end of the text follows it. */
static const struct word *take_word(const char **text, const struct word *words, size_t count)
{
	size_t i, size;

	for (i = 0; i < count; i++) {
		size = strlen(words[i].word);
		if (strncasecmp(*text, words[i].word, size) ||
		    ((*text)[size] && (*text)[size] != '-'))
			continue;
		*text += size;
		if (**text == '-')
			++*text;
		return &words[i];
	}
	return NULL;
}

/* CACHE[-OPERATION][-RESULT], as in L1-dcache-load-misses. */
static int find_cache(const char *name, struct perf_event_attr *attr)
{
	const struct word *cache, *operation, *result;
	const char *p = name;

	if (!*name || name[strlen(name) - 1] == '-')
		return -ENOENT;
	cache = take_word(&p, caches, COUNT(caches));
	if (!cache || !*p)
		return -ENOENT;
	operation = take_word(&p, operations, COUNT(operations));
	result = take_word(&p, results, COUNT(results));
	if (*p)
		return -ENOENT;
	if (operation && !(cache->operations & 1 << operation->value))
		return -ENOENT;
	attr->type = PERF_TYPE_HW_CACHE;
	attr->config = cache->value | (operation ? operation->value : 0) << 8 |
		       (result ? result->value : PERF_COUNT_HW_CACHE_RESULT_ACCESS) << 16;
	return 0;
}

/* rNNN, hexadecimal. */
static int find_raw(const char *name, struct perf_event_attr *attr)
{
	char *end;

	if (name[0] != 'r' || !isxdigit((unsigned char)name[1]))
		return -ENOENT;
	errno = 0;
	attr->config = strtoull(name + 1, &end, 16);
	if (errno || *end)
		return -ENOENT;
	attr->type = PERF_TYPE_RAW;
	return 0;
}

/* Call each() for CACHE-loads, CACHE-load-misses and the same of its other operations. */
static int each_of_cache(const struct word *cache,
			 int (*each)(void *arg, const struct rt_counter_name *counter), void *arg)
{
	char name[64];
	struct rt_counter_name counter = { .name = name, .type = PERF_TYPE_HW_CACHE };
	static const char *const many[] = { "loads", "stores", "prefetches" };
	static const char *const one[] = { "load", "store", "prefetch" };
	uint64_t operation, result;
	int ret = 0;

	for (operation = 0; operation < PERF_COUNT_HW_CACHE_OP_MAX; operation++) {
		if (!(cache->operations & 1 << operation))
			continue;
		for (result = 0; !ret && result < PERF_COUNT_HW_CACHE_RESULT_MAX; result++) {
			snprintf(name, sizeof(name), result ? "%s-%s-misses" : "%s-%s", cache->word,
				 result ? one[operation] : many[operation]);
			counter.config = cache->value | operation << 8 | result << 16;
			ret = each(arg, &counter);
		}
	}
	return ret;
}

int rt_counter_each(int (*each)(void *arg, const struct rt_counter_name *counter), void *arg)
{
	int ret = 0, seen = -1;
	size_t i;

	for (i = 0; !ret && i < COUNT(names); i++)
		ret = each(arg, &names[i]);
	/* The first word of each cache is its usual name. */
	for (i = 0; !ret && i < COUNT(caches); i++) {
		if (caches[i].value == seen)
			continue;
		seen = caches[i].value;
		ret = each_of_cache(&caches[i], each, arg);
	}
	return ret;
}

static int offer(void *arg, const struct rt_counter_name *counter)
{
	rt_nearest_offer(arg, counter->name);
	if (counter->alias)
		rt_nearest_offer(arg, counter->alias);
	return 0;
}

void rt_counter_offer(struct rt_nearest *near)
{
	rt_counter_each(offer, near);
}

int rt_counter_find(const char *name, struct perf_event_attr *attr)
{
	size_t i;

	for (i = 0; i < COUNT(names); i++) {
		if (strcmp(name, names[i].name) &&
		    (!names[i].alias || strcmp(name, names[i].alias)))
			continue;
		attr->type = names[i].type;
		attr->config = names[i].config;
		return 0;
	}
	if (!find_raw(name, attr))
		return 0;
	return find_cache(name, attr);
}

int rt_modifiers_parse(struct rt_scan *scan, struct perf_event_attr *attr)
{
	bool user = false, kernel = false, hypervisor = false, guest = false, host = false;
	unsigned int precise = 0;

	if (scan->at == scan->end)
		return rt_scan_fail(scan, scan->at, "a modifier is expected after ':'");
	for (; scan->at < scan->end; scan->at++) {
		switch (*scan->at) {
		case 'u':
			user = true;
			break;
		case 'k':
			kernel = true;
			break;
		case 'h':
			hypervisor = true;
			break;
		case 'G':
			guest = true;
			break;
		case 'H':
			host = true;
			break;
		case 'I':
			attr->exclude_idle = 1;
			break;
		case 'p':
			precise++;
			break;
		case 'P':
			precise = 3;
			break;
		case 'W': /* weak: each event of a group has its own counter anyway */
			break;
		case 'S':
			return rt_scan_fail(
				scan, scan->at,
				"perf has the modifier S; ringtail does not, because the kernel does not "
				"let a module read the other counters of a group where a sample is taken; leave out S, or use perf");
		case 'D':
			attr->pinned = 1;
			break;
		case 'e':
			attr->exclusive = 1;
			break;
		default:
			return rt_scan_fail(
				scan, scan->at,
				"'%c' is no modifier; u user, k kernel, h hypervisor, "
				"G guest, H host, I not idle, p precise (up to ppp), P as "
				"precise as can be, D pinned, e exclusive",
				*scan->at);
		}
	}
	if (precise > 3)
		return rt_scan_fail(scan, scan->at - 1, "there are at most three p");
	if (user || kernel || hypervisor) {
		attr->exclude_user = !user;
		attr->exclude_kernel = !kernel;
		attr->exclude_hv = !hypervisor;
	}
	if (guest || host) {
		attr->exclude_host = !host;
		attr->exclude_guest = !guest;
	}
	if (precise)
		attr->precise_ip = precise;
	return 0;
}
