// SPDX-License-Identifier: GPL-2.0
/*
 * debugger ADDRESS COMMAND… - do what a debugger does for `watch`: run COMMAND, watch its eight
 * bytes at ADDRESS with a debug register of ptrace, and print how often it stopped there.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __aarch64__
#include <asm/ptrace.h>
#endif

#include "traced.h"

#ifdef __x86_64__
static void set_watch(pid_t pid, uint64_t address, int on)
{
	/* Local enable of register 0; write, eight bytes. */
	if (ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[0]), address) ||
	    ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[7]),
		   on ? 1UL | 1UL << 16 | 2UL << 18 : 0UL))
		die("PTRACE_POKEUSER");
}

/* x86 traps after the access. */
static void step_over(pid_t pid, uint64_t address)
{
	(void)pid;
	(void)address;
}
#else
static void set_watch(pid_t pid, uint64_t address, int on)
{
	struct user_hwdebug_state state;
	struct iovec io = { &state, offsetof(struct user_hwdebug_state, dbg_regs[1]) };

	memset(&state, 0, sizeof(state));
	state.dbg_regs[0].addr = address;
	/* Eight bytes, store, user mode. */
	state.dbg_regs[0].ctrl = on ? 0xffU << 5 | 2U << 3 | 2U << 1 | 1 : 0;
	if (ptrace(PTRACE_SETREGSET, pid, NT_ARM_HW_WATCH, &io))
		die("PTRACE_SETREGSET");
}

static void step_over(pid_t pid, uint64_t address)
{
	int status;

	set_watch(pid, address, 0);
	if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) || waitpid(pid, &status, 0) != pid)
		die("PTRACE_SINGLESTEP");
	set_watch(pid, address, 1);
}
#endif

int main(int argc, char **argv)
{
	uint64_t address;
	int status, stops = 0, sig = 0;
	siginfo_t info;
	pid_t pid;

	if (argc < 3)
		return 2;
	address = strtoull(argv[1], NULL, 0);
	pid = traced_start(argv + 2);
	set_watch(pid, address, 1);
	for (;;) {
		if (ptrace(PTRACE_CONT, pid, 0, sig) || waitpid(pid, &status, 0) != pid)
			die("PTRACE_CONT");
		if (!WIFSTOPPED(status))
			break;
		sig = WSTOPSIG(status);
		if (sig != SIGTRAP)
			continue;
		sig = 0;
		if (ptrace(PTRACE_GETSIGINFO, pid, 0, &info))
			die("PTRACE_GETSIGINFO");
		if (info.si_code != TRAP_HWBKPT)
			continue;
		stops++;
		step_over(pid, address);
	}
	printf("%d\n", stops);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
