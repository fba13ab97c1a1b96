// SPDX-License-Identifier: GPL-2.0
/*
 * watched-table first|again FILE PLACE SHIFT [LENGTH w|rw] - arm64: execute the accesses of
 * tests/modules/a64_table.h in a process.
 *
 * "first" writes what they leave behind to FILE; run it without a watch.  "again" compares with that
 * and prints "! …" for each difference, "IP RW OLD NEW FLAGS" for each record that there must be
 * (* is anything, ~X contains X) while LENGTH bytes of the word are watched, and "cases N",
 * "faults N", "wrong N".
 *
 * PLACE is "page", or "edge": then the word ends a page, and nothing is mapped behind it.  Each access
 * begins SHIFT bytes after the word.  "watched-table PLACE" prints the address of the word.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __aarch64__
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define RT_A64_SAY printf
#include "../modules/a64_judge.h"

#define PLACE	0x20000000UL
#define ATOMICS (1UL << 8)
#define LRCPC	(1UL << 15)
#define ILRCPC	(1UL << 26)

static volatile unsigned long fault;
static struct rt_a64_outcome before, now;

static void on_fault(int signal, siginfo_t *info, void *data)
{
	ucontext_t *context = data;

	(void)signal;
	fault = (unsigned long)info->si_addr;
	context->uc_mcontext.pc = (unsigned long)rt_a64_played;
}

/* The memory of the word, and another mapping of it. */
static bool map_word(struct rt_a64_run *run, bool edge)
{
	long page = sysconf(_SC_PAGESIZE);
	int fd = memfd_create("table", 0);
	char *alias, *word;

	if (fd < 0 || ftruncate(fd, 2 * page))
		return false;
	alias = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	word = mmap((void *)PLACE, edge ? page : 2 * page, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_FIXED, fd, 0);
	if (alias == MAP_FAILED || word == MAP_FAILED)
		return false;
	run->word = PLACE + (edge ? page - 8 : 1024);
	run->alias = (unsigned char *)alias + (run->word - PLACE);
	return true;
}

static void handle_faults(void)
{
	static char stack[65536];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigaltstack(&other, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

static int play_all(struct rt_a64_run *run, bool first, FILE *file)
{
	static char stack[4096] __attribute__((aligned(16)));
	unsigned long cases = 0, faults = 0;
	const struct rt_a64_case *one;

	run->sp = (unsigned long)stack + 2048;
	for (one = rt_a64_cases; one < rt_a64_cases_end; one++) {
		if (!rt_a64_fits(run, one))
			continue;
		cases++;
		fault = 0;
		rt_a64_execute_case(run, one, &now, rt_a64_play);
		now.fault = fault;
		faults += fault != 0;
		if (first) {
			if (fault)
				printf("%s: fault at 0x%lx\n", one->name, fault);
			if (fwrite(&now, sizeof(now), 1, file) != 1)
				return 1;
			continue;
		}
		if (fread(&before, sizeof(before), 1, file) != 1)
			return 1;
		if (run->wrong < 50)
			rt_a64_compare(run, one, &before, &now);
		rt_a64_expect(run, one, &before);
	}
	printf("cases %lu\nfaults %lu\nwrong %lu\n", cases, faults, run->wrong);
	return fclose(file) ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct rt_a64_run run = { .length = 8 };
	unsigned long has = getauxval(AT_HWCAP);
	bool first;
	FILE *file;

	if (argc < 2 || !map_word(&run, !strcmp(argv[argc > 3 ? 3 : 1], "edge")))
		return 2;
	if (argc < 5) {
		printf("0x%lx\n", run.word);
		return 0;
	}
	first = !strcmp(argv[1], "first");
	run.shift = atol(argv[4]);
	if (argc > 6) {
		run.length = atoi(argv[5]);
		run.reads = !strcmp(argv[6], "rw");
	}
	run.lacks = (has & ATOMICS ? 0 : RT_A64_LSE) | (has & LRCPC ? 0 : RT_A64_RCPC) |
		    (has & ILRCPC ? 0 : RT_A64_RCPC2);
	handle_faults();
	file = fopen(argv[2], first ? "w" : "r");
	return file ? play_all(&run, first, file) : 2;
}
#else
int main(void)
{
	fprintf(stderr, "watched-table: for arm64\n");
	return 1;
}
#endif
