// SPDX-License-Identifier: GPL-2.0
#include "agent/refusal.h"

#include <stdio.h>
#include <string.h>

#include "events/spec.h"

/* %llu stands for the detail. */
static const struct {
	unsigned int reason;
	const char *text;
} sentences[] = {
	{ RT_REFUSED_NO_RINGS, "the rings are not set up yet" },
	{ RT_REFUSED_STATE, "not while the session is recording" },
	{ RT_REFUSED_FLAGS, "this kind of event cannot carry what was asked for" },
	{ RT_REFUSED_KIND,
	  "the loaded module does not know this kind of event; install a newer one" },
	{ RT_REFUSED_NAME, "the name is not of the form that is wanted" },
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
	  "no probe can be put there: it is outside the kernel's code, in the "
	  "middle of an instruction, or where the kernel does not bear one (see "
	  "/sys/kernel/debug/kprobes/blacklist and ringtail-record(1))" },
	{ RT_REFUSED_NO_TRACEPOINT,
	  "the kernel has no such tracepoint; see 'perf list tracepoint'" },
	{ RT_REFUSED_NOT_NATIVE,
	  "the module was built without this tracepoint's header, so it cannot "
	  "record it" },
	{ RT_REFUSED_ARMING, "event %llu could not be put in place" },
	{ RT_REFUSED_FTRACE_OFF,
	  "function entries cannot be probed while kernel.ftrace_enabled is 0; "
	  "'sysctl kernel.ftrace_enabled=1' lets them" },
	{ RT_REFUSED_TARGET, "there is no such task or CPU" },
	{ RT_REFUSED_RING_SIZE, "ring sizes are powers of two within limits; the nearest is %llu" },
	{ RT_REFUSED_MODE, "only a ring in overwrite mode gives sub-buffers away" },
	{ RT_REFUSED_MEMORY,
	  "the rings would take more memory than sessions may have; %llu bytes are "
	  "left (module parameter memory_percent)" },
	{ RT_REFUSED_NO_COUNTER,
	  "this machine has no such counter ('perf list' names them, virtual machines "
	  "often have none); -e cpu-clock needs none" },
	{ RT_REFUSED_COUNTER,
	  "the kernel does not sample this counter like that; leave out modifiers, or "
	  "choose another period (-c)" },
	{ RT_REFUSED_ACCESS, "the hardware cannot watch for that access; use w or rw" },
	{ RT_REFUSED_LENGTH_WATCH, "so many bytes cannot be watched; use 1, 2, 4 or 8" },
	{ RT_REFUSED_ALIGNMENT,
	  "so many bytes can be watched only at a multiple of %llu; watch fewer, or "
	  "use two watches" },
	{ RT_REFUSED_OWN_MEMORY, "the tracer itself writes there at every hit" },
	{ RT_REFUSED_ADDRESS,
	  "the kernel lets nobody watch that address: no memory can be there, or its own "
	  "handling of watches needs it" },
	{ RT_REFUSED_NO_TASK,
	  "a user address belongs to a process: say -p PID, or give a command" },
	{ RT_REFUSED_NO_STEP, "watchpoints do not work on this kernel" },
	{ RT_REFUSED_PRIVILEGE, "watching kernel addresses needs CAP_SYS_ADMIN" },
};

/* Who has the registers, as far as it can be known. */
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
	if (refusal->reason)
		return rt_program_reason(refusal->reason);
	return strerror(code);
}
