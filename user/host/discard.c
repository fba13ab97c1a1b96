// SPDX-License-Identifier: GPL-2.0
#include "host/discard.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

int rt_discard_hold(const char *path)
{
	return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

static void *let_go(void *held)
{
	/* The priority of a reader of rings is not for this. */
	if (getpriority(PRIO_PROCESS, 0) < 0)
		setpriority(PRIO_PROCESS, 0, 0);
	close((intptr_t)held);
	return NULL;
}

void rt_discard_free(int held)
{
	sigset_t all, before;
	pthread_t thread;

	if (held < 0)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, NULL, let_go, (void *)(intptr_t)held))
		close(held);
	else
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}
