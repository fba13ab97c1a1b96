// SPDX-License-Identifier: GPL-2.0
/*
 * events_list.c - the argument of -e, except for the values of probes: names, lists, groups, globs,
 * terms, modifiers, PMUs, watches, and the error messages.
 */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "events/spec.h"
#include "record/modfile.h"
#include "tap.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int each_tracepoint(void *data, int (*each)(void *, const char *, const char *), void *arg)
{
	static const char *const all[][2] = {
		{ "sched", "sched_switch" },	   { "sched", "sched_wakeup" },
		{ "syscalls", "sys_enter_open" },  { "syscalls", "sys_enter_openat" },
		{ "syscalls", "sys_exit_openat" }, { "raw_syscalls", "sys_enter" },
		{ "block", "block_rq_issue" },
	};
	size_t i;
	int ret = 0;

	for (i = 0; i < COUNT(all) && !ret; i++)
		ret = each(arg, all[i][0], all[i][1]);
	return ret;
}

static int find_symbol(void *data, const char *module, const char *symbol, uint64_t *start,
		       uint64_t *end)
{
	static const struct {
		const char *module, *name;
		uint64_t start;
	} all[] = {
		{ "vmlinux", "jiffies", 0xffff800010004002 },
		/* Per-CPU variables, of the kernel and of modules, and what is where they would be. */
		{ "vmlinux", "__per_cpu_start", 0xffff800012000000 },
		{ "vmlinux", "__per_cpu_end", 0xffff800012010000 },
		{ "vmlinux", "per_cpu_first", 0xffff800012000000 },
		{ "vmlinux", "per_cpu_last", 0xffff80001200fff8 },
		{ "vmlinux", "behind", 0xffff800012010000 },
		{ "mod", "per_cpu_mod", 0xffff800012010040 },
		{ "mod", "plain_mod", 0xffff800009010040 },
		{ "vmlinux", "per_cpu_zero", 0x1b480 },
	};
	size_t i;

	for (i = 0; i < COUNT(all); i++) {
		if (strcmp(symbol, all[i].name) || (module && strcmp(module, all[i].module)))
			continue;
		*start = all[i].start;
		*end = *start + 8;
		return 0;
	}
	return -ENOENT;
}

/* Variables that only debug files have: `x` of the module `mod`, and `far`. */
static int find_variable(void *data, const char *module, const char *variable, uint64_t *address,
			 struct rt_err *why)
{
	*address = 0xffff800010008000;
	if (!strcmp(variable, "twice"))
		return -ENOTUNIQ;
	if (!strcmp(variable, "each")) {
		*address = module ? 0 : 0x2040;
		return -EDOM;
	}
	if (module ? !strcmp(module, "mod") && !strcmp(variable, "x") : !strcmp(variable, "far"))
		return 0;
	return rt_err_set(why, ENOENT, "a file is missing");
}

static char *find_probe(void *data, const char *group, const char *name, size_t nth)
{
	if (strcmp(group, "probe"))
		return NULL;
	if (!strcmp(name, "mine") && !nth)
		return strdup("kprobe:vfs_open file=%x0");
	if (!strcmp(name, "both") && nth < 2)
		return strdup(nth ? "kprobe:vfs_read" : "kprobe:vfs_open");
	return NULL;
}

static int each_function(void *data, int (*each)(void *arg, const char *module, const char *name),
			 void *arg)
{
	static const char *const all[][2] = {
		{ "vmlinux", "tcp_recvmsg" },
		{ "vmlinux", "tcp_sendmsg" },
		{ "vmlinux", "udp_sendmsg" },
		{ "ext4", "ext4_sync" },
	};
	size_t i;
	int ret = 0;

	for (i = 0; i < COUNT(all) && !ret; i++)
		ret = each(arg, all[i][0], all[i][1]);
	return ret;
}

static char sysfs[] = "/tmp/rt-events-XXXXXX";

static struct rt_event_env env = {
	.arch = RT_ARCH_ARM64,
	.tracepoints = each_tracepoint,
	.functions = each_function,
	.symbol = find_symbol,
	.variable = find_variable,
	.module_file = rt_modfile_name,
	.probe = find_probe,
	.sysfs = sysfs,
};

/* As in a module that was built for 4.9 or an older kernel: no name in .modinfo, but one in struct module. */
struct old_module {
	char state_and_list[24], name[56];
};
static const struct old_module this_module
	__attribute__((section(".gnu.linkonce.this_module"), used)) = { .name = "of_before" };

static struct rt_event_list list;
static struct rt_err err;

static bool parse(const char *text)
{
	rt_event_list_free(&list);
	err.text[0] = 0;
	if (!rt_event_parse(&list, text, &env, &err))
		return true;
	printf("# %s\n", err.text);
	return false;
}

/* system:name of every event, with blanks between. */
static const char *names(const char *text)
{
	static char all[512];
	size_t i, used = 0;

	all[0] = 0;
	if (!parse(text))
		return "(error)";
	for (i = 0; i < list.count; i++)
		used += snprintf(all + used, sizeof(all) - used, "%s%s%s%s", i ? " " : "",
				 list.specs[i].system ? list.specs[i].system : "",
				 list.specs[i].system ? ":" : "", list.specs[i].name);
	return all;
}

static void counters(void)
{
	static const struct {
		const char *text;
		uint32_t type;
		uint64_t config;
	} cases[] = {
		{ "cycles", PERF_TYPE_HARDWARE, 0 },
		{ "cpu-cycles", PERF_TYPE_HARDWARE, 0 },
		{ "instructions", PERF_TYPE_HARDWARE, 1 },
		{ "cache-references", PERF_TYPE_HARDWARE, 2 },
		{ "cache-misses", PERF_TYPE_HARDWARE, 3 },
		{ "branches", PERF_TYPE_HARDWARE, 4 },
		{ "branch-misses", PERF_TYPE_HARDWARE, 5 },
		{ "bus-cycles", PERF_TYPE_HARDWARE, 6 },
		{ "idle-cycles-frontend", PERF_TYPE_HARDWARE, 7 },
		{ "stalled-cycles-backend", PERF_TYPE_HARDWARE, 8 },
		{ "ref-cycles", PERF_TYPE_HARDWARE, 9 },
		{ "cpu-clock", PERF_TYPE_SOFTWARE, 0 },
		{ "task-clock", PERF_TYPE_SOFTWARE, 1 },
		{ "faults", PERF_TYPE_SOFTWARE, 2 },
		{ "page-faults", PERF_TYPE_SOFTWARE, 2 },
		{ "cs", PERF_TYPE_SOFTWARE, 3 },
		{ "context-switches", PERF_TYPE_SOFTWARE, 3 },
		{ "migrations", PERF_TYPE_SOFTWARE, 4 },
		{ "minor-faults", PERF_TYPE_SOFTWARE, 5 },
		{ "major-faults", PERF_TYPE_SOFTWARE, 6 },
		{ "alignment-faults", PERF_TYPE_SOFTWARE, 7 },
		{ "emulation-faults", PERF_TYPE_SOFTWARE, 8 },
		{ "dummy", PERF_TYPE_SOFTWARE, 9 },
		{ "bpf-output", PERF_TYPE_SOFTWARE, 10 },
		{ "cgroup-switches", PERF_TYPE_SOFTWARE, 11 },
		{ "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000 },
		{ "L1-dcache-loads", PERF_TYPE_HW_CACHE, 0x00000 },
		{ "L1-dcache-stores", PERF_TYPE_HW_CACHE, 0x00100 },
		{ "l1d-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10200 },
		{ "L1-icache-load-misses", PERF_TYPE_HW_CACHE, 0x10001 },
		{ "LLC-loads", PERF_TYPE_HW_CACHE, 0x00002 },
		{ "LLC-store-misses", PERF_TYPE_HW_CACHE, 0x10102 },
		{ "dTLB-load-misses", PERF_TYPE_HW_CACHE, 0x10003 },
		{ "iTLB-loads", PERF_TYPE_HW_CACHE, 0x00004 },
		{ "branch-load-misses", PERF_TYPE_HW_CACHE, 0x10005 },
		{ "node-loads", PERF_TYPE_HW_CACHE, 0x00006 },
		{ "r003c", PERF_TYPE_RAW, 0x3c },
		{ "rffffffffffffffff", PERF_TYPE_RAW, ~0ULL },
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++)
		ok(parse(cases[i].text) && list.count == 1 &&
			   list.specs[0].kind == RT_SPEC_COUNTER &&
			   list.specs[0].attr.type == cases[i].type &&
			   list.specs[0].attr.config == cases[i].config &&
			   !strcmp(list.specs[0].name, cases[i].text),
		   "%s", cases[i].text);
}

#define ATTR (list.specs[0].attr)

static void modifiers(void)
{
	ok(parse("cycles:k") && ATTR.exclude_user && !ATTR.exclude_kernel && ATTR.exclude_hv,
	   "cycles:k");
	ok(parse("cycles:u") && !ATTR.exclude_user && ATTR.exclude_kernel, "cycles:u");
	ok(parse("cycles:uk") && !ATTR.exclude_user && !ATTR.exclude_kernel && ATTR.exclude_hv,
	   "cycles:uk");
	ok(parse("cycles:pp") && ATTR.precise_ip == 2 && !ATTR.exclude_user, "cycles:pp");
	ok(parse("cycles:Pu") && ATTR.precise_ip == 3 && ATTR.exclude_kernel, "cycles:Pu");
	ok(parse("cycles:G") && ATTR.exclude_host && !ATTR.exclude_guest, "cycles:G");
	ok(parse("cycles:HD") && ATTR.exclude_guest && ATTR.pinned, "cycles:HD");
	ok(parse("r3c:kI") && ATTR.exclude_idle && ATTR.config == 0x3c, "r3c:kI");
	ok(parse("cycles/period=1000,name=x/u") == false, "modifiers need their colon");
	ok(parse("cycles/period=1000,name=x/:u") && ATTR.sample_period == 1000 && !ATTR.freq &&
		   !strcmp(list.specs[0].alias, "x") && ATTR.exclude_kernel,
	   "terms, then modifiers");
	ok(parse("cpu-clock/freq=99,max-stack=5/") && ATTR.sample_freq == 99 && ATTR.freq &&
		   ATTR.sample_max_stack == 5,
	   "freq and max-stack");
	ok(parse("sched:sched_switch/max-stack=7,name=sw/") && ATTR.sample_max_stack == 7 &&
		   ATTR.type == PERF_TYPE_TRACEPOINT && !strcmp(list.specs[0].alias, "sw") &&
		   !strcmp(list.specs[0].name, "sched_switch"),
	   "terms of a tracepoint");
	ok(parse("cpu-clock/stack-size=510/") && list.specs[0].graph == RT_GRAPH_DWARF &&
		   list.specs[0].stack_bytes == 512,
	   "stack-size");
	ok(parse("sched:sched_switch/call-graph=no/") && list.specs[0].graph == RT_GRAPH_NONE,
	   "call-graph");
	ok(!parse("cycles/perod=1/") && !strcmp(err.where, "  cycles/perod=1/\n         ^"),
	   "a caret is below the wrong character");
	ok(!parse("cycles/name=é,x=1/") &&
		   !strcmp(err.where, "  cycles/name=é,x=1/\n                ^"),
	   "and counts characters, not bytes");
}

static void lists(void)
{
	is_str(names("cycles,instructions"), "cycles instructions", "two events");
	is_str(names(" cycles , sched:sched_switch "), "cycles sched:sched_switch", "with blanks");
	is_str(names("sched:*"), "sched:sched_switch sched:sched_wakeup", "a glob");
	is_str(names("syscalls:sys_enter_*"), "syscalls:sys_enter_open syscalls:sys_enter_openat",
	       "a glob with a prefix");
	is_str(names("sys_enter_*"), "syscalls:sys_enter_open syscalls:sys_enter_openat",
	       "a glob without a system");
	is_str(names("*:sys_e*_openat"), "syscalls:sys_enter_openat syscalls:sys_exit_openat",
	       "a glob in the system");
	is_str(names("raw_syscalls:sys_enter"), "raw_syscalls:sys_enter", "a tracepoint by name");
	is_str(names("cpu-clock/period=5,name=a/,cycles"), "cpu-clock/period=5,name=a/ cycles",
	       "commas between slashes are not ours");
	is_str(names("mem:0x1000/8:rw,cycles"), "watch:mem_1000 cycles",
	       "the slash of a watch encloses nothing");
	is_str(names("kprobe:f a=%x0,kprobe:g,kprobe:f b=%x1,kprobe:f,kretprobe:f"),
	       "probe:f probe:g probe:f_1 probe:f_2 probe:f__return", "probes get names apart");
	is_str(names("kprobe:x=f,kprobe:f,kprobe:f%return"), "probe:x probe:f probe:f__return",
	       "a name of one's own, and a return");
	is_str(names("kprobe:tcp_* sk=%x0"), "probe:tcp_recvmsg probe:tcp_sendmsg",
	       "a glob of functions");
	ok(list.specs[1].globbed && !strcmp(list.specs[1].text, "kprobe:tcp_* sk=%x0") &&
		   list.specs[1].fields.count == 2,
	   "each with what was typed, and its values");
	is_str(names("kretprobe:*:*_s[ey]*"),
	       "probe:tcp_sendmsg__return probe:udp_sendmsg__return probe:ext4_sync__return",
	       "returns, of any module");
	is_str(names("kprobe:ext4:e*%return"), "probe:ext4_sync__return", "of one module");
	is_str(names("kprobe:0xffff800010001234"), "probe:abs_ffff800010001234", "by address");
	is_str(names("kprobe:foo.isra.0+0x1c"), "probe:foo_isra_0", "dots are no part of a name");

	ok(parse("cycles,{cpu-clock,sched:sched_switch}:u,{faults,cs}") && list.count == 5 &&
		   list.specs[0].group == 0 && list.specs[1].group == 1 &&
		   list.specs[2].group == 1 && list.specs[3].group == 2 &&
		   list.specs[4].group == 2 && list.groups == 2,
	   "groups");
	ok(list.specs[1].attr.exclude_kernel && list.specs[2].attr.exclude_kernel &&
		   !list.specs[0].attr.exclude_kernel && !list.specs[3].attr.exclude_kernel,
	   "modifiers of a group");

	ok(parse("probe:mine") && list.count == 1 && list.specs[0].kind == RT_SPEC_KPROBE &&
		   !strcmp(list.specs[0].name, "mine") &&
		   !strcmp(list.specs[0].symbol, "vfs_open") && list.specs[0].fields.count == 2,
	   "a probe that was defined before");
	ok(parse("probe:both") && list.count == 2 && !strcmp(list.specs[0].name, "both") &&
		   !strcmp(list.specs[0].symbol, "vfs_open") &&
		   !strcmp(list.specs[1].name, "both_1") &&
		   !strcmp(list.specs[1].symbol, "vfs_read"),
	   "a probe that was defined with two places");
	ok(parse("kprobe:ext4:ext4_sync_file+0x10") && !strcmp(list.specs[0].module, "ext4") &&
		   !strcmp(list.specs[0].symbol, "ext4_sync_file") && list.specs[0].offset == 16,
	   "module, symbol and offset");
	{
		char file[] = "/tmp/snd-XXXXXX.ko.xz", text[64];

		close(mkstemps(file, 6));
		snprintf(text, sizeof(text), "kprobe:%s:open+4 a=%%x0", file);
		ok(parse(text) && !strncmp(list.specs[0].module, "snd_", 4) &&
			   strlen(list.specs[0].module) == 10 &&
			   !strcmp(list.specs[0].symbol, "open") && list.specs[0].offset == 4,
		   "a module by its file");
		unlink(file);
		ok(!parse(text) && strstr(err.text, "No such file"), "that is not there: %s",
		   err.text);
		ok(parse("kprobe:/proc/self/exe:open") &&
			   !strcmp(list.specs[0].module, this_module.name),
		   "one whose name only struct module tells");
	}

	ok(parse("later:xfs:xfs_*") && list.count == 1 && list.specs[0].later &&
		   !strcmp(list.specs[0].system, "xfs") && !strcmp(list.specs[0].name, "xfs_*"),
	   "tracepoints of modules that load later");
	ok(parse("cycles") && rt_event_parse(&list, "faults,nonsense", &env, &err) == -EINVAL &&
		   list.count == 1,
	   "an error leaves the list as it was");
	ok(!rt_event_parse(&list, "faults", &env, &err) && list.count == 2, "a second -e appends");
}

static void watches(void)
{
	static const struct {
		const char *text, *name;
		uint64_t address;
		uint32_t copies, cpu;
	} copies[] = {
		{ "mem:per_cpu_first/8:w", "per_cpu_first", 0xffff800012000000,
		  RT_WATCHPOINT_EACH_CPU },
		{ "mem:per_cpu_last/8:w", "per_cpu_last", 0xffff80001200fff8,
		  RT_WATCHPOINT_EACH_CPU },
		{ "mem:per_cpu_last@3/8:w", "per_cpu_last_cpu3", 0xffff80001200fff8,
		  RT_WATCHPOINT_ONE_CPU, 3 },
		{ "mem:per_cpu_first+16@0:w", "per_cpu_first_cpu0", 0xffff800012000010,
		  RT_WATCHPOINT_ONE_CPU },
		{ "mem:behind/8:w", "behind", 0xffff800012010000 },
		{ "mem:per_cpu_mod/8:w", "per_cpu_mod", 0xffff800012010040,
		  RT_WATCHPOINT_EACH_CPU },
		{ "mem:mod:per_cpu_mod/8:w", "per_cpu_mod", 0xffff800012010040,
		  RT_WATCHPOINT_EACH_CPU },
		{ "mem:mod:plain_mod/8:w", "plain_mod", 0xffff800009010040 },
		{ "mem:per_cpu_zero/8:w", "per_cpu_zero", 0x1b480, RT_WATCHPOINT_EACH_CPU },
		{ "mem:each/8:w", "each", 0x2040, RT_WATCHPOINT_EACH_CPU },
		{ "mem:each@1/8:w", "each_cpu1", 0x2040, RT_WATCHPOINT_ONE_CPU, 1 },
	};
	size_t i;

	ok(parse("mem:0xffff000000001000/8:w") && list.specs[0].kind == RT_SPEC_WATCH &&
		   list.specs[0].length == 8 && list.specs[0].access == RT_ACCESS_WRITE &&
		   ATTR.type == PERF_TYPE_BREAKPOINT && ATTR.bp_addr == 0xffff000000001000 &&
		   ATTR.bp_len == 8 && ATTR.bp_type == HW_BREAKPOINT_W,
	   "address, length and access");
	ok(parse("mem:0x1000") && list.specs[0].length == 4 &&
		   list.specs[0].access == (RT_ACCESS_READ | RT_ACCESS_WRITE),
	   "without length and access: 4 bytes, read or written");
	ok(parse("mem:jiffies") && list.specs[0].address == 0xffff800010004002 &&
		   list.specs[0].length == 2 && !strcmp(list.specs[0].name, "jiffies"),
	   "a symbol, and as many bytes as its address allows");
	ok(parse("mem:jiffies+6/8:rw") && list.specs[0].address == 0xffff800010004008 &&
		   list.specs[0].length == 8,
	   "a symbol with offset");
	ok(parse("mem:far/8:w") && list.specs[0].address == 0xffff800010008000,
	   "a variable that no table lists");
	ok(parse("mem:mod:x+8/8:w") && list.specs[0].address == 0xffff800010008008 &&
		   !strcmp(list.specs[0].module, "mod") && !strcmp(list.specs[0].name, "x") &&
		   list.specs[0].access == RT_ACCESS_WRITE,
	   "one of a module, with all that may follow");
	ok(parse("mem:mod:x:w") && list.specs[0].address == 0xffff800010008000 &&
		   list.specs[0].access == RT_ACCESS_WRITE,
	   "one called like an access");
	for (i = 0; i < COUNT(copies); i++) {
		ok(parse(copies[i].text), "%s is understood", copies[i].text);
		is_int(list.specs[0].copies, copies[i].copies, "%s: which copies", copies[i].text);
		is_int(list.specs[0].copy, copies[i].cpu, "%s: of which CPU", copies[i].text);
		ok(list.specs[0].address == copies[i].address, "%s: its address", copies[i].text);
		is_str(list.specs[0].name, copies[i].name, "%s: its name", copies[i].text);
		is_int(list.note_count, copies[i].copies == RT_WATCHPOINT_EACH_CPU,
		       "%s: what it does not see is said", copies[i].text);
	}
	ok(parse("mem:far:x") && list.specs[0].access == RT_ACCESS_EXECUTE,
	   "the access is what stands last");
	ok(parse("mem:0x1003:x") && list.specs[0].access == RT_ACCESS_EXECUTE &&
		   list.specs[0].fields.count == 5,
	   "execution has no values");
}

/* --- PMUs of a sysfs of our own ---------------------------------------------------- */

static void put(const char *name, const char *text)
{
	char path[256], *slash;
	FILE *f;

	snprintf(path, sizeof(path), "%s/bus/event_source/devices/%s", sysfs, name);
	for (slash = path + strlen(sysfs) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = 0;
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "w");
	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

static void pmus(void)
{
	put("cpu/type", "4\n");
	put("cpu/format/event", "config:0-7,32-35\n");
	put("cpu/format/umask", "config:8-15\n");
	put("cpu/format/edge", "config:18\n");
	put("cpu/format/ldlat", "config1:0-15\n");
	put("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	put("cpu/events/odd", "event=?\n");
	ok(parse("cpu/event=0x0e,umask=0x01/") && ATTR.type == 4 && ATTR.config == 0x10e,
	   "terms of a PMU");
	ok(parse("cpu/event=0x90e,edge/:k") && ATTR.config == (0x90000000eULL | 1 << 18) &&
		   ATTR.exclude_user,
	   "scattered bits, and a term without value");
	ok(parse("cpu/mem-loads,period=7,name=loads/") && ATTR.config == 0x1cd &&
		   ATTR.config1 == 3 && ATTR.sample_period == 7,
	   "an event of a PMU by name");
	ok(parse("cpu/config=0x1234,config2=9/") && ATTR.config == 0x1234 && ATTR.config2 == 9,
	   "raw configuration");
}

#define GENERAL                                                                                      \
	"period=N, freq=N, name=TEXT, max-stack=N, call-graph=no|fp|dwarf, stack-size=N, config=N, " \
	"config1=N, config2=N"

static void errors(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "", "'', column 1: an event is missing here" },
		{ "cycles,", "'cycles,', column 8: an event is missing here" },
		{ "{cycles,}", "'{cycles,}', column 9: an event is missing here" },
		{ "cyclops",
		  "'cyclops', column 1: there is no event 'cyclops'; 'ringtail list' names "
		  "them, a tracepoint is system:name, a probe kprobe:function; did "
		  "you mean 'cycles'?" },
		{ "sched_switch",
		  "'sched_switch', column 1: there is no event 'sched_switch'; 'ringtail "
		  "list' names them, a tracepoint is system:name, a probe "
		  "kprobe:function; did you mean 'sched:sched_switch'?" },
		{ "kprob:vfs_open",
		  "'kprob:vfs_open', column 1: there is no tracepoint "
		  "kprob:vfs_open here; 'ringtail list' names them, those of a module "
		  "while it is loaded; did you mean 'kprobe:'?" },
		{ "cycles:x",
		  "'cycles:x', column 8: 'x' is no modifier; u user, k kernel, h "
		  "hypervisor, G guest, H host, I not idle, p precise (up to ppp), P as "
		  "precise as can be, D pinned, e exclusive" },
		{ "later:xfs",
		  "'later:xfs', column 1: tracepoints of modules that load later are "
		  "later:SYSTEM:NAME, without terms and modifiers; * and ? match anything" },
		{ "later::x:u",
		  "'later::x:u', column 1: tracepoints of modules that load later are "
		  "later:SYSTEM:NAME, without terms and modifiers; * and ? match anything" },
		{ "cycles:", "'cycles:', column 8: a modifier is expected after ':'" },
		{ "iTLB-stores",
		  "'iTLB-stores', column 1: there is no event 'iTLB-stores'; 'ringtail "
		  "list' names them, a tracepoint is system:name, a probe "
		  "kprobe:function; did you mean 'dTLB-stores'?" },
		{ "cycles/perod=1/", "'cycles/perod=1/', column 8: 'perod' is no term; this event "
				     "takes " GENERAL "; did you mean 'period'?" },
		{ "cycles/percore/", "'cycles/percore/', column 8: perf has the term 'percore'; "
				     "ringtail does not, because it samples counters and does not "
				     "add them up" },
		{ "cycles/call-graph=lbr/",
		  "'cycles/call-graph=lbr/', column 19: call-graph= takes no, fp or dwarf" },
		{ "cycles/stack-size=0/",
		  "'cycles/stack-size=0/', column 8: stack-size is 1 to 49152 bytes" },
		{ "faults,{cycles,instructions}:uS",
		  "'faults,{cycles,instructions}:uS', column 31: perf has the modifier S; ringtail "
		  "does not, because the kernel does not let a module read the other counters of a "
		  "group where a sample is taken; leave out S, or use perf" },
		{ "cpu/evnt=1/",
		  "'cpu/evnt=1/', column 5: 'evnt' is neither a term nor an event of PMU 'cpu' "
		  "(see bus/event_source/devices/cpu in sysfs); every event takes " GENERAL
		  "; did you mean 'event'?" },
		{ "cycles/period/",
		  "'cycles/period/', column 8: 'period' needs a value: period=N" },
		{ "cycles/period=0/", "'cycles/period=0/', column 8: a period is at least 1" },
		{ "cycles/period=1", "'cycles/period=1', column 16: ',' or the closing '/' is "
				     "expected here" },
		{ "cpu/event=0x1000/", "'cpu/event=0x1000/', column 5: the value of 'event' is too "
				       "large" },
		{ "cpu/event=1,foo=2/",
		  "'cpu/event=1,foo=2/', column 13: 'foo' is neither a term nor an event of PMU 'cpu' "
		  "(see bus/event_source/devices/cpu in sysfs); every event takes " GENERAL },
		{ "cpu/odd/", "'cpu/odd/', column 5: the kernel describes this event as 'event=?', "
			      "which is not understood" },
		{ "gpu/event=1/",
		  "'gpu/event=1/', column 1: 'gpu' is neither an event nor a PMU of "
		  "this machine" },
		{ "sched:sched_swtich",
		  "'sched:sched_swtich', column 1: there is no tracepoint "
		  "sched:sched_swtich here; 'ringtail list' names them, those of "
		  "a module while it is loaded; did you mean 'sched:sched_switch'?" },
		{ "{cycles,faults",
		  "'{cycles,faults', column 1: the closing '}' of this group is missing" },
		{ "{cycles}faults", "',' is expected where 'faults' begins" },
		{ "mem:", "'mem:', column 5: an address or a symbol is expected: "
			  "mem:ADDRESS|[MODULE:]SYMBOL[+off][@CPU][/LENGTH][:rwx]" },
		{ "mem:nowhere",
		  "'mem:nowhere', column 5: there is no symbol 'nowhere' in /proc/kallsyms, and "
		  "a file is missing" },
		{ "mem:twice", "'mem:twice', column 5: there are several symbols 'twice'; write "
			       "MODULE:SYMBOL or the address" },
		{ "mem:mod:each:w", "'mem:mod:each:w', column 5: 'each' is a per-CPU variable, and "
				    "/proc/kallsyms does not list it; write the address of one "
				    "CPU's copy" },
		{ "mem:jiffies@1", "'mem:jiffies@1', column 12: only a per-CPU variable has a copy "
				   "for each CPU" },
		{ "mem:per_cpu_first@x", "'mem:per_cpu_first@x', column 19: a number is expected "
					 "here, decimal or 0x…" },
		{ "mem:0x1000/9", "'mem:0x1000/9', column 12: 1 to 8 bytes can be watched" },
		{ "mem:0x1004/8", "'mem:0x1004/8', column 12: the bytes must lie between two "
				  "multiples of 8; use two watches" },
		{ "mem:0x1000:rwx",
		  "'mem:0x1000:rwx', column 12: x cannot be watched together with r "
		  "or w" },
		{ "mem:0x1000:q", "'mem:0x1000:q', column 12: the access is r, w, rw or x" },
		{ "kprobe:", "'kprobe:', column 8: a function is expected here: SYMBOL[+off], "
			     "MODULE:SYMBOL[+off], FILE.c:SYMBOL[+off] or 0xADDRESS" },
		{ "kprobe:f+x",
		  "'kprobe:f+x', column 10: a number is expected here, decimal or 0x…" },
		{ "kprobe:zzz*", "'kprobe:zzz*', column 1: no function that can be traced matches "
				 "'zzz*' (see available_filter_functions in tracefs)" },
		{ "kprobe:x=tcp_*", "'kprobe:x=tcp_*', column 8: a glob stands for the entries of "
				    "many functions: it has neither a name nor an offset" },
		{ "kprobe:f-1",
		  "'kprobe:f-1', column 9: '-1' is not understood; after the function "
		  "come +off, then values after a blank" },
		{ "kretprobe:f+4",
		  "'kretprobe:f+4', column 1: a function returns as a whole: leave "
		  "+0x4 out" },
		{ "uprobe:/bin/sh:main",
		  "'uprobe:/bin/sh:main', column 1: files are not looked into here" },
		{ "uprobe:/bin/sh",
		  "'uprobe:/bin/sh', column 8: a user probe is "
		  "PATH:FUNCTION[+off] or PATH:0xOFFSET, the offset in the file" },
		{ "uretprobe:/bin/sh:f+1",
		  "'uretprobe:/bin/sh:f+1', column 1: a function returns as a whole: leave "
		  "+0x1 out" },
		{ "uprobe:/bin/sh:0x10(0x20",
		  "'uprobe:/bin/sh:0x10(0x20', column 25: ')' is missing after the semaphore's "
		  "offset" },
		{ "kprobe:f a=%dx",
		  "'kprobe:f a=%dx', column 12: there is no register '%dx' on "
		  "arm64; there are %x0 to %x30, %w0 to %w30, %sp, %pc, %lr, %fp, "
		  "%pstate" },
		{ "kprobe:f a=$retval",
		  "'kprobe:f a=$retval', column 12: $retval exists only when a "
		  "function returns; use kretprobe:" },
		{ "uretprobe:/bin/sh:0x10 a=$arg1",
		  "'uretprobe:/bin/sh:0x10 a=$arg1', column 26: arguments are gone when a function "
		  "of a program returns; use uprobe:" },
		{ "kretprobe:f a=$arg9", "'kretprobe:f a=$arg9', column 15: only $arg1 to $arg8 "
					 "travel in registers on arm64" },
		{ "kprobe:f $arg9", "'kprobe:f $arg9', column 10: only $arg1 to $arg8 travel in "
				    "registers on arm64" },
		{ "kprobe:f a=size",
		  "'kprobe:f a=size', column 12: names of variables are values of probe:, not of "
		  "kprobe: and uprobe:; here a value is %register, $retval, $argN, $stack, $stackN, "
		  "$comm, $cpu, @symbol+off, +off(VALUE) or \\N" },
		{ "kprobe:f a=+8%x0",
		  "'kprobe:f a=+8%x0', column 14: '(' is missing: a dereference "
		  "is +off(VALUE)" },
		{ "kprobe:f a=+8(%x0",
		  "'kprobe:f a=+8(%x0', column 18: ')' is missing: a dereference "
		  "is +off(VALUE)" },
		{ "kprobe:f a=@nowhere", "'kprobe:f a=@nowhere', column 12: there is no symbol "
					 "'nowhere' here" },
		{ "kprobe:f a=%x0:u7",
		  "'kprobe:f a=%x0:u7', column 16: 'u7' is no type; types are u8 to u64, s8 to s64, "
		  "x8 to x64, f32, f64, be16 to be64, char, symbol, string, ustring, string/SIZE, "
		  "bWIDTH@OFFSET/SIZE, or an array such as u32[4]" },
		{ "kprobe:f a=%x0:string",
		  "'kprobe:f a=%x0:string', column 16: a string or an array "
		  "is in memory: if the value is its address, write "
		  "+0(VALUE)" },
		{ "kprobe:f a=+0(%x0):u64[65]", "'kprobe:f a=+0(%x0):u64[65]', column 20: an array "
						"has 1 to 64 elements of this type" },
		{ "kprobe:f a=+0(%x0):string[2]", "'kprobe:f a=+0(%x0):string[2]', column 20: an "
						  "array of strings cannot be recorded" },
		{ "kprobe:f a=%x0:b9@0/8",
		  "'kprobe:f a=%x0:b9@0/8', column 16: these bits do not fit "
		  "into 8" },
		{ "kprobe:f a=%x0:b1@0/7", "'kprobe:f a=%x0:b1@0/7', column 16: the size of a "
					   "bitfield's container is 8, 16, 32 or 64 bits" },
		{ "kprobe:f a=$comm:u8", "'kprobe:f a=$comm:u8', column 18: $comm is a string" },
		{ "kprobe:f a=+0($comm)",
		  "'kprobe:f a=+0($comm)', column 12: $comm is no address" },
		{ "kprobe:f a=%x0 a=%x1", "'kprobe:f a=%x0 a=%x1', column 16: there are two values "
					  "called 'a'" },
		{ "kprobe:f 1a=%x0",
		  "'kprobe:f 1a=%x0', column 10: '1a' cannot be a name: letters, "
		  "digits and _ are allowed, a letter first" },
		{ "kprobe:f __probe_ip=%x0", "'kprobe:f __probe_ip=%x0', column 10: names with "
					     "__probe_ and common_ are taken" },
		{ "kprobe:f a=%x0)",
		  "'kprobe:f a=%x0)', column 15: ')' is too much; an argument is "
		  "[name=]VALUE[:type]" },
		{ "kprobe:f a=+0x100000000(%x0)", "'kprobe:f a=+0x100000000(%x0)', column 13: an "
						  "offset is at most 0x7fffffff" },
	};
	char text[4096];
	size_t i, used;

	for (i = 0; i < COUNT(cases); i++) {
		rt_event_list_free(&list);
		err.text[0] = 0;
		rt_event_parse(&list, cases[i].text, &env, &err);
		is_str(err.text, cases[i].want, "%s", cases[i].text);
	}

	used = sprintf(text, "kprobe:f a=");
	for (i = 0; i < 17; i++)
		used += sprintf(text + used, "+0(");
	ok(!parse(text) && strstr(err.text, "at most 16 dereferences"), "too deep");
	used = sprintf(text, "kprobe:f");
	for (i = 0; i < 129; i++)
		used += sprintf(text + used, " a%zu=%%x0", i);
	ok(!parse(text) && strstr(err.text, "at most 128 values"), "too many values");
	used = sprintf(text, "kprobe:f");
	for (i = 0; i < 65; i++)
		used += sprintf(text + used, " a%zu=+0(%%x0):u8", i);
	ok(!parse(text) && strstr(err.text, "reads memory for more than 64 values"),
	   "too many that can fault");
	used = sprintf(text, "kprobe:f");
	for (i = 0; i < 5; i++)
		used += sprintf(text + used, " a%zu=+0(%%x0):u64[64]", i);
	ok(!parse(text) && strstr(err.text, "more than the 2048 of a record"), "too many bytes");
	used = sprintf(text, "kprobe:f");
	for (i = 0; i < 60; i++)
		used += sprintf(text + used, " a%zu=+0(%%x0):string", i);
	ok(parse(text), "many strings share the record");
	env.tracepoints = NULL;
	ok(!parse("sched:*") && strstr(err.text, "write whole names"),
	   "no glob without a list of tracepoints");
	is_str(names("sched:anything"), "sched:anything", "but whole names are believed");
	env.tracepoints = each_tracepoint;
}

/* x86 and its names; the tables are complete if every slot is found by its name. */
static void registers(void)
{
	static const struct {
		enum rt_arch arch;
		const char *name;
		unsigned int slot, bits;
	} cases[] = {
		{ RT_ARCH_ARM64, "x0", 0, 64 },	   { RT_ARCH_ARM64, "w2", 2, 32 },
		{ RT_ARCH_ARM64, "x30", 30, 64 },  { RT_ARCH_ARM64, "w30", 30, 32 },
		{ RT_ARCH_ARM64, "lr", 30, 64 },   { RT_ARCH_ARM64, "fp", 29, 64 },
		{ RT_ARCH_ARM64, "sp", 31, 64 },   { RT_ARCH_ARM64, "pc", 32, 64 },
		{ RT_ARCH_ARM64, "ip", 32, 64 },   { RT_ARCH_ARM64, "flags", 33, 64 },
		{ RT_ARCH_X86_64, "dx", 12, 64 },  { RT_ARCH_X86_64, "rdx", 12, 64 },
		{ RT_ARCH_X86_64, "edx", 12, 32 }, { RT_ARCH_X86_64, "r8", 9, 64 },
		{ RT_ARCH_X86_64, "r8d", 9, 32 },  { RT_ARCH_X86_64, "r15", 0, 64 },
		{ RT_ARCH_X86_64, "ip", 16, 64 },  { RT_ARCH_X86_64, "pc", 16, 64 },
		{ RT_ARCH_X86_64, "cs", 17, 64 },  { RT_ARCH_X86_64, "rflags", 18, 64 },
		{ RT_ARCH_X86_64, "rsp", 19, 64 }, { RT_ARCH_X86_64, "ss", 20, 64 },
	};
	static const char *const wrong[] = { "x31", "w31", "w", "rax", "", "x", "x01", "wsp2" };
	struct rt_register_slot reg;
	unsigned int i, good;
	int arch;

	for (i = 0; i < COUNT(cases); i++)
		ok(!rt_register_find(cases[i].arch, cases[i].name, &reg) &&
			   reg.slot == cases[i].slot && reg.bits == cases[i].bits,
		   "%%%s of %s", cases[i].name, rt_arch_name(cases[i].arch));
	for (i = 0; i < COUNT(wrong); i++)
		ok(rt_register_find(RT_ARCH_ARM64, wrong[i], &reg) == -ENOENT, "no '%%%s' on arm64",
		   wrong[i]);
	for (arch = 0; arch < 2; arch++) {
		for (good = i = 0; i < rt_register_count(arch); i++)
			good += !rt_register_find(arch, rt_register_name(arch, i), &reg) &&
				reg.slot == i;
		is_int(good, rt_register_count(arch), "every register of %s", rt_arch_name(arch));
	}
}

int main(void)
{
	char command[64];

	if (!mkdtemp(sysfs))
		return 1;
	counters();
	modifiers();
	lists();
	watches();
	pmus();
	errors();
	registers();
	rt_event_list_free(&list);
	snprintf(command, sizeof(command), "rm -rf %s", sysfs);
	ok(system(command) == 0, "clean up");
	return tap_done();
}
