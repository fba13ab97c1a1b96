// SPDX-License-Identifier: GPL-2.0
#include "host/discard.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

static struct {
	pthread_mutex_t lock;
	pthread_cond_t one_is_freed;
	unsigned long begun, freed;
} discard = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };

int rt_discard_hold(const char *path)
{
	return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

static void let_go(int held)
{
	close(held);
	pthread_mutex_lock(&discard.lock);
	discard.freed++;
	pthread_cond_broadcast(&discard.one_is_freed);
	pthread_mutex_unlock(&discard.lock);
}

static void *let_go_aside(void *held)
{
	/* The priority of a reader of rings is not for this. */
	if (getpriority(PRIO_PROCESS, 0) < 0)
		setpriority(PRIO_PROCESS, 0, 0);
	let_go((intptr_t)held);
	return NULL;
}

void rt_discard_free(int held)
{
	sigset_t all, before;
	pthread_t thread;

	if (held < 0)
		return;
	pthread_mutex_lock(&discard.lock);
	discard.begun++;
	pthread_mutex_unlock(&discard.lock);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, NULL, let_go_aside, (void *)(intptr_t)held))
		let_go(held);
	else
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

unsigned long rt_discard_freed(void)
{
	unsigned long freed;

	pthread_mutex_lock(&discard.lock);
	freed = discard.freed;
	pthread_mutex_unlock(&discard.lock);
	return freed;
}

bool rt_discard_wait(unsigned long freed)
{
	bool some;

	pthread_mutex_lock(&discard.lock);
	while (discard.freed != discard.begun)
		pthread_cond_wait(&discard.one_is_freed, &discard.lock);
	some = discard.freed != freed;
	pthread_mutex_unlock(&discard.lock);
	return some;
}
