// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>

#include "events/layout.h"
#include "events/probe.h"

/* Bytes behind __per_cpu_end for the variables of modules, PERCPU_MODULE_RESERVE or more. */
#define PER_CPU_MODULES (128U << 10)

#define FORM "mem:ADDRESS|[MODULE:]SYMBOL[+off][@CPU][/LENGTH][:rwx]"

static int no_symbol(struct rt_scan *scan, const char *at, const struct rt_event_spec *spec,
		     int ret, const struct rt_err *why)
{
	switch (ret) {
	case -ENOTUNIQ:
		return rt_scan_fail(scan, at, "there are several symbols '%s'; write %sthe address",
				    spec->symbol, spec->module ? "" : "MODULE:SYMBOL or ");
	case -EDOM:
		return rt_scan_fail(scan, at,
				    "'%s' is a per-CPU variable, and /proc/kallsyms does not list "
				    "it; write the address of one CPU's copy",
				    spec->symbol);
	case -EACCES:
		return rt_scan_fail(
			scan, at,
			"the kernel hides its addresses; see /proc/sys/kernel/kptr_restrict");
	default:
		if (why->text[0])
			return rt_scan_fail(scan, at,
					    "there is no symbol '%s' in /proc/kallsyms, and %s",
					    spec->symbol, why->text);
		return rt_scan_fail(scan, at, "there is no symbol '%s' here; write the address",
				    spec->symbol);
	}
}

/* What was probably meant by a symbol that is not there; 0: nothing comes to mind. */
static int meant_otherwise(struct rt_scan *scan, const struct rt_event_spec *spec,
			   const char *begin)
{
	size_t object = strcspn(spec->symbol, ".");

	if (spec->module && strlen(spec->symbol) <= 3)
		return rt_scan_fail(
			scan, begin + strlen(spec->module) + 1,
			"no module '%s' has a symbol '%s'; if it is the access: r, w, rw or x",
			spec->module, spec->symbol);
	if (!spec->module && spec->symbol[object])
		return rt_scan_fail(
			scan, begin + object,
			"there is no symbol '%s', and members are not looked up here: write "
			"mem:%.*s+OFFSET/LENGTH; 'pahole -C STRUCT' or gdb's 'ptype /o' tells the "
			"offset of a member",
			spec->symbol, (int)object, spec->symbol);
	return 0;
}

/* Whether a symbol follows `:`.  The access, which can also follow it, always comes last. */
static bool module_follows(const struct rt_scan *scan)
{
	const char *at = scan->at + 1;

	if (rt_scan_peek(scan) != ':')
		return false;
	return at + strspn(at, "rwx") != scan->end;
}

/*
 * Whether the address is that of a per-CPU variable, which is no memory: each CPU has a copy of the
 * variable elsewhere.  Such variables are linked at 0 (x86 before 6.15) or in the kernel's image, from
 * __per_cpu_start on.  Those of modules get numbers behind the kernel's own, where no module's memory is.
 */
static bool is_per_cpu(const struct rt_event_env *env, const struct rt_event_spec *spec)
{
	uint64_t from, to, end, ignored;

	if (!(spec->address >> 63))
		return true;
	if (!env->symbol ||
	    env->symbol(env->data, RT_KSYMS_KERNEL, "__per_cpu_start", &from, &end) ||
	    env->symbol(env->data, RT_KSYMS_KERNEL, "__per_cpu_end", &to, &end))
		return false;
	if (spec->address < from || spec->address >= to + PER_CPU_MODULES)
		return false;
	return spec->address < to ||
	       env->symbol(env->data, RT_KSYMS_KERNEL, spec->symbol, &ignored, &end) == -ENOENT;
}

static int find_symbol(struct rt_scan *scan, const struct rt_event_env *env,
		       struct rt_event_spec *spec, const char *begin)
{
	struct rt_err why = { .text = "" };
	uint64_t end;
	int ret = -ENOENT;

	if (env->symbol)
		ret = env->symbol(env->data, spec->module, spec->symbol, &spec->address, &end);
	if (ret == -ENOENT && env->variable)
		ret = env->variable(env->data, spec->module, spec->symbol, &spec->address, &why);
	if (ret == -ENOENT && meant_otherwise(scan, spec, begin))
		return -EINVAL;
	if (ret == -EDOM && spec->address)
		spec->copies = RT_WATCHPOINT_EACH_CPU;
	else if (ret)
		return no_symbol(scan, begin, spec, ret, &why);
	else if (is_per_cpu(env, spec))
		spec->copies = RT_WATCHPOINT_EACH_CPU;
	return 0;
}

/* The CPU whose copy of a per-CPU variable all CPUs watch. */
static int parse_copy(struct rt_scan *scan, struct rt_event_spec *spec)
{
	const char *begin = scan->at - 1;
	uint64_t cpu;

	if (rt_scan_number(scan, &cpu))
		return -EINVAL;
	if (!spec->copies)
		return rt_scan_fail(scan, begin, "only a per-CPU variable has a copy for each CPU");
	if (cpu > INT32_MAX)
		return rt_scan_fail(scan, begin, "there is no such CPU");
	spec->copies = RT_WATCHPOINT_ONE_CPU;
	spec->copy = cpu;
	return 0;
}

static int parse_address(struct rt_scan *scan, const struct rt_event_env *env,
			 struct rt_event_spec *spec)
{
	const char *begin = scan->at;
	size_t size = rt_scan_symbol(scan);

	if (!size) {
		if (rt_scan_peek(scan) == '/' || rt_scan_peek(scan) == '.')
			return rt_scan_fail(
				scan, begin,
				"a variable of a program is watched by its address: "
				"mem:0xADDRESS/LENGTH:rw -p PID; the address is that of 'nm PROGRAM', "
				"in a program that is loaded elsewhere on top of its first address in "
				"/proc/PID/maps");
		if (!isdigit((unsigned char)rt_scan_peek(scan)))
			return rt_scan_fail(scan, begin,
					    "an address or a symbol is expected: " FORM);
		if (rt_scan_number(scan, &spec->address))
			return -EINVAL;
	} else {
		spec->symbol = rt_scan_string(scan, size);
		if (spec->symbol && module_follows(scan)) {
			scan->at++;
			spec->module = spec->symbol;
			spec->symbol = rt_scan_string(scan, rt_scan_symbol(scan));
		}
		if (!spec->symbol)
			return rt_scan_no_memory(scan);
		if (find_symbol(scan, env, spec, begin))
			return -EINVAL;
	}
	if (rt_scan_take(scan, '+')) {
		if (rt_scan_number(scan, &spec->offset))
			return -EINVAL;
		spec->address += spec->offset;
	}
	return rt_scan_take(scan, '@') ? parse_copy(scan, spec) : 0;
}

static int parse_access(struct rt_scan *scan, struct rt_event_spec *spec)
{
	const char *begin = scan->at;

	for (;; scan->at++) {
		switch (rt_scan_peek(scan)) {
		case 'r':
			spec->access |= RT_ACCESS_READ;
			continue;
		case 'w':
			spec->access |= RT_ACCESS_WRITE;
			continue;
		case 'x':
			spec->access |= RT_ACCESS_EXECUTE;
			continue;
		}
		break;
	}
	if (scan->at == begin || rt_scan_until(scan, ""))
		return rt_scan_fail(scan, begin, "the access is r, w, rw or x");
	if ((spec->access & RT_ACCESS_EXECUTE) && spec->access != RT_ACCESS_EXECUTE)
		return rt_scan_fail(scan, begin, "x cannot be watched together with r or w");
	return 0;
}

static int parse_length(struct rt_scan *scan, const struct rt_event_env *env,
			struct rt_event_spec *spec)
{
	const char *begin = scan->at;
	uint64_t length;

	if (rt_scan_number(scan, &length))
		return -EINVAL;
	if (env->arch == RT_ARCH_ARM64) {
		if (!length || length > 8)
			return rt_scan_fail(scan, begin, "1 to 8 bytes can be watched");
		if (spec->address % 8 + length > 8)
			return rt_scan_fail(
				scan, begin,
				"the bytes must lie between two multiples of 8; use two watches");
		spec->length = length;
		return 0;
	}
	if (length != 1 && length != 2 && length != 4 && length != 8)
		return rt_scan_fail(scan, begin, "1, 2, 4 or 8 bytes can be watched");
	if (spec->address % length)
		return rt_scan_fail(scan, begin, "%u bytes can be watched only at a multiple of %u",
				    (unsigned int)length, (unsigned int)length);
	spec->length = length;
	return 0;
}

static void fill_attr(struct rt_event_spec *spec)
{
	struct perf_event_attr *attr = &spec->attr;

	attr->type = PERF_TYPE_BREAKPOINT;
	attr->bp_addr = spec->address;
	attr->bp_len = spec->length;
	attr->bp_type = (spec->access & RT_ACCESS_READ ? HW_BREAKPOINT_R : 0) |
			(spec->access & RT_ACCESS_WRITE ? HW_BREAKPOINT_W : 0) |
			(spec->access & RT_ACCESS_EXECUTE ? HW_BREAKPOINT_X : 0);
}

/* The largest length that the address is aligned to, at most 4, which perf also uses. */
static uint32_t default_length(const struct rt_event_spec *spec)
{
	uint32_t length = spec->access & RT_ACCESS_EXECUTE ? 8 : 4;

	while (!(spec->access & RT_ACCESS_EXECUTE) && spec->address % length)
		length /= 2;
	return length;
}

static int make_name(struct rt_event_spec *spec)
{
	int ret;
	char *c;

	if (spec->copies == RT_WATCHPOINT_ONE_CPU)
		ret = asprintf(&spec->name, "%s_cpu%u", spec->symbol, spec->copy);
	else if (spec->symbol)
		ret = asprintf(&spec->name, "%s", spec->symbol);
	else
		ret = asprintf(&spec->name, "mem_%llx", (unsigned long long)spec->address);
	if (ret < 0) {
		spec->name = NULL;
		return -ENOMEM;
	}
	for (c = spec->name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			*c = '_';
	spec->system = strdup("watch");
	return spec->system ? 0 : -ENOMEM;
}

/* The smallest integer size that holds LENGTH bytes. */
static uint8_t number_size(uint32_t length)
{
	return length > 4 ? 8 : length > 2 ? 4 : length;
}

int rt_watch_parse(struct rt_scan *scan, const struct rt_event_env *env, struct rt_event_spec *spec)
{
	/* The fields of an execution watch come first: an instruction has no old and new value. */
	struct rt_layout_given given[] = {
		{ "__probe_ip", RT_CONTEXT_IP, 8, true },
		{ "addr", RT_CONTEXT_ADDR, 8 },
		{ "len", 0, 1, .show = RT_SHOW_UNSIGNED, .constant = true },
		{ "rw", RT_CONTEXT_RW, 1, .show = RT_SHOW_ACCESS },
		{ "flags", RT_CONTEXT_FLAGS, 2, .show = RT_SHOW_WATCH },
		{ "old", RT_CONTEXT_OLD, 8 },
		{ "new", RT_CONTEXT_NEW, 8 },
	};
	enum { LEN = 2, FLAGS = 4, OLD = 5, NEW = 6 };
	const struct rt_layout_given flags = given[FLAGS];
	bool execute;

	if (parse_address(scan, env, spec))
		return -EINVAL;
	if (rt_scan_take(scan, '/') && parse_length(scan, env, spec))
		return -EINVAL;
	if (rt_scan_take(scan, ':') && parse_access(scan, spec))
		return -EINVAL;
	if (scan->at != scan->end)
		return rt_scan_fail(scan, scan->at, "'%s' is not understood; a watch is " FORM,
				    scan->at);
	if (!spec->access)
		spec->access = RT_ACCESS_READ | RT_ACCESS_WRITE;
	execute = spec->access & RT_ACCESS_EXECUTE;
	if (spec->access == RT_ACCESS_READ && env->arch == RT_ARCH_X86_64)
		return rt_scan_fail(scan, scan->end - 1,
				    "x86 cannot watch for reads alone; use rw");
	if (!spec->length)
		spec->length = default_length(spec);
	fill_attr(spec);
	if (make_name(spec))
		return rt_scan_no_memory(scan);
	given[LEN].value = spec->length;
	if (execute)
		return rt_layout_make(spec, given, OLD, NULL, 0, scan->err);
	given[OLD].size = given[NEW].size = number_size(spec->length);
	/* The flags say how reliable old and new are, so put them behind these. */
	given[FLAGS] = given[OLD];
	given[OLD] = given[NEW];
	given[NEW] = flags;
	return rt_layout_make(spec, given, NEW + 1, NULL, 0, scan->err);
}
