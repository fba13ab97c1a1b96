// SPDX-License-Identifier: GPL-2.0
#include "perfdata/read/vet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CPU_SECONDS 10 /* for all steps: a child that takes longer hangs */

bool rt_vet_step(struct rt_vet *vet)
{
	unsigned i, step = vet->next++;

	for (i = 0; i < vet->bad_count; i++)
		if (vet->bad[i] == step)
			return false;
	if (vet->at)
		*vet->at = step;
	return true;
}

static void child(struct rt_vet *vet, void (*work)(struct rt_vet *vet, void *arg), void *arg)
{
	const struct rlimit cpu = { CPU_SECONDS, CPU_SECONDS };
	const struct rlimit core = { 0, 0 };
	int null = open("/dev/null", O_RDWR);

	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &core);
	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	work(vet, arg);
	_exit(0);
}

bool rt_vet_run(struct rt_vet *vet, void (*work)(struct rt_vet *vet, void *arg), void *arg)
{
	unsigned *at =
		mmap(NULL, sizeof(*at), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool good = false;

	if (at == MAP_FAILED)
		return false;
	while (!good) {
		int status = -1;
		pid_t pid;

		vet->next = 0;
		vet->at = at;
		fflush(NULL);
		pid = fork();
		if (!pid)
			child(vet, work, arg);
		while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		good = pid > 0 && !status;
		if (good)
			break;
		if (pid < 0 || vet->bad_count == RT_VET_MAX)
			break;
		vet->bad[vet->bad_count++] = *at;
	}
	munmap(at, sizeof(*at));
	vet->at = NULL;
	return good;
}
