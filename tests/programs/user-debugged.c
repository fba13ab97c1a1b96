// SPDX-License-Identifier: GPL-2.0
/*
 * user-debugged OFFSET WAIT COMMAND... - do what a debugger does for `break`: run COMMAND, put a
 * breakpoint at OFFSET of its file, and let the command pass each stop.  Wait for a line of input after
 * the breakpoint is in place (WAIT is "after"), or before it (WAIT is "before").  Print the number of
 * stops that reached the debugger, and the status of the command.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

#ifdef __aarch64__
#define BREAK	    0xd4200000UL
#define BREAK_MASK  0xffffffffUL
#define BREAK_AFTER 0 /* the trap leaves the program counter at the instruction */
#else
#define BREAK	    0xccUL
#define BREAK_MASK  0xffUL
#define BREAK_AFTER 1
#endif

static unsigned long *counter_of(struct user_regs_struct *regs)
{
#ifdef __aarch64__
	return (unsigned long *)&regs->pc;
#else
	return (unsigned long *)&regs->rip;
#endif
}

static void registers(int request, pid_t pid, struct user_regs_struct *regs)
{
	struct iovec all = { regs, sizeof(*regs) };

	if (ptrace(request, pid, NT_PRSTATUS, &all))
		die("registers");
}

/* Where OFFSET of the program's file is in its memory. */
static unsigned long address_of(pid_t pid, unsigned long offset)
{
	unsigned long start, end, from;
	char path[64], line[512], rights[8];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "r");
	if (!maps)
		die(path);
	/* The first mappings are the program's own. */
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %7s %lx", &start, &end, rights, &from) == 4 &&
		    rights[2] == 'x' && offset >= from && offset < from + end - start) {
			fclose(maps);
			return start + offset - from;
		}
	fprintf(stderr, "offset 0x%lx is not in memory\n", offset);
	exit(2);
}

static long peek(pid_t pid, unsigned long at)
{
	long word;

	errno = 0;
	word = ptrace(PTRACE_PEEKTEXT, pid, at, 0);
	if (errno)
		die("PTRACE_PEEKTEXT");
	return word;
}

static void poke(pid_t pid, unsigned long at, long word)
{
	if (ptrace(PTRACE_POKETEXT, pid, at, word))
		die("PTRACE_POKETEXT");
}

static long set_break(pid_t pid, unsigned long at)
{
	long word = peek(pid, at);

	poke(pid, at, (word & ~BREAK_MASK) | BREAK);
	return word;
}

/*
 * Execute the instruction under the breakpoint; false if the command has ended.  If a user probe is at
 * the instruction, arm64 steps over it and forgets the step of the debugger: the command runs on.
 */
static bool step_over(pid_t pid, unsigned long at, long word, int *status)
{
	struct user_regs_struct regs;

	registers(PTRACE_GETREGSET, pid, &regs);
	*counter_of(&regs) = at;
	registers(PTRACE_SETREGSET, pid, &regs);
	poke(pid, at, word);
	if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) || waitpid(pid, status, 0) != pid)
		die("PTRACE_SINGLESTEP");
	if (!WIFSTOPPED(*status))
		return false;
	set_break(pid, at);
	return true;
}

static void wait_for_line(void)
{
	puts("ready");
	fflush(stdout);
	while (getchar() != '\n')
		;
}

int main(int argc, char **argv)
{
	struct user_regs_struct regs;
	int status, stops = 0, sig = 0;
	unsigned long at;
	long word;
	pid_t pid;

	if (argc < 4)
		return 2;
	pid = traced_start(argv + 3);
	at = address_of(pid, strtoul(argv[1], NULL, 0));
	if (!strcmp(argv[2], "before"))
		wait_for_line();
	word = set_break(pid, at);
	if (!strcmp(argv[2], "after"))
		wait_for_line();
	for (;;) {
		if (ptrace(PTRACE_CONT, pid, 0, sig) || waitpid(pid, &status, 0) != pid)
			die("PTRACE_CONT");
		if (!WIFSTOPPED(status))
			break;
		sig = WSTOPSIG(status);
		if (sig != SIGTRAP)
			continue;
		registers(PTRACE_GETREGSET, pid, &regs);
		if (*counter_of(&regs) != at + BREAK_AFTER)
			continue;
		sig = 0;
		stops++;
		if (!step_over(pid, at, word, &status))
			break;
	}
	printf("stops %d status %d\n", stops,
	       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}
