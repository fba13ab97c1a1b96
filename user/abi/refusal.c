// SPDX-License-Identifier: GPL-2.0
#include "abi/refusal.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* %llu stands for the detail. */
static const struct {
	unsigned int reason;
	const char *text;
} sentences[] = {
	{ RT_REFUSED_NO_RINGS, "the rings are not set up yet; set them up first" },
	{ RT_REFUSED_STATE, "the session is recording; stop it first" },
	{ RT_REFUSED_FLAGS, "this kind of event cannot carry what was asked for" },
	{ RT_REFUSED_KIND,
	  "the loaded module does not know this kind of event; install a newer one" },
	{ RT_REFUSED_NAME, "the module does not accept a name of this form" },
	{ RT_REFUSED_TOO_MANY, "too many: at most %llu are allowed" },
	{ RT_REFUSED_LOCKDOWN, "the kernel is locked down; 'ringtail doctor' says more" },
	{ RT_REFUSED_NO_SYMBOL,
	  "the kernel has no function of that name (see /proc/kallsyms); in a "
	  "module write MODULE:FUNCTION" },
	{ RT_REFUSED_NO_MODULE, "that module is not loaded" },
	{ RT_REFUSED_BOUNDARY,
	  "the address is in the middle of an instruction; see 'objdump -d' for "
	  "where they begin" },
	{ RT_REFUSED_NOT_PROBEABLE,
	  "no probe can be put there: the address is outside the kernel's code, in the "
	  "middle of an instruction, or where a probe would hang or crash the kernel (see "
	  "/sys/kernel/debug/kprobes/blacklist and ringtail-record(1))" },
	{ RT_REFUSED_NO_TRACEPOINT,
	  "the kernel has no such tracepoint; see 'ringtail list tracepoint'" },
	{ RT_REFUSED_NOT_NATIVE,
	  "the module was built without this tracepoint's header, so it cannot "
	  "record it" },
	{ RT_REFUSED_ARMING, "event %llu could not be armed" },
	{ RT_REFUSED_FTRACE_OFF,
	  "function entries cannot be probed while kernel.ftrace_enabled is 0; "
	  "'sysctl kernel.ftrace_enabled=1' allows it" },
	{ RT_REFUSED_KPROBES_OFF,
	  "kprobes are switched off on this machine; 'echo 1 >/sys/kernel/debug/kprobes/enabled' "
	  "switches them on" },
	{ RT_REFUSED_TARGET, "there is no such task or CPU" },
	{ RT_REFUSED_RING_SIZE, "ring sizes are powers of two within limits; the nearest is %llu" },
	{ RT_REFUSED_CROWDED,
	  "%llu events, of all sessions, are at this place already, and with one more each hit "
	  "would take too long; use fewer events there, fewer frames of stack, or simpler filters" },
	{ RT_REFUSED_FILE,
	  "the kernel cannot put user probes into this file; it must be a regular file on a file "
	  "system that keeps its pages in memory, before Linux 3.17 not on tmpfs" },
	{ RT_REFUSED_FILE_OFFSET,
	  "there is no instruction at this offset of the file, which has %llu bytes" },
	{ RT_REFUSED_INSTRUCTION,
	  "the kernel cannot put a probe on this instruction; see 'objdump -d' for where "
	  "instructions begin, and choose another one" },
	{ RT_REFUSED_SEMAPHORE,
	  "the kernel does not raise the semaphore of this marker: it needs Linux 4.20, and no "
	  "other tracer may have a probe without the semaphore there" },
	{ RT_REFUSED_PINNED, "this session is a flight already" },
	{ RT_REFUSED_NAME_TAKEN,
	  "a flight of this name is running; stop it, or choose another name" },
	{ RT_REFUSED_NOT_PINNED,
	  "no flight of this name is running; 'ringtail flight status' lists them" },
	{ RT_REFUSED_NO_KEPT,
	  "the module has no memory that the next boot leaves alone: load it with recover=ADDRESS,SIZE "
	  "(if it was, 'dmesg' says why not); see ringtail-flight(1)" },
	{ RT_REFUSED_KEPT_ROOM,
	  "the memory that the next boot leaves alone has %llu bytes free: choose a smaller --size, or "
	  "stop another flight" },
	{ RT_REFUSED_SESSIONS,
	  "%llu sessions are recording, which is the limit: stop a recording or a flight "
	  "('ringtail flight status'), or raise /sys/module/ringtail/parameters/sessions_max" },
	{ RT_REFUSED_MODE, "sub-buffers can be taken only from a ring in overwrite mode" },
	{ RT_REFUSED_MEMORY,
	  "rings and events would take more memory than sessions may have; %llu bytes are "
	  "left (module parameter memory_percent)" },
	{ RT_REFUSED_AVAILABLE,
	  "there is no memory for the rings; the machine has %llu bytes available, of which rings may "
	  "take three quarters, and a memory cgroup may allow less: choose smaller rings (-m)" },
	{ RT_REFUSED_COUNTERS,
	  "a session may have at most %llu counters; use fewer, or raise the module parameter "
	  "counters_max" },
	{ RT_REFUSED_COUNTER_TYPE,
	  "ringtail does not sample this PMU; it takes hardware, software, cache and raw counters; "
	  "for a probe use -e kprobe:FUNCTION or -e uprobe:FILE:PLACE" },
	{ RT_REFUSED_CROWDED_IRQ,
	  "hits of this event come with interrupts off, and all events that are hit there at once, of "
	  "all sessions, may take %llu instructions; use fewer, fewer frames of stack, or simpler "
	  "filters" },
	{ RT_REFUSED_INSTANCES,
	  "all kretprobes together have too many instances; %llu are left: lower --instances" },
	{ RT_REFUSED_NO_COUNTER,
	  "this machine has no such counter ('ringtail list' names them, virtual machines "
	  "often have none); -e cpu-clock needs none" },
	{ RT_REFUSED_COUNTER,
	  "the kernel does not sample this counter like that; leave out modifiers, or "
	  "choose another period (-c)" },
	{ RT_REFUSED_ACCESS,
	  "the hardware, or this kernel, cannot watch for that access; use w or rw" },
	{ RT_REFUSED_LENGTH_WATCH, "a watch cannot have this length; use 1, 2, 4 or 8 bytes" },
	{ RT_REFUSED_ALIGNMENT,
	  "a watch of this length must start at a multiple of %llu; watch fewer bytes, or "
	  "use two watches" },
	{ RT_REFUSED_OWN_MEMORY,
	  "ringtail itself writes to this memory at every hit; watch another address" },
	{ RT_REFUSED_STACK,
	  "this is a kernel stack, and this kernel cannot complete accesses to a watched one; "
	  "watch memory that is not on a stack" },
	{ RT_REFUSED_ADDRESS,
	  "this address cannot be watched: no memory can be there, or the kernel uses it "
	  "while it handles watchpoints" },
	{ RT_REFUSED_NO_TASK,
	  "a user address belongs to a process: add -p PID, or a command to run" },
	{ RT_REFUSED_NO_STEP, "watchpoints do not work on this kernel" },
	{ RT_REFUSED_CALLER,
	  "controlling a recording needs CAP_PERFMON or CAP_SYS_ADMIN, and a security "
	  "module that allows it; run as root" },
	{ RT_REFUSED_PRIVILEGE, "watching kernel addresses needs CAP_SYS_ADMIN" },
};

/* Say who uses the registers, as far as that is known. */
static const char *no_slot(uint64_t detail)
{
	unsigned int all = RT_SLOTS_ALL(detail), ours = RT_SLOTS_OURS(detail);
	unsigned int theirs = RT_SLOTS_THEIRS(detail);
	static char text[256];
	char other[64] = "";

	if (theirs)
		snprintf(other, sizeof(other), ", other ringtail sessions %u (process %u)", theirs,
			 RT_SLOTS_PID(detail));
	snprintf(text, sizeof(text), "no debug register is free: of %u, this session has %u%s%s",
		 all, ours, other, ours + theirs < all ? ", the rest perf, ptrace or kgdb" : "");
	return text;
}

static const char *switched_off(uint64_t detail)
{
	static char text[160];

	snprintf(
		text, sizeof(text),
		"the module was loaded with %s=0, without which there are no watchpoints on this machine: "
		"load it without that, see docs/safety.md",
		detail == RT_SWITCH_WATCH_STEP	? "watch_step" :
		detail == RT_SWITCH_WATCH_PAUSE ? "watch_pause" :
						  "a parameter");
	return text;
}

const char *rt_refusal_text(const struct rt_refusal *refusal, int code)
{
	static char text[256];
	const char *slot;
	size_t i;

	for (i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		if (sentences[i].reason != refusal->reason)
			continue;
		slot = strstr(sentences[i].text, "%llu");
		if (!slot)
			return sentences[i].text;
		snprintf(text, sizeof(text), "%.*s%llu%s", (int)(slot - sentences[i].text),
			 sentences[i].text, (unsigned long long)refusal->detail, slot + 4);
		return text;
	}
	if (refusal->reason == RT_REFUSED_NO_SLOT)
		return no_slot(refusal->detail);
	if (refusal->reason == RT_REFUSED_SWITCHED_OFF)
		return switched_off(refusal->detail);
	if (refusal->reason)
		return rt_program_reason(refusal->reason);
	if (code == E2BIG)
		return "the loaded module is older than this program and does not know this "
		       "request; install the module of the same version";
	return strerror(code);
}
